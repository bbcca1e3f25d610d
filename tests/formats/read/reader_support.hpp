#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "neuroprim/formats.hpp"

namespace neuroprim::testing {

/// The one instance of the text. Fails the test when there are more.
[[nodiscard]] Instance read_one(std::string_view text, std::string_view format = {});

/// The message that refuses the text, which goes by the name `file`; empty when it is accepted.
[[nodiscard]] std::string refusal(std::string_view text, std::string_view format = {});

/// What the reader warns of on its way.
[[nodiscard]] std::vector<std::string> warnings_of(std::string_view text, std::string_view format = {});

/// A folder for the files of one test, removed with it.
class Folder {
public:
    Folder();
    ~Folder();
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    /// Writes a file and returns its path.
    [[nodiscard]] std::string file(const std::string& name, std::string_view content) const;

    [[nodiscard]] const std::string& path() const { return path_; }

private:
    std::string path_;
};

}  // namespace neuroprim::testing
