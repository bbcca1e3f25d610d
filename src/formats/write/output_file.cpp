#include "formats/write/output_file.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <random>
#include <system_error>
#include <utility>

#include "neuroprim/error.hpp"

namespace neuroprim::formats {
namespace fs = std::filesystem;

namespace {

std::string reason(int error, const fs::path& target) {
    const std::string folder = target.has_parent_path() ? target.parent_path().string() : ".";
    switch (error) {
        case ENOENT:
            return fmt::format("cannot write: the folder \"{}\" does not exist", folder);
        case ENOTDIR:
            return fmt::format("cannot write: \"{}\" is not a folder", folder);
        case EACCES:
        case EPERM:
        case EROFS:
            return fmt::format("cannot write: no permission to write in the folder \"{}\"", folder);
        case ENOSPC:
        case EDQUOT:
            return "cannot write: the disk is full";
        default:
            return "cannot write: " + std::generic_category().message(error);
    }
}

/// Follows symbolic links, so that the rename replaces the file and not the link to it.
fs::path behind_links(const fs::path& path) {
    std::error_code ignored;
    if (!fs::is_symlink(path, ignored)) return path;
    const fs::path resolved = fs::weakly_canonical(path, ignored);
    return resolved.empty() ? path : resolved;
}

}  // namespace

OutputFile::OutputFile(std::string path) : path_(std::move(path)) {
    if (path_ == "-") {
        std::fflush(stdout);
        descriptor_ = STDOUT_FILENO;
        return;
    }
    target_ = behind_links(path_);
    std::error_code error;
    const fs::file_status status = fs::status(target_, error);
    if (fs::is_directory(status) || path_.empty() || path_.back() == '/') {
        throw InputError(path_, 0, "cannot write: this is a folder, not a file");
    }
    if (fs::exists(status) && !fs::is_regular_file(status)) {
        open_directly();
    } else {
        open_temporary();
    }
}

OutputFile::~OutputFile() {
    if (descriptor_ >= 0 && descriptor_ != STDOUT_FILENO) ::close(descriptor_);
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void OutputFile::open_temporary() {
    struct stat old = {};
    const bool replaces = ::stat(target_.c_str(), &old) == 0;
    if (replaces && ::access(target_.c_str(), W_OK) != 0) {
        throw InputError(path_, 0, "cannot write: the file exists and is write-protected");
    }
    std::random_device random;
    do {
        const auto name = fmt::format(".neuroprim-{:08x}{:08x}.tmp", random(), random());
        fs::path candidate = target_.parent_path() / name;
        descriptor_ = ::open(candidate.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor_ >= 0) temporary_ = std::move(candidate);  // a copy may want memory, with the file left behind
    } while (descriptor_ < 0 && errno == EEXIST);
    if (descriptor_ < 0) fail(errno);
    // Failing to copy the mode is no reason to keep the user's answer from them.
    if (replaces) std::ignore = ::fchmod(descriptor_, old.st_mode & 07777);
}

void OutputFile::open_directly() {
    descriptor_ = ::open(target_.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) fail(errno);
}

void OutputFile::write(std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
        if (written >= 0) {
            bytes.remove_prefix(static_cast<std::size_t>(written));
        } else if (errno != EINTR) {
            fail(errno);
        }
    }
}

void OutputFile::commit() {
    if (descriptor_ == STDOUT_FILENO) return;
    if (!temporary_.empty() && ::fsync(descriptor_) != 0) fail(errno);
    close();
    if (temporary_.empty()) return;
    if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail(errno);
    temporary_.clear();
}

void OutputFile::close() {
    // Some file systems report a full disk only here.
    if (::close(std::exchange(descriptor_, -1)) != 0) fail(errno);
}

void OutputFile::fail(int error) const {
    throw InputError(path_ == "-" ? "standard output" : path_, 0, reason(error, target_));
}

void check_writable(const std::string& path) {
    std::error_code absent;
    const fs::file_status status = fs::status(path, absent);
    if (fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status)) {
        // To open a pipe would wait for its reader, and then be the one writer it sees.
        if (::access(path.c_str(), W_OK) != 0) throw InputError(path, 0, reason(errno, path));
        return;
    }
    const OutputFile removed_at_once(path);
}

void write_file(const std::string& path, std::string_view bytes) {
    OutputFile file(path);
    file.write(bytes);
    file.commit();
}

}  // namespace neuroprim::formats
