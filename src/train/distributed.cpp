#include "train/distributed.hpp"

#include <fmt/format.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/types.h>

#include "neuroprim/error.hpp"

// Torch guards its headers with macros that some of its packages set for their users and others do not.
#ifdef NEUROPRIM_HAS_GLOO
#ifndef USE_C10D_GLOO
#define USE_C10D_GLOO
#endif
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#endif
#ifdef NEUROPRIM_HAS_NCCL
#ifndef USE_C10D_NCCL
#define USE_C10D_NCCL
#endif
#include <torch/csrc/distributed/c10d/ProcessGroupNCCL.hpp>
#endif
#if defined(NEUROPRIM_HAS_GLOO) || defined(NEUROPRIM_HAS_NCCL)
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>
#define NEUROPRIM_HAS_C10D 1
#endif

namespace neuroprim::train {

/// What a process group does, whatever its class is in this version of torch.
struct ProcessGroup::Backend {
    std::function<void(std::vector<at::Tensor>&)> sum;
    std::function<void(std::vector<at::Tensor>&)> broadcast;
};

namespace {

#ifdef NEUROPRIM_HAS_C10D

constexpr std::chrono::minutes timeout{30};

c10::intrusive_ptr<c10d::Store> meet(const Place& place) {
    c10d::TCPStoreOptions options;
    options.port = static_cast<std::uint16_t>(place.port);
    options.isServer = place.rank == 0 && !place.store_runs;
    options.numWorkers = static_cast<std::size_t>(place.size);
    options.waitWorkers = !place.store_runs;
    options.timeout = std::chrono::minutes(5);
    const auto store = c10::make_intrusive<c10d::TCPStore>(place.address, options);
    return c10::make_intrusive<c10d::PrefixStore>("neuroprim", store);
}

template <class Backend, class Group>
std::unique_ptr<Backend> wrap(const c10::intrusive_ptr<Group>& group) {
    auto backend = std::make_unique<Backend>();
    backend->sum = [group](std::vector<at::Tensor>& tensors) { group->allreduce(tensors)->wait(); };
    backend->broadcast = [group](std::vector<at::Tensor>& tensors) { group->broadcast(tensors)->wait(); };
    return backend;
}

template <class Backend>
std::unique_ptr<Backend> make_backend(const Place& place, bool cuda) {
    const auto store = meet(place);
#ifdef NEUROPRIM_HAS_NCCL
    if (cuda) return wrap<Backend>(c10::make_intrusive<c10d::ProcessGroupNCCL>(store, place.rank, place.size));
#endif
#ifdef NEUROPRIM_HAS_GLOO
    if (!cuda) {
        const auto options = c10d::ProcessGroupGloo::Options::create(timeout);
        options->devices.push_back(c10d::ProcessGroupGloo::createDefaultDevice());
        return wrap<Backend>(c10::make_intrusive<c10d::ProcessGroupGloo>(store, place.rank, place.size, options));
    }
#endif
    return nullptr;
}

#else

template <class Backend>
std::unique_ptr<Backend> make_backend(const Place&, bool) {
    return nullptr;
}

#endif

struct SumOverProcesses : torch::autograd::Function<SumOverProcesses> {
    static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& tensor,
                              const ProcessGroup* group) {
        context->saved_data["group"] = reinterpret_cast<std::int64_t>(group);
        auto result = tensor.clone();
        group->sum(result);
        return result;
    }

    static torch::autograd::tensor_list backward(torch::autograd::AutogradContext* context,
                                                 torch::autograd::tensor_list gradients) {
        // NOLINTNEXTLINE(performance-no-int-to-ptr): saved data holds numbers, not pointers
        const auto* group = reinterpret_cast<const ProcessGroup*>(context->saved_data["group"].toInt());
        auto gradient = gradients[0].clone();
        group->sum(gradient);
        return {gradient, at::Tensor()};
    }
};

}  // namespace

ProcessGroup::ProcessGroup(const Place& place, bool cuda) : place_(place) {
    if (place.size == 1) return;
    try {
        backend_ = make_backend<Backend>(place, cuda);
    } catch (const std::exception& error) {
        const std::string reason = error.what();
        throw InputError(fmt::format("process {} of {} cannot meet the others at {}:{}: {}", place.rank, place.size,
                                     place.address, place.port, reason.substr(0, reason.find('\n'))));
    }
    if (!backend_) {
        throw InputError(fmt::format("{} processes were started, but this program was built without {}", place.size,
                                     cuda ? "NCCL: use one process, or --device cpu" : "Gloo: use one process"));
    }
}

ProcessGroup::~ProcessGroup() = default;

void ProcessGroup::sum(at::Tensor& tensor) const {
    if (!backend_) return;
    std::vector<at::Tensor> tensors = {tensor};
    backend_->sum(tensors);
}

void ProcessGroup::broadcast(at::Tensor& tensor) const {
    if (!backend_) return;
    std::vector<at::Tensor> tensors = {tensor};
    backend_->broadcast(tensors);
}

at::Tensor ProcessGroup::differentiable_sum(const at::Tensor& tensor) const {
    return backend_ ? SumOverProcesses::apply(tensor, this) : tensor;
}

}  // namespace neuroprim::train
