#pragma once

#include <c10/core/Device.h>

#include <string>

namespace neuroprim::train {

/// Is it `auto`, `cpu`, `cuda` or `cuda:K`?
[[nodiscard]] bool is_device_name(const std::string& name);

/// The device of this name; `share` picks among several GPUs where none is named. Throws InputError when it is not
/// there.
[[nodiscard]] c10::Device device_named(const std::string& name, int share = 0);

}  // namespace neuroprim::train
