#include "train/side_work.hpp"

#ifdef NEUROPRIM_WITH_CUDA

#include "train/stream_order.hpp"

namespace neuroprim::train {

namespace {

constexpr std::size_t lane_count = 3;

/// An autograd context keeps this kind of object.
struct SideWorkHolder : torch::CustomClassHolder {
    explicit SideWorkHolder(std::shared_ptr<SideWork> held) : side(std::move(held)) {}
    std::shared_ptr<SideWork> side;
};

}  // namespace

SideWork::SideWork() {
    for (std::size_t k = 0; k < lane_count; ++k) lanes_.push_back({c10::cuda::getStreamFromPool()});
}

SideWork::~SideWork() {
    for (cudaEvent_t event : events_) cudaEventDestroy(event);
}

void SideWork::run(const Launch& launch, const std::vector<at::Tensor>& uses, const std::vector<at::Tensor>& makes) {
    Lane& lane = lanes_[next_++ % lanes_.size()];
    order(c10::cuda::getCurrentCUDAStream(), lane.stream);
    lane.is_used = true;
    kept_.insert(kept_.end(), uses.begin(), uses.end());
    launch(lane.stream);
    if (makes.empty()) return;
    cudaEvent_t event = nullptr;
    C10_CUDA_CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    events_.push_back(event);
    C10_CUDA_CHECK(cudaEventRecord(event, lane.stream));
    for (const at::Tensor& tensor : makes) made_[tensor.data_ptr()] = event;
}

void SideWork::await(const at::Tensor& made) {
    const auto found = made_.find(made.data_ptr());
    if (found == made_.end()) return;
    C10_CUDA_CHECK(cudaStreamWaitEvent(c10::cuda::getCurrentCUDAStream(), found->second, 0));
    made_.erase(found);
}

void SideWork::join() {
    for (Lane& lane : lanes_) {
        if (lane.is_used) order(lane.stream, c10::cuda::getCurrentCUDAStream());
        lane.is_used = false;
    }
    made_.clear();
    kept_.clear();
}

std::shared_ptr<SideWork> side_work_for(std::int64_t steps) {
    constexpr std::int64_t most_steps = 1 << 16;
    return steps <= most_steps ? std::make_shared<SideWork>() : nullptr;
}

void join(const std::shared_ptr<SideWork>& side) {
    if (side) side->join();
}

void run_beside(const std::shared_ptr<SideWork>& side, const SideWork::Launch& launch,
                const std::vector<at::Tensor>& uses, const std::vector<at::Tensor>& makes) {
    if (side) {
        side->run(launch, uses, makes);
    } else {
        launch(c10::cuda::getCurrentCUDAStream());
    }
}

void keep(torch::autograd::AutogradContext* context, const std::shared_ptr<SideWork>& side) {
    if (!side) return;
    context->saved_data["side"] = c10::IValue::make_capsule(c10::make_intrusive<SideWorkHolder>(side));
}

std::shared_ptr<SideWork> side_work_in(torch::autograd::AutogradContext* context) {
    const auto found = context->saved_data.find("side");
    if (found == context->saved_data.end()) return nullptr;
    return static_cast<SideWorkHolder*>(found->second.toCapsule().get())->side;
}

}  // namespace neuroprim::train

#else

namespace neuroprim::train {

class SideWork {};

std::shared_ptr<SideWork> side_work_for(std::int64_t) {
    return nullptr;
}

void join(const std::shared_ptr<SideWork>&) {}

}  // namespace neuroprim::train

#endif
