// What the parts of the emulated GPU know of each other.
#pragma once
#include <string>

struct Dim3 { unsigned x, y, z; };

/** Computes what a kernel of this mangled name would. */
void runKernel(const std::string& name, Dim3 grid, void** arguments);
void countProduct();
void reportMissing(const std::string& kernel);
