// cuBLAS and cuSOLVER: the products that ND4J calls, by plain loops on matrices that lie column by column; of the rest
// the names, which the loader wants.

#include <cstdlib>

#include "emulated.h"

namespace {

template <typename T>
int product(int transposeA, int transposeB, int m, int n, int k, const T* alpha, const T* a, int lda, const T* b, int ldb,
            const T* beta, T* c, int ldc) {
    countProduct();
    const long rowA = transposeA ? lda : 1, stepA = transposeA ? 1 : lda;
    const long stepB = transposeB ? ldb : 1, columnB = transposeB ? 1 : ldb;
    for (int j = 0; j < n; j++) {
        T* out = c + static_cast<long>(j) * ldc;
        for (int i = 0; i < m; i++) {
            T sum = 0;
            for (int p = 0; p < k; p++) sum += a[i * rowA + p * stepA] * b[p * stepB + j * columnB];
            out[i] = *alpha * sum + (*beta == 0 ? T(0) : *beta * out[i]);
        }
    }
    return 0;
}

template <typename T>
int timesVector(int transpose, int m, int n, const T* alpha, const T* a, int lda, const T* x, int stepX, const T* beta,
                T* y, int stepY) {
    countProduct();
    const int rows = transpose ? n : m, columns = transpose ? m : n;
    for (int i = 0; i < rows; i++) {
        T sum = 0;
        for (long p = 0; p < columns; p++) sum += (transpose ? a[p + i * long(lda)] : a[i + p * lda]) * x[p * stepX];
        T& out = y[static_cast<long>(i) * stepY];
        out = *alpha * sum + (*beta == 0 ? T(0) : *beta * out);
    }
    return 0;
}

}  // namespace

extern "C" {

int cublasCreate_v2(void** handle) { *handle = calloc(1, 64); return 0; }
int cublasDestroy_v2(void*) { return 0; }
int cublasSetStream_v2(void*, void*) { return 0; }
int cublasGetMathMode(void*, int* mode) { *mode = 0; return 0; }
int cublasSgemm_v2(void*, int ta, int tb, int m, int n, int k, const float* alpha, const float* a, int lda,
                   const float* b, int ldb, const float* beta, float* c, int ldc) {
    return product(ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}
int cublasDgemm_v2(void*, int ta, int tb, int m, int n, int k, const double* alpha, const double* a, int lda,
                   const double* b, int ldb, const double* beta, double* c, int ldc) {
    return product(ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}
int cublasSgemv_v2(void*, int t, int m, int n, const float* alpha, const float* a, int lda, const float* x, int stepX,
                   const float* beta, float* y, int stepY) {
    return timesVector(t, m, n, alpha, a, lda, x, stepX, beta, y, stepY);
}
int cublasDgemv_v2(void*, int t, int m, int n, const double* alpha, const double* a, int lda, const double* x, int stepX,
                   const double* beta, double* y, int stepY) {
    return timesVector(t, m, n, alpha, a, lda, x, stepX, beta, y, stepY);
}
#define ABSENT(name) int name() { reportMissing(#name); return 15; }
ABSENT(cublasDgemmBatched)
ABSENT(cublasGemmBatchedEx)
ABSENT(cublasHgemm)
ABSENT(cublasHgemmBatched)
ABSENT(cublasSgemmBatched)
ABSENT(cublasSgemmEx)

}
