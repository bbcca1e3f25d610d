#include "formats/text/input_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <system_error>

#include "formats/text/byte_limit.hpp"
#include "formats/text/gzip.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/formats.hpp"

namespace neuroprim::formats {

namespace {

[[noreturn]] void fail_to_read(const std::string& source, int error) {
    throw InputError(source, 0, fmt::format("cannot read: {}", std::generic_category().message(error)));
}

[[noreturn]] void fail_too_large(const std::string& source, std::size_t most) {
    throw TooLarge(source, 0, fmt::format("holds more than {}: --max-input moves this limit", readable_bytes(most)));
}

bool is_utf16(std::string_view content) {
    return content.starts_with("\xff\xfe") || content.starts_with("\xfe\xff");
}

/// A NUL near the beginning tells devices and binary files from text, long before they are read to their end.
void check_is_text(std::string_view content, const std::string& source) {
    constexpr std::size_t looked_at = std::size_t{1} << 16;
    if (is_utf16(content)) throw InputError(source, 0, "the text is UTF-16: save it as UTF-8");
    if (content.substr(0, looked_at).find('\0') == std::string_view::npos) return;
    throw UnknownFormat(source, 0, "holds NUL bytes, so it is no text, or none in UTF-8");
}

/// Works for pipes too, whose size nobody knows: `expected` is a guess. Takes no more memory than `most` bytes.
std::string read_all(std::FILE* file, std::size_t expected, const std::string& source, std::size_t most) {
    constexpr std::size_t smallest_portion = std::size_t{1} << 16;
    std::string content;
    for (;;) {
        const std::size_t before = content.size();
        const std::size_t wanted = expected > before ? expected - before + 1 : std::max(smallest_portion, before);
        const std::size_t portion = std::min(wanted, one_beyond(most) - before);
        grow(content, before + portion, one_beyond(most));
        errno = 0;
        const std::size_t count = std::fread(content.data() + before, 1, portion, file);
        content.resize(before + count);
        if (before == 0 && !is_gzip(content)) check_is_text(content, source);
        if (content.size() > most) fail_too_large(source, most);
        if (count < portion) {
            if (std::ferror(file) != 0) fail_to_read(source, errno);
            return content;
        }
    }
}

/// Without its folder, `.gz` and one more ending; the number in `e50.1` is none.
std::string instance_name(const std::string& source) {
    std::filesystem::path name = std::filesystem::path(source).filename();
    if (name.extension() == ".gz") name = name.stem();
    const bool has_ending = name.extension().string().find_first_not_of(".0123456789") != std::string::npos;
    return has_ending ? name.stem().string() : name.string();
}

std::string_view without_byte_order_mark(std::string_view content) {
    constexpr std::string_view mark = "\xef\xbb\xbf";
    return content.starts_with(mark) ? content.substr(mark.size()) : content;
}

}  // namespace

std::string file_content(const std::string& path, std::size_t most) {
    if (path == "-") return read_all(stdin, 0, source_name(path), most);
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) fail_to_read(path, EISDIR);
    const auto close = [](std::FILE* file) { std::fclose(file); };
    const std::unique_ptr<std::FILE, decltype(close)> file(std::fopen(path.c_str(), "rb"), close);
    if (!file) fail_to_read(path, errno);
    const auto size = std::filesystem::file_size(path, ignored);
    if (ignored) return read_all(file.get(), 0, path, most);
    if (size > most) fail_too_large(path, most);
    return read_all(file.get(), static_cast<std::size_t>(size), path, most);
}

std::string first_bytes(const std::string& path) {
    constexpr std::size_t enough = 64;
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored)) return {};  // a pipe can be read once only
    std::string head(enough, '\0');
    const auto close = [](std::FILE* file) { std::fclose(file); };
    const std::unique_ptr<std::FILE, decltype(close)> file(std::fopen(path.c_str(), "rb"), close);
    if (!file) return {};
    head.resize(std::fread(head.data(), 1, enough, file.get()));
    return head;
}

void check_file_size(const std::string& path, std::size_t most) {
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) return;  // some maps are folders
    const auto size = std::filesystem::file_size(path, error);
    if (error) fail_to_read(path, error.value());
    if (size > most) fail_too_large(path, most);
}

std::string source_name(const std::string& path) {
    return path == "-" ? "stdin" : path;
}

Text named_text(const std::string& path, const ReadOptions& options) {
    return {{}, path, instance_name(path), options.warn, &options.map};
}

TextFile::TextFile(std::string_view bytes, const std::string& source, std::size_t most, const Warn& warn,
                   const MapOptions* map) {
    if (is_gzip(bytes)) {
        try {
            unpacked_ = unpacked(bytes, source, most);
        } catch (const TooLarge&) {
            fail_too_large(source, most);
        }
        bytes = unpacked_;
    }
    check_is_text(bytes, source);
    text_ = {without_byte_order_mark(bytes), source, instance_name(source), warn, map};
    if (trimmed(text_.content).empty()) throw UnknownFormat(source, 0, "the file is empty");
}

}  // namespace neuroprim::formats
