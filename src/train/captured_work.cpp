#include "train/captured_work.hpp"

#ifdef NEUROPRIM_WITH_CUDA

#include <ATen/cuda/CUDAGraph.h>
#include <c10/cuda/CUDAGuard.h>

#include "train/stream_order.hpp"

namespace neuroprim::train {

struct CapturedWork::Recording {
    /// The default stream cannot be recorded. What is recorded keeps its stream's priority: blocks of the chain go
    /// before those of the work beside it (SideWork), which nobody waits for yet.
    c10::cuda::CUDAStream stream = c10::cuda::getStreamFromPool(true);
    at::cuda::CUDAGraph graph;
    bool recorded = false;
};

CapturedWork::CapturedWork(std::function<void()> body, int runs_before)
    : body_(std::move(body)), runs_before_(runs_before), recording_(std::make_unique<Recording>()) {}

CapturedWork::~CapturedWork() = default;

void CapturedWork::run() {
    const c10::cuda::CUDAStream outer = c10::cuda::getCurrentCUDAStream();
    order(outer, recording_->stream);
    {
        const c10::cuda::CUDAStreamGuard guard(recording_->stream);
        if (runs_before_ > 0) {
            --runs_before_;
            body_();
        } else {
            if (!recording_->recorded) {
                recording_->graph.capture_begin();
                body_();
                recording_->graph.capture_end();
                recording_->recorded = true;
            }
            recording_->graph.replay();
        }
    }
    order(recording_->stream, outer);
}

}  // namespace neuroprim::train

#else

namespace neuroprim::train {

struct CapturedWork::Recording {};

CapturedWork::CapturedWork(std::function<void()> body, int runs_before)
    : body_(std::move(body)), runs_before_(runs_before) {}

CapturedWork::~CapturedWork() = default;

void CapturedWork::run() {
    body_();
}

}  // namespace neuroprim::train

#endif
