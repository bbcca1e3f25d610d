#include "cli/results_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>

#include "formats/write/json_object.hpp"
#include "formats/write/output_file.hpp"
#include "neuroprim/error.hpp"

namespace neuroprim::cli {

namespace {

/// What every line begins with; tells a half-written one from a file of something else.
constexpr std::string_view line_beginning = R"({"input":)";

/// Excludes other processes. Where the file system has no locks, each process needs a file of its own.
class FileLock {
public:
    explicit FileLock(int file) : file_(file) { flock(file_, LOCK_EX); }
    ~FileLock() { flock(file_, LOCK_UN); }
    FileLock(const FileLock&) = delete;
    FileLock& operator=(const FileLock&) = delete;

private:
    int file_;
};

std::string error_text(int error) {
    return std::generic_category().message(error);
}

bool is_regular(int file) {
    struct stat status = {};
    return fstat(file, &status) == 0 && S_ISREG(status.st_mode);
}

bool ends_inside_a_line(int file) {
    struct stat status = {};
    char last = '\n';
    if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size == 0) return false;
    return pread(file, &last, 1, status.st_size - 1) == 1 && last != '\n';
}

/// `./a.csv` and `a.csv` are one input.
std::string normal(const std::string& input) {
    return std::filesystem::path(input).lexically_normal().string();
}

/// The line's object without its edges, which can be many; not an object when the line is none.
nlohmann::json parsed(const std::string& line) {
    using nlohmann::json;
    const auto wanted = [](int depth, json::parse_event_t event, json& value) {
        return !(depth == 1 && event == json::parse_event_t::key && value == "edges");
    };
    return json::parse(line, wanted, false);
}

}  // namespace

ResultsFile::ResultsFile(const std::string& path, nlohmann::json options)
    : path_(path), options_(std::move(options)) {
    file_ = open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (file_ < 0) {
        const int error = errno;
        formats::check_writable(path);  // says it better where it can
        throw InputError(path, 0, fmt::format("cannot be written: {}", error_text(error)));
    }
    try {
        const FileLock lock(file_);
        if (is_regular(file_)) load();
    } catch (...) {
        close(file_);
        throw;
    }
}

ResultsFile::~ResultsFile() {
    close(file_);
}

bool ResultsFile::has(const std::string& input) const {
    return done_.contains(normal(input));
}

void ResultsFile::append(const std::string& input, const Instance& instance, const Solution& solution,
                         bool interrupted) {
    formats::JsonObject line(formats::JsonObject::Layout::line);
    line.text("input", input);
    line.raw("options", options_.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    if (interrupted) line.flag("interrupted", true);
    formats::add_solution(line, instance, solution);
    const std::string text = std::move(line).finish() + '\n';
    const FileLock lock(file_);
    struct stat before = {};
    const bool regular = fstat(file_, &before) == 0 && S_ISREG(before.st_mode);
    try {
        // Another process may have been killed in the middle of its line.
        write(ends_inside_a_line(file_) ? '\n' + text : text);
    } catch (...) {
        if (regular) std::ignore = ftruncate(file_, before.st_size);  // no half of a line
        throw;
    }
}

void ResultsFile::load() {
    std::ifstream in(path_, std::ios::binary);
    off_t line_start = 0;
    long number = 0;
    for (std::string line; std::getline(in, line); line_start += static_cast<off_t>(line.size()) + 1) {
        ++number;
        const bool ended = !in.eof();
        const bool whole = line.empty() || take(line);
        if (!whole) {
            ++damaged_;
            if (!line.starts_with(line_beginning) && (ended || !line_beginning.starts_with(line))) {
                throw InputError(path_, number, "expected results of an earlier run: name another file");
            }
        }
        if (ended) continue;
        if (whole) {
            write("\n");
        } else if (ftruncate(file_, line_start) != 0) {
            throw InputError(path_, number, fmt::format("cannot be cut off: {}", error_text(errno)));
        }
    }
}

bool ResultsFile::take(const std::string& line) {
    const nlohmann::json result = parsed(line);
    if (!result.is_object() || !result.contains("input") || !result["input"].is_string()) return false;
    const bool interrupted = result.value("interrupted", nlohmann::json()) == true;
    if (!interrupted && result.value("options", nlohmann::json()) == options_) {
        done_.insert(normal(result["input"].get<std::string>()));
    }
    return true;
}

void ResultsFile::write(std::string_view rest) const {
    while (!rest.empty()) {
        const ssize_t written = ::write(file_, rest.data(), rest.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) throw std::runtime_error(fmt::format("{}: cannot be written: {}", path_, error_text(errno)));
        rest.remove_prefix(static_cast<std::size_t>(written));
    }
}

}  // namespace neuroprim::cli
