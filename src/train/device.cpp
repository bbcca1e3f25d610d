#include "train/device.hpp"

#include <fmt/format.h>
#include <torch/cuda.h>

#include "neuroprim/error.hpp"

namespace neuroprim::train {

bool is_device_name(const std::string& name) {
    const bool numbered =
        name.starts_with("cuda:") && name.size() > 5 && name.find_first_not_of("0123456789", 5) == std::string::npos;
    return name == "auto" || name == "cpu" || name == "cuda" || numbered;
}

c10::Device device_named(const std::string& name, int share) {
    if (name == "cpu") return c10::kCPU;
    if (!torch::cuda::is_available()) {
        if (name == "auto") return c10::kCPU;
        throw InputError(fmt::format("device {}: there is no CUDA device, or this LibTorch cannot use it", name));
    }
    const auto count = static_cast<int>(torch::cuda::device_count());
    const int index = name.starts_with("cuda:") ? std::stoi(name.substr(5)) : share % count;
    if (index >= count) throw InputError(fmt::format("device {}: there are {} CUDA devices", name, count));
    return {c10::kCUDA, static_cast<c10::DeviceIndex>(index)};
}

}  // namespace neuroprim::train
