#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "neuroprim/formats.hpp"

namespace neuroprim::formats {

/// The index of the format that `format` names, or, when it is empty, the ending of `path`; the first format for
/// standard output. `tsplib`, `steinlib` and `gv` are understood too. Throws InputError that lists what is known.
[[nodiscard]] std::size_t chosen_format(const std::string& path, std::string_view format,
                                        std::span<const FormatInfo> formats);

}  // namespace neuroprim::formats
