#pragma once

// Lists in the command lines of benchmarks.

#include <sstream>
#include <string>
#include <vector>

namespace neuroprim::bench {

/// What stands between commas.
inline std::vector<std::string> parts(const std::string& text) {
    std::vector<std::string> result;
    std::istringstream words(text);
    for (std::string word; std::getline(words, word, ',');) result.push_back(word);
    return result;
}

inline std::vector<double> numbers(const std::string& text) {
    std::vector<double> result;
    for (const std::string& word : parts(text)) result.push_back(std::stod(word));
    return result;
}

}  // namespace neuroprim::bench
