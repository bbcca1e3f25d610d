#include "formats/read/steinlib_problems.hpp"

#include <fmt/format.h>

namespace neuroprim::formats {

void refuse_other_problems(const Text& text, const Token& keyword, std::span<const OtherProblem> problems) {
    for (const auto& [name, meaning] : problems) {
        if (same_word(keyword.value, name)) text.fail(keyword.at, fmt::format("{}: {}", in_quotes(name), meaning));
    }
}

}  // namespace neuroprim::formats
