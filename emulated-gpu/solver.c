/* cuSOLVER's names, which the loader wants; nothing of this project uses it. */
int cusolverDnCreate(void** handle) { *handle = 0; return 0; }
int cusolverDnSetStream(void* handle, void* stream) { return 0; }
#define ABSENT(name) int name() { return 1; }
ABSENT(cusolverDnCreateGesvdjInfo)
ABSENT(cusolverDnDestroyGesvdjInfo)
ABSENT(cusolverDnDgesvdj)
ABSENT(cusolverDnDgesvdj_bufferSize)
ABSENT(cusolverDnDgetrf)
ABSENT(cusolverDnDgetrf_bufferSize)
ABSENT(cusolverDnDpotrfBatched)
ABSENT(cusolverDnSgesvdj)
ABSENT(cusolverDnSgesvdj_bufferSize)
ABSENT(cusolverDnSgetrf)
ABSENT(cusolverDnSgetrf_bufferSize)
ABSENT(cusolverDnSpotrfBatched)
ABSENT(cusolverDnXgesvdjSetMaxSweeps)
ABSENT(cusolverDnXgesvdjSetTolerance)
