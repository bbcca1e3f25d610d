#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "formats/read/sniffing.hpp"
#include "formats/text/text.hpp"
#include "neuroprim/instance.hpp"

namespace neuroprim::formats {

/// How well a text fits a format.
enum class Match { no, possible, certain };

/// One format that instances are read from.
struct Reader {
    std::string_view name;
    std::string_view title;

    /// Judges by a look at the text and never throws. The first certain match is taken, or else the only possible
    /// one.
    Match (*recognises)(const Sniffed& sniffed);

    /// Reads every instance of the text. Throws InputError with the line and what was expected.
    std::vector<Instance> (*read)(const Text& text);

    /// For formats that are no text, or several files: judges by the first bytes, and reads from the path.
    bool (*recognises_file)(std::string_view head) = nullptr;
    std::vector<Instance> (*read_file)(const std::string& path, const ReadOptions& options) = nullptr;
};

/// The one instance of a file that holds one.
[[nodiscard]] inline std::vector<Instance> just(Instance instance) {
    std::vector<Instance> result;
    result.push_back(std::move(instance));
    return result;
}

}  // namespace neuroprim::formats
