#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace neuroprim::formats {

[[nodiscard]] bool is_gzip(std::string_view bytes);

/// Unpacks one gzip file or several joined into one. Throws InputError, in the name of `source`, when it is cut
/// off or corrupt; TooLarge as soon as it unpacks to more than `most` bytes, having taken no more memory than that.
[[nodiscard]] std::string unpacked(std::string_view bytes, const std::string& source, std::size_t most);

}  // namespace neuroprim::formats
