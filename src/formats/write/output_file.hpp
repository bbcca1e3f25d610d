#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace neuroprim::formats {

/// A file that appears whole or not at all.
///
/// Bytes go to a temporary file in the same folder, which `commit` flushes and renames. Without `commit`, as when
/// an exception passes, the temporary is removed and an older file stays as it was. `-` is standard output;
/// devices and pipes are written directly. Every failure is an InputError that names the path and the reason.
class OutputFile {
public:
    explicit OutputFile(std::string path);
    ~OutputFile();
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    void write(std::string_view bytes);
    void commit();

private:
    void open_temporary();
    void open_directly();
    void close();
    [[noreturn]] void fail(int error) const;

    std::string path_;
    std::filesystem::path target_;     // the file behind `path_` when that is a symbolic link
    std::filesystem::path temporary_;  // empty when the target is written directly or already in place
    int descriptor_ = -1;
};

void write_file(const std::string& path, std::string_view bytes);

/// Throws what an OutputFile of this path would throw now, and leaves nothing behind: for the time before long work.
void check_writable(const std::string& path);

}  // namespace neuroprim::formats
