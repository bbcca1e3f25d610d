#include "formats/text/byte_limit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace neuroprim::formats {

std::size_t one_beyond(std::size_t most) {
    return std::min(most, std::string().max_size() - 1) + 1;
}

void grow(std::string& content, std::size_t size, std::size_t limit) {
    if (size > content.capacity()) {
        const std::size_t doubled = std::max(size, 2 * content.capacity());
        content.reserve(doubled > limit / 2 ? std::max(size, limit) : doubled);
    }
    content.resize(size);
}

std::string readable_bytes(std::size_t bytes) {
    constexpr std::array<std::pair<const char*, int>, 3> units = {{{"GiB", 30}, {"MiB", 20}, {"KiB", 10}}};
    for (const auto& [unit, shift] : units) {
        const std::size_t size = std::size_t{1} << shift;
        if (bytes >= size && bytes % size == 0) return fmt::format("{} {}", bytes / size, unit);
    }
    return fmt::format("{} bytes", bytes);
}

}  // namespace neuroprim::formats
