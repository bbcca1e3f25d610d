#pragma once

#include <cstddef>
#include <string>

namespace neuroprim::formats {

/// `most` bytes and one more, which is enough to know that there are too many.
[[nodiscard]] std::size_t one_beyond(std::size_t most);

/// Resizes `content` to `size`, which is at most `limit`. Grows by doubling, but never moves more than half of the
/// limit: old and new memory together stay within it, as far as they are filled.
void grow(std::string& content, std::size_t size, std::size_t limit);

/// `2 GiB`, `500 MiB`, `1000 bytes`.
[[nodiscard]] std::string readable_bytes(std::size_t bytes);

}  // namespace neuroprim::formats
