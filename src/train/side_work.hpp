#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <memory>
#include <vector>

#ifdef NEUROPRIM_WITH_CUDA
#include <c10/cuda/CUDAStream.h>
#include <torch/csrc/autograd/custom_function.h>

#include <unordered_map>
#endif

namespace neuroprim::train {

/// What a backward pass computes beside the chain that leads to the encoder's inputs: gradients of weights and of
/// keys, for which nobody waits until the chain is done. A small update leaves most of the chip idle, so they run on
/// streams of their own at the same time.
///
/// Whoever makes one must have forgotten the parameters' gradients before, because autograd adds to those at once,
/// and must call `join` before reading the new ones.
class SideWork;

/// For updates of this many steps of all trajectories together; nothing where they fill the chip by themselves, and
/// in builds without CUDA.
[[nodiscard]] std::shared_ptr<SideWork> side_work_for(std::int64_t steps);

/// The current stream waits for all of it. Nothing to do where there is none.
void join(const std::shared_ptr<SideWork>& side);

#ifdef NEUROPRIM_WITH_CUDA

class SideWork {
public:
    using Launch = std::function<void(cudaStream_t)>;

    SideWork();
    ~SideWork();
    SideWork(const SideWork&) = delete;
    SideWork& operator=(const SideWork&) = delete;

    /// Launches after what the current stream holds now. What it uses stays until `join`; what it makes lives on with
    /// whoever gets it, and must not be read before `await` or `join`.
    void run(const Launch& launch, const std::vector<at::Tensor>& uses, const std::vector<at::Tensor>& makes = {});

    /// The current stream waits for what makes this tensor, if that runs here.
    void await(const at::Tensor& made);

    void join();

private:
    struct Lane {
        c10::cuda::CUDAStream stream;
        bool is_used = false;  ///< a stream without work must not be joined: a recorded graph does not know it
    };

    std::vector<Lane> lanes_;
    std::size_t next_ = 0;
    std::unordered_map<const void*, cudaEvent_t> made_;  ///< by the tensor's memory
    std::vector<cudaEvent_t> events_;
    std::vector<at::Tensor> kept_;
};

/// On the side where there is one, otherwise on the current stream.
void run_beside(const std::shared_ptr<SideWork>& side, const SideWork::Launch& launch,
                const std::vector<at::Tensor>& uses, const std::vector<at::Tensor>& makes = {});

/// For the backward pass of an autograd function, which may have none.
void keep(torch::autograd::AutogradContext* context, const std::shared_ptr<SideWork>& side);
[[nodiscard]] std::shared_ptr<SideWork> side_work_in(torch::autograd::AutogradContext* context);

#endif

}  // namespace neuroprim::train
