#include "train/checkpoint.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>

#include "neuroprim/error.hpp"

namespace neuroprim::train {

namespace fs = std::filesystem;
using neuroprim::policy::Tensor;
using neuroprim::policy::TensorFile;

namespace {

constexpr const char* format_version = "neuroprim-checkpoint-2";
constexpr const char* optimiser_prefix = "optimiser.";
/// The file has a checksum of its numbers; this one holds the names and the facts too.
constexpr const char* checksum_key = "checkpoint-checksum";
constexpr const char* name_prefix = "checkpoint-";
constexpr const char* name_suffix = ".safetensors";
constexpr const char* partial_suffix = ".part";

/// Over names and numbers, in the order of the file: headers are checked by their reader, flipped bits are not.
std::string checksum(const TensorFile& file) {
    uLong sum = crc32(0, nullptr, 0);
    const auto add = [&](const void* data, std::size_t size) {
        sum = crc32_z(sum, static_cast<const Bytef*>(data), size);
    };
    for (const auto& [key, value] : file.metadata) {
        if (key == checksum_key) continue;
        add(key.data(), key.size());
        add(value.data(), value.size());
    }
    for (const auto& [name, tensor] : file.tensors) {
        add(name.data(), name.size());
        add(tensor.values.data(), tensor.values.size() * sizeof(float));
    }
    return fmt::format("{:08x}", sum);
}

[[noreturn]] void fail(const fs::path& path, const char* what, int code) {
    throw InputError(path.string(), 0, fmt::format("{}: {}", what, std::strerror(code)));
}

void sync_to_disk(const fs::path& path, int flags) {
    const int descriptor = ::open(path.c_str(), flags | O_CLOEXEC);
    if (descriptor < 0) fail(path, "cannot be opened", errno);
    const int result = ::fsync(descriptor);
    const int code = errno;
    ::close(descriptor);
    if (result != 0) fail(path, "cannot be written to disk", code);
}

fs::path partial(const fs::path& path) {
    fs::path result = path;
    result += partial_suffix;
    return result;
}

/// `write` fills the given temporary file, which takes the name `path` once it is on disk.
template <class Write>
void replace_durably(const fs::path& path, Write&& write) {
    const fs::path temporary = partial(path);
    try {
        write(temporary);
        sync_to_disk(temporary, O_RDONLY);
        std::error_code error;
        fs::rename(temporary, path, error);
        if (error) fail(path, "cannot be replaced", error.value());
        sync_to_disk(path.parent_path().empty() ? fs::path(".") : path.parent_path(), O_RDONLY | O_DIRECTORY);
    } catch (...) {
        std::error_code ignored;
        fs::remove(temporary, ignored);
        throw;
    }
}

const std::string& fact(const TensorFile& file, const char* key, const fs::path& path) {
    const auto found = file.metadata.find(key);
    if (found == file.metadata.end()) {
        throw InputError(path.string(), 0, fmt::format("metadata {} is missing: not a checkpoint", key));
    }
    return found->second;
}

template <class Number>
Number parse(const std::string& text, const char* key, const fs::path& path) {
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) {
        throw InputError(path.string(), 0, fmt::format("metadata {}: expected a number, found \"{}\"", key, text));
    }
    return value;
}

}  // namespace

void write_checkpoint(const fs::path& path, const Checkpoint& checkpoint) {
    TensorFile file;
    file.metadata["format"] = format_version;
    file.metadata["step"] = fmt::format("{}", checkpoint.step);
    file.metadata["seconds"] = fmt::format("{}", checkpoint.seconds);
    file.metadata["configuration"] = checkpoint.configuration;
    file.tensors = checkpoint.model;
    for (const auto& [name, tensor] : checkpoint.optimiser) file.tensors[optimiser_prefix + name] = tensor;
    file.metadata[checksum_key] = checksum(file);
    replace_durably(path, [&](const fs::path& temporary) { write_safetensors(temporary, file); });
}

Checkpoint read_checkpoint(const fs::path& path) {
    const TensorFile file = neuroprim::policy::read_safetensors(path);
    if (fact(file, "format", path) != format_version) {
        throw InputError(path.string(), 0,
                         fmt::format("format is \"{}\", expected {}", fact(file, "format", path), format_version));
    }
    if (fact(file, checksum_key, path) != checksum(file)) {
        throw InputError(path.string(), 0, "the checksum does not match: the file is damaged");
    }
    Checkpoint checkpoint;
    checkpoint.step = parse<std::int64_t>(fact(file, "step", path), "step", path);
    checkpoint.seconds = parse<double>(fact(file, "seconds", path), "seconds", path);
    checkpoint.configuration = fact(file, "configuration", path);
    const std::string prefix = optimiser_prefix;
    for (const auto& [name, tensor] : file.tensors) {
        if (name.starts_with(prefix)) {
            checkpoint.optimiser[name.substr(prefix.size())] = tensor;
        } else {
            checkpoint.model[name] = tensor;
        }
    }
    return checkpoint;
}

std::vector<fs::path> CheckpointFolder::list() const {
    std::vector<fs::path> result;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder_, error)) {
        const std::string name = entry.path().filename().string();
        if (name.starts_with(name_prefix) && name.ends_with(name_suffix)) result.push_back(entry.path());
    }
    std::sort(result.begin(), result.end(), [](const fs::path& a, const fs::path& b) {
        const std::string x = a.string();
        const std::string y = b.string();
        return x.size() != y.size() ? x.size() < y.size() : x < y;
    });
    return result;
}

void CheckpointFolder::save(const Checkpoint& checkpoint, std::int64_t keep) const {
    write_checkpoint(folder_ / fmt::format("{}{:09}{}", name_prefix, checkpoint.step, name_suffix), checkpoint);
    auto paths = list();
    const auto surplus = static_cast<std::int64_t>(paths.size()) - keep;
    for (std::int64_t k = 0; k < surplus; ++k) {
        std::error_code ignored;
        fs::remove(paths[static_cast<std::size_t>(k)], ignored);
    }
}

std::optional<Checkpoint> CheckpointFolder::latest(const std::function<void(const std::string&)>& complain) const {
    auto paths = list();
    if (paths.empty()) return std::nullopt;
    for (auto path = paths.rbegin(); path != paths.rend(); ++path) {
        try {
            return read_checkpoint(*path);
        } catch (const std::exception& error) {
            complain(error.what());
        }
    }
    throw InputError(folder_.string(), 0, "every checkpoint of this run is damaged");
}

void CheckpointFolder::sweep() const {
    std::error_code error;
    std::vector<fs::path> leftovers;
    for (const auto& entry : fs::directory_iterator(folder_, error)) {
        const std::string name = entry.path().filename().string();
        if (name.ends_with(partial_suffix) ||
            (name.find(partial_suffix) != std::string::npos && name.ends_with(".tmp"))) {
            leftovers.push_back(entry.path());
        }
    }
    for (const fs::path& path : leftovers) fs::remove(path, error);
}

void write_durably(const fs::path& path, const std::string& text) {
    replace_durably(path, [&](const fs::path& temporary) {
        std::ofstream out(temporary, std::ios::binary | std::ios::trunc);
        out << text;
        out.close();
        if (!out) fail(path, "cannot be written", errno);
    });
}

}  // namespace neuroprim::train
