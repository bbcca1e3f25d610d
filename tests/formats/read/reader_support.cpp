#include "formats/read/reader_support.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "neuroprim/error.hpp"

namespace neuroprim::testing {

Instance read_one(std::string_view text, std::string_view format) {
    auto instances = parse_instances(text, "file", format);
    EXPECT_EQ(instances.size(), 1U);
    return std::move(instances.front());
}

std::string refusal(std::string_view text, std::string_view format) {
    try {
        static_cast<void>(parse_instances(text, "file", format));
    } catch (const InputError& error) {
        return error.what();
    }
    return {};
}

std::vector<std::string> warnings_of(std::string_view text, std::string_view format) {
    std::vector<std::string> warnings;
    ReadOptions options{std::string(format)};
    options.warn = [&](const std::string& message) { warnings.push_back(message); };
    EXPECT_NO_THROW(static_cast<void>(parse_instances(text, "file", options)));
    return warnings;
}

Folder::Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "neuroprim-XXXXXX").string();
    path_ = ::mkdtemp(pattern.data());
}

Folder::~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

std::string Folder::file(const std::string& name, std::string_view content) const {
    const std::string path = path_ + "/" + name;
    std::ofstream(path, std::ios::binary) << content;
    return path;
}

}  // namespace neuroprim::testing
