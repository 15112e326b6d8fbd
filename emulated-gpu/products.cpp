// cuBLAS and cuSOLVER: the products that ND4J calls, by plain loops on matrices that lie column by column; of the rest
// the names, which the loader wants.

#include <cstdlib>

#include "emulated.h"

namespace {

/** What a card knows of who calls cuBLAS: the stream that products wait on. */
struct Handle { void* stream; };

template <typename T>
void checkReach(int device, const T* a, const T* b, const T* c) {
    for (const T* pointer : {a, b, c}) {
        if (!isReachable(pointer, device)) reportUnreachable("a product of cuBLAS", pointer);
    }
}

template <typename T>
void product(int transposeA, int transposeB, int m, int n, int k, T alpha, const T* a, int lda, const T* b, int ldb,
            T beta, T* c, int ldc) {
    const long rowA = transposeA ? lda : 1, stepA = transposeA ? 1 : lda;
    const long stepB = transposeB ? ldb : 1, columnB = transposeB ? 1 : ldb;
    for (int j = 0; j < n; j++) {
        T* out = c + static_cast<long>(j) * ldc;
        for (int i = 0; i < m; i++) {
            T sum = 0;
            for (int p = 0; p < k; p++) sum += a[i * rowA + p * stepA] * b[p * stepB + j * columnB];
            out[i] = alpha * sum + (beta == 0 ? T(0) : beta * out[i]);
        }
    }
}

template <typename T>
void timesVector(int transpose, int m, int n, T alpha, const T* a, int lda, const T* x, int stepX, T beta, T* y,
                 int stepY) {
    const int rows = transpose ? n : m, columns = transpose ? m : n;
    for (int i = 0; i < rows; i++) {
        T sum = 0;
        for (long p = 0; p < columns; p++) sum += (transpose ? a[p + i * long(lda)] : a[i + p * lda]) * x[p * stepX];
        T& out = y[static_cast<long>(i) * stepY];
        out = alpha * sum + (beta == 0 ? T(0) : beta * out);
    }
}

template <typename T>
int productLater(void* handle, int ta, int tb, int m, int n, int k, const T* alpha, const T* a, int lda, const T* b,
                 int ldb, const T* beta, T* c, int ldc) {
    countProduct();
    checkReach<T>(currentDevice(), a, b, c);
    enqueue(static_cast<Handle*>(handle)->stream, [=, alpha = *alpha, beta = *beta] {
        product<T>(ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
    });
    return 0;
}

template <typename T>
int timesVectorLater(void* handle, int t, int m, int n, const T* alpha, const T* a, int lda, const T* x, int stepX,
                     const T* beta, T* y, int stepY) {
    countProduct();
    checkReach<T>(currentDevice(), a, x, y);
    enqueue(static_cast<Handle*>(handle)->stream, [=, alpha = *alpha, beta = *beta] {
        timesVector<T>(t, m, n, alpha, a, lda, x, stepX, beta, y, stepY);
    });
    return 0;
}

}  // namespace

extern "C" {

int cublasCreate_v2(void** handle) { *handle = calloc(1, 64); return 0; }
int cublasDestroy_v2(void*) { return 0; }
int cublasSetStream_v2(void* handle, void* stream) { static_cast<Handle*>(handle)->stream = stream; return 0; }
int cublasGetMathMode(void*, int* mode) { *mode = 0; return 0; }
int cublasSgemm_v2(void* h, int ta, int tb, int m, int n, int k, const float* alpha, const float* a, int lda,
                   const float* b, int ldb, const float* beta, float* c, int ldc) {
    return productLater(h, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}
int cublasDgemm_v2(void* h, int ta, int tb, int m, int n, int k, const double* alpha, const double* a, int lda,
                   const double* b, int ldb, const double* beta, double* c, int ldc) {
    return productLater(h, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}
int cublasSgemv_v2(void* h, int t, int m, int n, const float* alpha, const float* a, int lda, const float* x, int stepX,
                   const float* beta, float* y, int stepY) {
    return timesVectorLater(h, t, m, n, alpha, a, lda, x, stepX, beta, y, stepY);
}
int cublasDgemv_v2(void* h, int t, int m, int n, const double* alpha, const double* a, int lda, const double* x,
                   int stepX, const double* beta, double* y, int stepY) {
    return timesVectorLater(h, t, m, n, alpha, a, lda, x, stepX, beta, y, stepY);
}
#define ABSENT(name) int name() { reportMissing(#name); return 15; }
ABSENT(cublasDgemmBatched)
ABSENT(cublasGemmBatchedEx)
ABSENT(cublasHgemm)
ABSENT(cublasHgemmBatched)
ABSENT(cublasSgemmBatched)
ABSENT(cublasSgemmEx)

}
