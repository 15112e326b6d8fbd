// What the parts of the emulated GPU know of each other.
#pragma once
#include <functional>
#include <string>

struct Dim3 { unsigned x, y, z; };

/** A kernel of this mangled name, with copies of its arguments, to be computed when somebody waits for it. */
std::function<void()> kernel(const std::string& name, Dim3 grid, void** arguments);
void countProduct();
/** Fails what waits next: there is no such kernel, or one cannot be launched or read as it was. */
void reportMissing(const std::string& kernel);
void reportUnreachable(const std::string& reader, const void* pointer);
/** Whether kernels of a device can read there: memory of its own, or the host's that is pinned. */
bool isReachable(const void* pointer, int device);
int currentDevice();

// Streams: what is launched waits in line until somebody waits for it, as late as a card may do it.
void enqueue(void* stream, std::function<void()> work);
void waitFor(void* stream);
void waitForAll();
