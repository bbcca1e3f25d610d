#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace neuroprim::formats {

/// No text is larger than this, packed or not.
inline constexpr std::size_t largest_text = std::size_t{8} << 30;

[[nodiscard]] bool is_gzip(std::string_view bytes);

/// Unpacks one gzip file or several joined into one. Throws InputError, in the name of `source`, when it is cut
/// off or corrupt, or as soon as it unpacks to more than `most` bytes.
[[nodiscard]] std::string unpacked(std::string_view bytes, const std::string& source,
                                   std::size_t most = largest_text);

}  // namespace neuroprim::formats
