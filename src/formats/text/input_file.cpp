#include "formats/text/input_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <system_error>

#include "formats/text/gzip.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/formats.hpp"

namespace neuroprim::formats {

namespace {

[[noreturn]] void fail_to_read(const std::string& source, int error) {
    throw InputError(source, 0, fmt::format("cannot read: {}", std::generic_category().message(error)));
}

/// Works for pipes too, whose size nobody knows: `expected` is a guess.
std::string read_all(std::FILE* file, std::size_t expected, const std::string& source) {
    constexpr std::size_t smallest_portion = std::size_t{1} << 16;
    std::string content;
    for (;;) {
        const std::size_t before = content.size();
        if (before > largest_text) throw InputError(source, 0, fmt::format("larger than {} bytes", largest_text));
        const std::size_t portion = expected > before ? expected - before + 1 : std::max(smallest_portion, before);
        content.resize(before + portion);
        errno = 0;
        const std::size_t count = std::fread(content.data() + before, 1, portion, file);
        content.resize(before + count);
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

std::string_view without_byte_order_mark(std::string_view content, const std::string& source) {
    if (content.starts_with("\xff\xfe") || content.starts_with("\xfe\xff")) {
        throw InputError(source, 0, "the text is UTF-16: save it as UTF-8");
    }
    constexpr std::string_view mark = "\xef\xbb\xbf";
    return content.starts_with(mark) ? content.substr(mark.size()) : content;
}

}  // namespace

std::string file_content(const std::string& path) {
    if (path == "-") return read_all(stdin, 0, source_name(path));
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) fail_to_read(path, EISDIR);
    const auto close = [](std::FILE* file) { std::fclose(file); };
    const std::unique_ptr<std::FILE, decltype(close)> file(std::fopen(path.c_str(), "rb"), close);
    if (!file) fail_to_read(path, errno);
    const auto size = std::filesystem::file_size(path, ignored);
    return read_all(file.get(), ignored || size > largest_text ? 0 : static_cast<std::size_t>(size), path);
}

std::string source_name(const std::string& path) {
    return path == "-" ? "stdin" : path;
}

TextFile::TextFile(std::string_view bytes, const std::string& source) {
    if (is_gzip(bytes)) {
        unpacked_ = unpacked(bytes, source);
        bytes = unpacked_;
    }
    text_ = {without_byte_order_mark(bytes, source), source, instance_name(source)};
    if (trimmed(text_.content).empty()) throw UnknownFormat(source, 0, "the file is empty");
}

}  // namespace neuroprim::formats
