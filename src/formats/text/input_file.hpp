#pragma once

#include <string>
#include <string_view>

#include "formats/text/text.hpp"

namespace neuroprim::formats {

/// All bytes of a file; `-` is standard input. Throws InputError when it cannot be read or begins like nothing that
/// is text or gzip; TooLarge when it has more than `most` bytes, without having read more.
[[nodiscard]] std::string file_content(const std::string& path, std::size_t most = default_max_input);

/// Enough bytes of a file to tell what it is; empty when it cannot be read.
[[nodiscard]] std::string first_bytes(const std::string& path);

/// Throws what `file_content` would throw about this path before it has read it.
void check_file_size(const std::string& path, std::size_t most);

/// What errors call the file: its path, or `stdin`.
[[nodiscard]] std::string source_name(const std::string& path);

/// No text, but what messages and the instance are called, for files that other libraries read.
[[nodiscard]] Text named_text(const std::string& path, const ReadOptions& options);

/// The text in the bytes of a file: unpacked if they are gzip, without a byte order mark.
/// Throws InputError when there is no text at all, TooLarge when it unpacks to more than `most` bytes.
class TextFile {
public:
    TextFile(std::string_view bytes, const std::string& source, std::size_t most = default_max_input,
             const Warn& warn = {}, const MapOptions* map = nullptr);
    TextFile(const TextFile&) = delete;
    TextFile& operator=(const TextFile&) = delete;

    [[nodiscard]] const Text& text() const { return text_; }

private:
    std::string unpacked_;
    Text text_;
};

}  // namespace neuroprim::formats
