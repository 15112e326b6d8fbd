// The CUDA runtime of a machine without a GPU. ND4J's CUDA library links that runtime statically but keeps the names of
// its functions, so that each of them can be made to jump to one of ours. Devices are host memory of their own; every
// call is counted. What a card refuses is refused: memory that a device cannot reach, launches of a size that it has
// not, anything on a card that the library has no code for.

#include <cxxabi.h>
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "emulated.h"

namespace {

// The order of the counters in the file; EmulatedGpu.java reads them by it.
enum Counter { LAUNCHES, PRODUCTS, MALLOCS, FREES, BLOCKS, BYTES, TO_DEVICE, TO_HOST, WITHIN, MIGRATIONS, SYNCS, MISSING };

std::atomic<long>* counters() {
    static std::atomic<long>* shared = [] {
        static std::atomic<long> own[64];
        const char* path = getenv("EMULATED_GPU_COUNTERS");
        int file = path ? open(path, O_RDWR | O_CREAT, 0644) : -1;
        if (file < 0 || ftruncate(file, 4096) != 0) return own;
        void* memory = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        return memory == MAP_FAILED ? own : static_cast<std::atomic<long>*>(memory);
    }();
    return shared;
}

void count(Counter what, long by = 1) { counters()[what] += by; }

long setting(const char* name, long otherwise) {
    const char* text = getenv(name);
    return text ? atol(text) : otherwise;
}

int devices() { return static_cast<int>(setting("EMULATED_GPU_DEVICES", 1)); }
long memory() { return setting("EMULATED_GPU_MEGABYTES", 16000) << 20; }
int capability() { return static_cast<int>(setting("EMULATED_GPU_CAPABILITY", 70)); }
/** Whether the library holds code for the card. */
bool hasCode() { return capability() >= 37 && capability() <= 89; }

thread_local int device = 0;
/** What went wrong since this thread waited last; a card tells then, too. */
thread_local int failure = 0;

struct Block { size_t bytes; int device; };
std::mutex lock;
/** Memory by its address: of a device, or the host's that is pinned, of none. */
std::map<const char*, Block> blocks;
long used[16];

constexpr int PINNED = -1;
constexpr int INVALID = 9, OUT_OF_MEMORY = 2, NO_KERNEL = 98, NO_IMAGE = 209, UNREACHABLE = 700;

/** The block that a place lies in, or null; by who holds the lock. */
const Block* blockOf(const void* pointer) {
    auto* place = static_cast<const char*>(pointer);
    auto next = blocks.upper_bound(place);
    if (next == blocks.begin()) return nullptr;
    --next;
    return place < next->first + (next->second.bytes ? next->second.bytes : 1) ? &next->second : nullptr;
}

int allocate(void** pointer, size_t bytes) {
    std::lock_guard<std::mutex> guard(lock);
    if (used[device & 15] + static_cast<long>(bytes) > memory()) {
        *pointer = nullptr;
        return OUT_OF_MEMORY;
    }
    *pointer = calloc(1, bytes ? bytes : 1);
    blocks[static_cast<char*>(*pointer)] = {bytes, device};
    used[device & 15] += static_cast<long>(bytes);
    count(MALLOCS), count(BLOCKS), count(BYTES, static_cast<long>(bytes));
    return 0;
}

int release(void* pointer) {
    waitForAll();
    std::lock_guard<std::mutex> guard(lock);
    auto found = blocks.find(static_cast<char*>(pointer));
    if (found == blocks.end() || found->second.device == PINNED) return 0;
    used[found->second.device & 15] -= static_cast<long>(found->second.bytes);
    count(FREES), count(BLOCKS, -1), count(BYTES, -static_cast<long>(found->second.bytes));
    blocks.erase(found);
    free(pointer);
    return 0;
}

/** The device that memory is of, PINNED, or -2 for any other of the host's. */
int deviceOf(const void* pointer) {
    std::lock_guard<std::mutex> guard(lock);
    const Block* block = blockOf(pointer);
    return block ? block->device : -2;
}

void countCopy(void* to, const void* from, int kind) {
    if (kind == 1) count(TO_DEVICE);
    if (kind == 2) count(TO_HOST);
    if (kind == 3) {
        count(WITHIN);
        int a = deviceOf(to), b = deviceOf(from);
        if (a >= 0 && b >= 0 && a != b) count(MIGRATIONS);
    }
}

/** What comes from the host is read now, unless it is pinned; what goes there is waited for, unless it is. */
int copyLater(void* to, const void* from, size_t bytes, int kind, void* stream) {
    countCopy(to, from, kind);
    if (deviceOf(from) == -2) {
        auto* begin = static_cast<const char*>(from);
        std::vector<char> staged(begin, begin + bytes);
        enqueue(stream, [to, staged] { memcpy(to, staged.data(), staged.size()); });
    } else {
        enqueue(stream, [=] { memmove(to, from, bytes); });
    }
    if (deviceOf(to) == -2) waitFor(stream);
    return 0;
}

// Variables of the library's kernels: a block for each, on each device.
void* variable(const void* symbol) {
    static std::unordered_map<const void*, void*> known[16];
    std::lock_guard<std::mutex> guard(lock);
    void*& place = known[device & 15][symbol];
    if (!place) {
        place = calloc(1, 1 << 20);
        blocks[static_cast<char*>(place)] = {1 << 20, device};
    }
    return place;
}

struct Configuration { Dim3 grid, block; size_t shared; void* stream; };
thread_local Configuration configurations[16];
thread_local int depth = 0;

const char* base = nullptr;
std::unordered_map<const void*, std::string> names;

const std::string& nameOf(const void* function) {
    static const std::string unknown = "?";
    auto found = names.find(function);
    return found == names.end() ? unknown : found->second;
}

}  // namespace

void countProduct() { count(PRODUCTS); }

int currentDevice() { return device; }

bool isReachable(const void* pointer, int by) {
    int of = pointer ? deviceOf(pointer) : PINNED;
    return of == PINNED || of == by;
}

static void report(int code, const std::string& what) {
    static std::mutex own;
    static std::unordered_map<std::string, int> said;
    std::lock_guard<std::mutex> guard(own);
    count(MISSING);
    failure = code;
    if (said[what]++ == 0) fprintf(stderr, "emulated GPU: %s\n", what.c_str());
}

void reportMissing(const std::string& kernel) { report(NO_KERNEL, "no kernel " + kernel); }

void reportUnreachable(const std::string& reader, const void* pointer) {
    int of = deviceOf(pointer);
    report(UNREACHABLE, (of == -2 ? "memory of the host" : "memory of device " + std::to_string(of)) + " read by "
        + reader);
}

extern "C" {

struct Properties {  // as CUDA 11.6 lays them out, up to the capability
    char name[256], uuid[16], luid[8];
    unsigned mask;
    size_t totalGlobalMem, sharedMemPerBlock;
    int regsPerBlock, warpSize;
    size_t memPitch;
    int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], clockRate;
    size_t totalConstMem;
    int major, minor;
};
struct FunctionAttributes { size_t shared, constant, local; int threads, registers, ptx, binary, cache, dynamic, carveout; };
struct PointerAttributes { int type, device; void *onDevice, *onHost; };

int gpu_cudaGetDeviceCount(int* n) { *n = devices(); return 0; }
int gpu_cudaGetDevice(int* d) { *d = device; return 0; }
int gpu_cudaSetDevice(int d) { device = d; return 0; }
int gpu_cudaGetDeviceProperties(Properties* p, int d) {
    memset(p, 0, sizeof *p);
    snprintf(p->name, sizeof p->name, "Emulated GPU %d", d);
    p->totalGlobalMem = memory(), p->sharedMemPerBlock = 49152, p->regsPerBlock = 65536, p->warpSize = 32;
    p->maxThreadsPerBlock = 1024, p->maxThreadsDim[0] = p->maxThreadsDim[1] = 1024, p->maxThreadsDim[2] = 64;
    p->maxGridSize[0] = 2147483647, p->maxGridSize[1] = p->maxGridSize[2] = 65535;
    p->clockRate = 1500000, p->totalConstMem = 65536, p->major = capability() / 10, p->minor = capability() % 10;
    return 0;
}
int gpu_cudaDeviceGetAttribute(int* v, int attribute, int) {
    switch (attribute) {
        case 1: *v = 1024; break;                // threads of a block
        case 5: *v = 2147483647; break;          // blocks of a grid
        case 8: *v = 49152; break;               // shared memory of a block
        case 10: *v = 32; break;                 // threads of a warp
        case 16: *v = 80; break;                 // processors
        case 39: *v = 2048; break;               // threads of a processor
        case 75: *v = capability() / 10; break;
        case 76: *v = capability() % 10; break;
        case 81: case 97: *v = 98304; break;     // shared memory of a processor, and if asked for of a block
        default: *v = 1;
    }
    return 0;
}
int gpu_cudaDeviceCanAccessPeer(int* v, int, int) { *v = 0; return 0; }
int gpu_cudaDeviceGetLimit(size_t* v, int) { *v = 8 << 20; return 0; }
int gpu_cudaMemGetInfo(size_t* available, size_t* total) {
    std::lock_guard<std::mutex> guard(lock);
    *total = memory(), *available = memory() - used[device & 15];
    return 0;
}
int gpu_cudaDriverGetVersion(int* v) { *v = 11060; return 0; }
int gpu_cudaRuntimeGetVersion(int* v) { *v = 11060; return 0; }
const char* gpu_cudaGetErrorString(int e) {
    return e == OUT_OF_MEMORY ? "out of memory" : e == NO_KERNEL ? "the emulated GPU lacks a kernel"
        : e == NO_IMAGE ? "no kernel image is available for execution on the device"
        : e == UNREACHABLE ? "an illegal memory access was encountered" : "unknown error";
}
const char* gpu_cudaGetErrorName(int e) {
    return e == OUT_OF_MEMORY ? "cudaErrorMemoryAllocation" : e == NO_KERNEL ? "cudaErrorInvalidDeviceFunction"
        : e == NO_IMAGE ? "cudaErrorNoKernelImageForDevice" : e == UNREACHABLE ? "cudaErrorIllegalAddress"
        : "cudaErrorUnknown";
}

int gpu_cudaMalloc(void** p, size_t n) { return allocate(p, n); }
int gpu_cudaMallocAsync(void** p, size_t n, void*) { return allocate(p, n); }
int gpu_cudaMallocManaged(void** p, size_t n, unsigned) { return allocate(p, n); }
int gpu_cudaFree(void* p) { return release(p); }
int gpu_cudaFreeAsync(void* p, void*) { return release(p); }
int gpu_cudaHostAlloc(void** p, size_t n, unsigned) {
    std::lock_guard<std::mutex> guard(lock);
    *p = calloc(1, n ? n : 1);
    blocks[static_cast<char*>(*p)] = {n, PINNED};
    return 0;
}
int gpu_cudaMallocHost(void** p, size_t n) { return gpu_cudaHostAlloc(p, n, 0); }
int gpu_cudaFreeHost(void* p) {  // a few bytes, and some of them are not ours
    waitForAll();
    std::lock_guard<std::mutex> guard(lock);
    auto found = blocks.find(static_cast<char*>(p));
    if (found != blocks.end() && found->second.device == PINNED) blocks.erase(found);
    return 0;
}
int gpu_cudaHostGetDevicePointer(void** d, void* h, unsigned) { *d = h; return 0; }
int gpu_cudaPointerGetAttributes(PointerAttributes* a, const void* p) {
    *a = {2, 0, const_cast<void*>(p), nullptr};
    return 0;
}
int gpu_cudaMemcpy(void* to, const void* from, size_t n, int kind) {
    waitForAll();
    countCopy(to, from, kind);
    memmove(to, from, n);
    return 0;
}
int gpu_cudaMemcpyAsync(void* to, const void* from, size_t n, int kind, void* s) {
    return copyLater(to, from, n, kind, s);
}
int gpu_cudaMemset(void* to, int value, size_t n) { waitForAll(); memset(to, value, n); return 0; }
int gpu_cudaMemsetAsync(void* to, int value, size_t n, void* s) {
    enqueue(s, [=] { memset(to, value, n); });
    return 0;
}
int gpu_cudaGetSymbolAddress(void** p, const void* symbol) {
    if (!hasCode()) return NO_IMAGE;
    *p = variable(symbol);
    return 0;
}
int gpu_cudaGetSymbolSize(size_t* n, const void*) { *n = 49152; return 0; }
int gpu_cudaMemcpyToSymbol(const void* symbol, const void* from, size_t n, size_t at, int) {
    if (!hasCode()) return NO_IMAGE;
    waitForAll();
    memcpy(static_cast<char*>(variable(symbol)) + at, from, n);
    return 0;
}
int gpu_cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t n, size_t at, int, void* s) {
    if (!hasCode()) return NO_IMAGE;
    return copyLater(static_cast<char*>(variable(symbol)) + at, from, n, 0, s);
}
int gpu_cudaMemcpyFromSymbol(void* to, const void* symbol, size_t n, size_t at, int) {
    waitForAll();
    memcpy(to, static_cast<char*>(variable(symbol)) + at, n);
    return 0;
}

int gpu_cudaStreamSynchronize(void* s) {
    count(SYNCS);
    waitFor(s);
    int told = failure;
    failure = 0;
    return told;
}
int gpu_cudaDeviceSynchronize() { return gpu_cudaStreamSynchronize(nullptr); }

int gpu_cudaFuncGetAttributes(FunctionAttributes* a, const void*) {
    if (!hasCode()) return NO_IMAGE;
    *a = {0, 0, 0, 1024, 32, capability(), capability(), 0, 49152, 0};
    return 0;
}
int gpu_cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* n, const void*, int, size_t) { *n = 2; return 0; }
int gpu_cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* n, const void*, int, size_t, unsigned) {
    *n = 2;
    return 0;
}
int gpu_cudaLaunchKernel(const void* function, Dim3 grid, Dim3 block, void** arguments, size_t shared, void* s) {
    count(LAUNCHES);
    if (!hasCode()) return NO_IMAGE;
    const long threads = 1L * block.x * block.y * block.z, places = 1L * grid.x * grid.y * grid.z;
    if (threads == 0 || threads > 1024 || block.z > 64 || places == 0 || grid.x > 2147483647u || grid.y > 65535
            || grid.z > 65535 || shared > 49152) {
        report(INVALID, "no launch of " + nameOf(function) + " in " + std::to_string(places) + " blocks of "
            + std::to_string(threads) + " threads with " + std::to_string(shared) + " bytes");
        return INVALID;
    }
    enqueue(s, kernel(nameOf(function), grid, arguments));
    return 0;
}
int gpu_cudaLaunchCooperativeKernel(const void* f, Dim3 grid, Dim3 block, void** arguments, size_t shared, void* s) {
    return gpu_cudaLaunchKernel(f, grid, block, arguments, shared, s);
}
unsigned gpu___cudaPushCallConfiguration(Dim3 grid, Dim3 block, size_t shared, void* stream) {
    if (depth < 16) configurations[depth++] = {grid, block, shared, stream};
    return 0;
}
int gpu___cudaPopCallConfiguration(Dim3* grid, Dim3* block, size_t* shared, void** stream) {
    if (depth > 0) {
        const Configuration& last = configurations[--depth];
        *grid = last.grid, *block = last.block, *shared = last.shared, *stream = last.stream;
    }
    return 0;
}
int gpu_nothing() { return 0; }

}  // extern "C"

namespace {

std::string path;

int find(dl_phdr_info* library, size_t, void*) {
    if (!library->dlpi_name || !strstr(library->dlpi_name, "/libnd4jcuda.so")) return 0;
    base = reinterpret_cast<const char*>(library->dlpi_addr);
    path = library->dlpi_name;
    return 1;
}

// mov rax, target; jmp rax
void redirect(unsigned char* at, const void* target) {
    size_t page = reinterpret_cast<size_t>(at) & ~4095UL;
    mprotect(reinterpret_cast<void*>(page), 8192, PROT_READ | PROT_WRITE | PROT_EXEC);
    at[0] = 0x48, at[1] = 0xb8, at[10] = 0xff, at[11] = 0xe0;
    memcpy(at + 2, &target, 8);
}

bool startsWith(const char* text, const char* start) { return !strncmp(text, start, strlen(start)); }

const void* replacement(const char* name) {
    bool entry = startsWith(name, "cuda") && name[4] >= 'A' && name[4] <= 'Z';
    if (!entry && !startsWith(name, "__cudaPushCall") && !startsWith(name, "__cudaPopCall")) return nullptr;
    std::string own = std::string("gpu_") + name;
    for (const char* tail : {"_ptsz", "_ptds"}) {
        size_t at = own.find(tail);
        if (at != std::string::npos) own.resize(at);
    }
    static void* self = dlopen("libcublas.so.11", RTLD_NOW | RTLD_NOLOAD);
    void* found = dlsym(self, own.c_str());
    return found ? found : reinterpret_cast<const void*>(gpu_nothing);
}

bool install() {
    dl_iterate_phdr(find, nullptr);
    if (!base) return false;
    int file = open(path.c_str(), O_RDONLY);
    struct stat status;
    if (file < 0 || fstat(file, &status) != 0) return false;
    auto* image = static_cast<const char*>(mmap(nullptr, status.st_size, PROT_READ, MAP_PRIVATE, file, 0));
    auto* header = reinterpret_cast<const Elf64_Ehdr*>(image);
    auto* sections = reinterpret_cast<const Elf64_Shdr*>(image + header->e_shoff);
    for (int i = 0; i < header->e_shnum; i++) {
        if (sections[i].sh_type != SHT_SYMTAB) continue;
        auto* symbols = reinterpret_cast<const Elf64_Sym*>(image + sections[i].sh_offset);
        const char* text = image + sections[sections[i].sh_link].sh_offset;
        for (size_t s = 0; s < sections[i].sh_size / sizeof(Elf64_Sym); s++) {
            const Elf64_Sym& symbol = symbols[s];
            if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || !symbol.st_value) continue;
            const char* name = text + symbol.st_name;
            auto* at = const_cast<char*>(base) + symbol.st_value;
            const void* ours = symbol.st_size < 24 ? nullptr : replacement(name);
            if (ours) redirect(reinterpret_cast<unsigned char*>(at), ours);
            else names.emplace(at, name);
        }
    }
    return true;
}

// When this library is loaded, and all above is ready: before the first line of the library that needs it runs.
const bool installed = install();

}  // namespace
