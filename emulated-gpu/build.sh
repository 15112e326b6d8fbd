#!/bin/sh
# Builds the emulated GPU's libraries into a folder: build.sh FOLDER. Needs g++ and Linux on x86-64.
set -e
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
cd "$1"
echo 'libcublas.so.11 { global: *; };' > cublas.map
echo 'libcusolver.so.11 { global: *; };' > cusolver.map
g++ -std=c++17 -O2 -Wall -fPIC -shared -Wl,-soname,libcublas.so.11 -Wl,--version-script=cublas.map \
    -o libcublas.so.11 "$here/runtime.cpp" "$here/streams.cpp" "$here/kernels.cpp" "$here/products.cpp" -ldl -lpthread
gcc -fPIC -shared -Wl,-soname,libcusolver.so.11 -Wl,--version-script=cusolver.map -o libcusolver.so.11 "$here/solver.c"
