#pragma once

#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>

namespace neuroprim::train {

/// What is enqueued on `later` from now on waits for what `earlier` holds now.
inline void order(const c10::cuda::CUDAStream& earlier, const c10::cuda::CUDAStream& later) {
    cudaEvent_t event = nullptr;
    C10_CUDA_CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    C10_CUDA_CHECK(cudaEventRecord(event, earlier));
    C10_CUDA_CHECK(cudaStreamWaitEvent(later, event, 0));
    C10_CUDA_CHECK(cudaEventDestroy(event));  // takes effect when the event has passed
}

}  // namespace neuroprim::train
