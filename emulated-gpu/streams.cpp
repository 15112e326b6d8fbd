// Streams. Nothing that is launched is computed before somebody waits for it: a card may be as late. What only works
// since a launch happens to be done already, or since two streams happen to take turns, gives wrong numbers here.

#include <cstdlib>
#include <deque>
#include <mutex>
#include <set>

#include "emulated.h"

namespace {

struct Stream {
    std::deque<std::function<void()>> line;
    long entered = 0, done = 0;
};

/** What happened on a stream until then. */
struct Event {
    Stream* stream = nullptr;
    long entered = 0;
};

// one at a time computes; the other lock is for the lines
std::recursive_mutex computing;
std::mutex lines;
std::set<Stream*> streams;

/** Computes what waits in line up to some entry; a stream that is gone has nothing in line. */
void drain(Stream* stream, long until) {
    std::lock_guard<std::recursive_mutex> guard(computing);
    for (;;) {
        std::function<void()> next;
        {
            std::lock_guard<std::mutex> short_guard(lines);
            if (!streams.count(stream) || stream->done >= until || stream->line.empty()) return;
            next = std::move(stream->line.front());
            stream->line.pop_front();
            stream->done++;
        }
        next();
    }
}

bool isOwn(void* stream) {
    std::lock_guard<std::mutex> guard(lines);
    return streams.count(static_cast<Stream*>(stream));
}

long entered(Stream* stream) {
    std::lock_guard<std::mutex> guard(lines);
    return streams.count(stream) ? stream->entered : 0;
}

}  // namespace

void waitFor(void* stream) {
    if (isOwn(stream)) drain(static_cast<Stream*>(stream), entered(static_cast<Stream*>(stream)));
    else waitForAll();
}

void waitForAll() {
    std::set<Stream*> all;
    {
        std::lock_guard<std::mutex> guard(lines);
        all = streams;
    }
    for (Stream* stream : all) drain(stream, entered(stream));
}

void enqueue(void* stream, std::function<void()> work) {
    {
        std::lock_guard<std::mutex> guard(lines);
        auto* own = static_cast<Stream*>(stream);
        if (streams.count(own)) {
            own->line.push_back(std::move(work));
            own->entered++;
            return;
        }
    }
    // the default stream, which waits for all others, and they for it
    waitForAll();
    std::lock_guard<std::recursive_mutex> guard(computing);
    work();
}

extern "C" {

int gpu_cudaStreamCreate(void** s) {
    std::lock_guard<std::mutex> guard(lines);
    auto* stream = new Stream();
    streams.insert(stream);
    *s = stream;
    return 0;
}
int gpu_cudaStreamCreateWithFlags(void** s, unsigned) { return gpu_cudaStreamCreate(s); }
int gpu_cudaStreamCreateWithPriority(void** s, unsigned, int) { return gpu_cudaStreamCreate(s); }
int gpu_cudaStreamQuery(void* s) { waitFor(s); return 0; }
int gpu_cudaStreamDestroy(void* s) {
    if (!isOwn(s)) return 0;
    waitFor(s);
    std::lock_guard<std::mutex> guard(lines);
    streams.erase(static_cast<Stream*>(s));
    delete static_cast<Stream*>(s);
    return 0;
}

int gpu_cudaEventCreate(void** e) { *e = new Event(); return 0; }
int gpu_cudaEventCreateWithFlags(void** e, unsigned) { return gpu_cudaEventCreate(e); }
int gpu_cudaEventElapsedTime(float* t, void*, void*) { *t = 0; return 0; }
int gpu_cudaEventDestroy(void* e) { delete static_cast<Event*>(e); return 0; }
int gpu_cudaEventRecord(void* e, void* s) {
    auto* event = static_cast<Event*>(e);
    event->stream = static_cast<Stream*>(s);
    event->entered = entered(event->stream);
    return 0;
}
int gpu_cudaEventSynchronize(void* e) {
    auto* event = static_cast<Event*>(e);
    drain(event->stream, event->entered);
    return 0;
}
int gpu_cudaEventQuery(void* e) { return gpu_cudaEventSynchronize(e); }
int gpu_cudaStreamWaitEvent(void* s, void* e, unsigned) {
    Event event = *static_cast<Event*>(e);
    enqueue(s, [event] { drain(event.stream, event.entered); });
    return 0;
}

}
