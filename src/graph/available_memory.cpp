#include "graph/available_memory.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <string>
#include <string_view>

namespace neuroprim {

namespace fs = std::filesystem;

namespace {

using Bytes = std::optional<std::size_t>;

void lower(Bytes& least, Bytes other) {
    if (other && (!least || *other < *least)) least = other;
}

/// The number after `key` at the beginning of a line; an empty key takes the first line. Nothing for words like
/// "max".
Bytes number_in(const fs::path& file, std::string_view key) {
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
        if (!line.starts_with(key)) continue;
        const std::size_t digits = line.find_first_not_of(" \t", key.size());
        if (digits == std::string::npos) return std::nullopt;
        std::size_t value = 0;
        const auto [end, error] = std::from_chars(line.data() + digits, line.data() + line.size(), value);
        return error == std::errc() && end != line.data() + digits ? Bytes(value) : std::nullopt;
    }
    return std::nullopt;
}

/// Files in the page cache count as used, but the system drops those that nobody asked for of late.
Bytes left_in_group(const fs::path& folder, const char* limit, const char* usage, std::string_view inactive) {
    const Bytes most = number_in(folder / limit, "");
    const Bytes used = number_in(folder / usage, "");
    if (!most || !used) return std::nullopt;
    const std::size_t needed = *used - std::min(*used, number_in(folder / "memory.stat", inactive).value_or(0));
    return *most - std::min(*most, needed);
}

/// The folder of a control group and those above it: each may have a limit of its own.
template <class Left>
Bytes least_on_the_way_up(const fs::path& top, const std::string& group, Left left) {
    Bytes least;
    for (fs::path path = fs::path(group).relative_path();; path = path.parent_path()) {
        lower(least, left(top / path));
        if (path.empty()) return least;
    }
}

Bytes left_in_control_groups(const fs::path& root) {
    const auto version_2 = [](const fs::path& folder) {
        return left_in_group(folder, "memory.max", "memory.current", "inactive_file");
    };
    const auto version_1 = [](const fs::path& folder) {
        return left_in_group(folder, "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file");
    };
    Bytes least;
    std::ifstream in(root / "proc/self/cgroup");
    for (std::string line; std::getline(in, line);) {  // number:controllers:group
        const std::size_t first = line.find(':');
        const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
        if (second == std::string::npos) continue;
        const std::string controllers = line.substr(first + 1, second - first - 1);
        const std::string group = line.substr(second + 1);
        if (controllers.empty()) lower(least, least_on_the_way_up(root / "sys/fs/cgroup", group, version_2));
        if (("," + controllers + ",").find(",memory,") != std::string::npos) {
            lower(least, least_on_the_way_up(root / "sys/fs/cgroup/memory", group, version_1));
        }
    }
    return least;
}

}  // namespace

std::optional<std::size_t> available_memory(const fs::path& root) {
    Bytes result;
    constexpr std::size_t kilobyte = 1024;
    if (const Bytes kilobytes = number_in(root / "proc/meminfo", "MemAvailable:")) result = *kilobytes * kilobyte;
    lower(result, left_in_control_groups(root));
    return result;
}

}  // namespace neuroprim
