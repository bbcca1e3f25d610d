#include "policy/safetensors.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "neuroprim/error.hpp"
#include "policy/halves.hpp"

namespace neuroprim::policy {

namespace {

static_assert(std::endian::native == std::endian::little, "safetensors files are read as they lie in memory");

constexpr std::size_t longest_header = 100'000'000;  // the limit of the format's own library

constexpr const char* checksum_key = "checksum";

[[noreturn]] void fail(const std::string& source, const std::string& message) {
    throw InputError(source, 0, message);
}

/// A file mapped for reading, unmapped at the end of its life.
class Mapping {
public:
    explicit Mapping(const std::filesystem::path& path) {
        const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
        if (file < 0) fail(path.string(), fmt::format("cannot be opened: {}", std::strerror(errno)));
        struct stat status {};
        const bool regular = ::fstat(file, &status) == 0 && S_ISREG(status.st_mode);
        size_ = regular ? static_cast<std::size_t>(status.st_size) : 0;
        if (size_ > 0) data_ = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE | MAP_POPULATE, file, 0);
        ::close(file);
        if (!regular) fail(path.string(), "not a regular file");
        if (data_ == MAP_FAILED) fail(path.string(), fmt::format("cannot be mapped: {}", std::strerror(errno)));
    }
    ~Mapping() {
        if (size_ > 0 && data_ != MAP_FAILED) ::munmap(data_, size_);
    }
    Mapping(const Mapping&) = delete;
    Mapping& operator=(const Mapping&) = delete;

    [[nodiscard]] const std::byte* data() const { return static_cast<const std::byte*>(data_); }
    [[nodiscard]] std::size_t size() const { return size_; }

private:
    void* data_ = nullptr;
    std::size_t size_ = 0;
};

/// A number is finite unless its exponent has all bits set; one more in the last of them then carries into the place
/// of the sign. So a word of several numbers takes three operations, and nothing carries from one number to the next.
bool all_finite(const StoredTensor& tensor) {
    const std::uint64_t exponents = tensor.halved ? 0x7c007c007c007c00u : 0x7f8000007f800000u;
    const std::uint64_t ones = tensor.halved ? 0x0400040004000400u : 0x0080000000800000u;
    const std::uint64_t signs = tensor.halved ? 0x8000800080008000u : 0x8000000080000000u;
    const std::size_t size = tensor.count * (tensor.halved ? sizeof(std::uint16_t) : sizeof(float));
    std::uint64_t carried = 0;
    std::uint64_t word = 0;
    std::size_t k = 0;
    for (; k + sizeof word <= size; k += sizeof word) {
        std::memcpy(&word, tensor.data + k, sizeof word);
        carried |= (word & exponents) + ones;
    }
    if (k < size) {
        word = 0;
        std::memcpy(&word, tensor.data + k, size - k);
        carried |= (word & exponents) + ones;
    }
    return (carried & signs) == 0;
}

struct Span {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::string name;
};

std::uint64_t natural(const nlohmann::json& value, const std::string& source, const std::string& what) {
    if (!value.is_number_unsigned()) fail(source, fmt::format("{} is not a natural number", what));
    return value.get<std::uint64_t>();
}

StoredTensor locate_tensor(const nlohmann::json& entry, const Span& span, const std::byte* data,
                           const std::string& source) {
    const std::string& name = span.name;
    if (!entry.contains("dtype") || !entry["dtype"].is_string())
        fail(source, fmt::format("tensor {} has no dtype", name));
    const auto dtype = entry["dtype"].get<std::string>();
    if (dtype != "F32" && dtype != "F16") {
        fail(source, fmt::format("tensor {} has dtype {}, expected F32 or F16", name, dtype));
    }
    if (!entry.contains("shape") || !entry["shape"].is_array())
        fail(source, fmt::format("tensor {} has no shape", name));

    StoredTensor tensor;
    constexpr std::uint64_t most = 1ULL << 40;
    std::uint64_t count = 1;
    for (const auto& extent : entry["shape"]) {
        const std::uint64_t size = natural(extent, source, fmt::format("the shape of tensor {}", name));
        // The product could wrap around, the quotient cannot.
        if (size > (1ULL << 31) || (size > 0 && count > most / size)) {
            fail(source, fmt::format("tensor {} is too large", name));
        }
        tensor.shape.push_back(static_cast<std::int64_t>(size));
        count *= size;
    }
    const std::uint64_t width = dtype == "F32" ? 4 : 2;
    if (span.end - span.begin != count * width) {
        fail(source, fmt::format("tensor {} takes {} bytes, its shape and dtype need {}", name, span.end - span.begin,
                                 count * width));
    }

    tensor.halved = width == 2;
    tensor.data = data + span.begin;
    tensor.count = count;
    return tensor;
}

}  // namespace

std::vector<float> StoredTensor::values() const {
    std::vector<float> result(count);
    if (!halved && count > 0) std::memcpy(result.data(), data, count * sizeof(float));
    for (std::size_t k = 0; halved && k < count; ++k) {
        std::uint16_t half = 0;
        std::memcpy(&half, data + k * sizeof half, sizeof half);
        result[k] = from_half(half);
    }
    return result;
}

StoredTensors view_safetensors(const std::byte* data, std::size_t size, const std::string& source) {
    if (size < 8) fail(source, fmt::format("{} bytes long, too short for a safetensors file", size));
    std::uint64_t header_size = 0;
    std::memcpy(&header_size, data, 8);
    if (header_size > longest_header || header_size > size - 8) {
        fail(source, fmt::format("the header claims {} bytes, the file has {} after its length: damaged, cut off, or "
                                 "not a safetensors file",
                                 header_size, size - 8));
    }
    const auto* text = reinterpret_cast<const char*>(data + 8);
    const auto header = nlohmann::json::parse(text, text + header_size, nullptr, false);
    if (header.is_discarded() || !header.is_object()) fail(source, "the header is not a JSON object");

    StoredTensors result;
    const std::byte* numbers = data + 8 + header_size;
    const std::uint64_t available = size - 8 - header_size;
    result.numbers = {numbers, static_cast<std::size_t>(available)};
    std::vector<Span> spans;
    for (const auto& [name, entry] : header.items()) {
        if (name == "__metadata__") {
            if (!entry.is_object()) fail(source, "__metadata__ is not an object");
            for (const auto& [key, value] : entry.items()) {
                if (!value.is_string()) fail(source, fmt::format("metadata {} is not a string", key));
                (key == checksum_key ? result.checksum : result.metadata[key]) = value.get<std::string>();
            }
            continue;
        }
        const auto at = entry.is_object() ? entry.find("data_offsets") : entry.end();
        if (!entry.is_object() || at == entry.end() || !at->is_array() || at->size() != 2) {
            fail(source, fmt::format("tensor {} has no pair of data_offsets", name));
        }
        const std::string what = fmt::format("an offset of tensor {}", name);
        spans.push_back({natural((*at)[0], source, what), natural((*at)[1], source, what), name});
        if (spans.back().begin > spans.back().end || spans.back().end > available) {
            fail(source, fmt::format("tensor {} lies at bytes {} to {}, the file has {}: damaged or cut off", name,
                                     spans.back().begin, spans.back().end, available));
        }
    }
    std::sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) {
        return std::tie(a.begin, a.end, a.name) < std::tie(b.begin, b.end, b.name);
    });
    for (std::size_t k = 1; k < spans.size(); ++k) {
        if (spans[k].begin < spans[k - 1].end) {
            fail(source, fmt::format("tensors {} and {} overlap", spans[k - 1].name, spans[k].name));
        }
    }
    for (const Span& span : spans) {
        result.tensors[span.name] = locate_tensor(header[span.name], span, numbers, source);
    }
    return result;
}

StoredTensors map_safetensors(const std::filesystem::path& path) {
    const auto mapping = std::make_shared<const Mapping>(path);
    StoredTensors result = view_safetensors(mapping->data(), mapping->size(), path.string());
    result.owner = mapping;
    return result;
}

std::string checksum_of(std::span<const std::byte> bytes) {
    const uLong start = ::crc32_z(0, nullptr, 0);
    const uLong sum = ::crc32_z(start, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
    return fmt::format("crc32 {:08x} of {} bytes", sum, bytes.size());
}

void require_checksum(const StoredTensors& file, const std::string& source) {
    if (file.checksum.empty()) return;
    const std::string found = checksum_of(file.numbers);
    if (found == file.checksum) return;
    fail(source, fmt::format("its numbers are damaged: checksum {}, expected {}", found, file.checksum));
}

void require_finite(const StoredTensors& file, const std::string& source) {
    for (const auto& [name, tensor] : file.tensors) {
        if (all_finite(tensor)) continue;
        const std::vector<float> values = tensor.values();
        const auto bad = std::find_if(values.begin(), values.end(), [](float x) { return !std::isfinite(x); });
        fail(source, fmt::format("tensor {} holds {} at position {}", name, *bad, bad - values.begin()));
    }
}

std::map<std::string, Tensor> StoredTensors::copied() const {
    std::map<std::string, Tensor> result;
    for (const auto& [name, tensor] : tensors) result[name] = {tensor.shape, tensor.values()};
    return result;
}

namespace {

TensorFile checked(const StoredTensors& file, const std::string& source) {
    require_checksum(file, source);
    require_finite(file, source);
    return {file.metadata, file.copied()};
}

}  // namespace

TensorFile parse_safetensors(const std::byte* data, std::size_t size, const std::string& source) {
    return checked(view_safetensors(data, size, source), source);
}

TensorFile read_safetensors(const std::filesystem::path& path) {
    return checked(map_safetensors(path), path.string());
}

namespace {

StoredTensor view_of(const Tensor& tensor) {
    return {tensor.shape, false, reinterpret_cast<const std::byte*>(tensor.values.data()), tensor.values.size()};
}

}  // namespace

StoredTensors stored(std::map<std::string, Tensor> tensors) {
    const auto owner = std::make_shared<const std::map<std::string, Tensor>>(std::move(tensors));
    StoredTensors result;
    for (const auto& [name, tensor] : *owner) result.tensors[name] = view_of(tensor);
    result.owner = owner;
    return result;
}

namespace {

/// Small ones would save next to nothing.
bool is_large_matrix(const StoredTensor& tensor) {
    constexpr std::size_t many = 4096;
    return tensor.shape.size() == 2 && tensor.count >= many;
}

bool becomes_halved(const StoredTensor& tensor, Precision precision) {
    return precision == Precision::stored ? tensor.halved : precision == Precision::half && is_large_matrix(tensor);
}

/// The numbers as they stand in a file.
std::string bytes_of(const std::string& name, const StoredTensor& tensor, bool halved, const std::string& source) {
    if (halved == tensor.halved) {
        const std::size_t width = halved ? sizeof(std::uint16_t) : sizeof(float);
        return {reinterpret_cast<const char*>(tensor.data), tensor.count * width};
    }
    const std::vector<float> values = tensor.values();
    if (!halved) return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)};
    std::string result(values.size() * sizeof(std::uint16_t), '\0');
    for (std::size_t k = 0; k < values.size(); ++k) {
        const std::uint16_t half = to_half(values[k]);
        if (std::abs(from_half(half)) > largest_half) {
            fail(source,
                 fmt::format("tensor {} holds {} at position {}, too large for half precision", name, values[k], k));
        }
        std::memcpy(result.data() + k * sizeof half, &half, sizeof half);
    }
    return result;
}

}  // namespace

void write_safetensors(const std::filesystem::path& path, const TensorFile& file, Precision precision) {
    StoredTensors view;
    for (const auto& [name, tensor] : file.tensors) view.tensors[name] = view_of(tensor);
    write_safetensors(path, file.metadata, view, precision);
}

void write_safetensors(const std::filesystem::path& path, const std::map<std::string, std::string>& metadata,
                       const StoredTensors& tensors, Precision precision) {
    nlohmann::json header = nlohmann::json::object();
    std::string numbers;
    for (const auto& [name, tensor] : tensors.tensors) {
        const bool halved = becomes_halved(tensor, precision);
        const std::size_t begin = numbers.size();
        numbers += bytes_of(name, tensor, halved, path.string());
        header[name] = {
            {"dtype", halved ? "F16" : "F32"}, {"shape", tensor.shape}, {"data_offsets", {begin, numbers.size()}}};
    }
    header["__metadata__"] = metadata;
    header["__metadata__"][checksum_key] = checksum_of(std::as_bytes(std::span(numbers)));
    std::string text = header.dump();
    text.append((8 - text.size() % 8) % 8, ' ');  // so that the numbers are aligned in a mapping
    const std::uint64_t header_size = text.size();

    std::filesystem::path temporary = path;
    temporary += fmt::format(".{}.tmp", ::getpid());
    const auto give_up = [&](const char* what) {
        const int code = errno;
        std::error_code ignored;
        std::filesystem::remove(temporary, ignored);
        fail(path.string(), fmt::format("{}: {}", what, std::strerror(code)));
    };
    {
        std::ofstream out(temporary, std::ios::binary | std::ios::trunc);
        out.write(reinterpret_cast<const char*>(&header_size), 8);
        out.write(text.data(), static_cast<std::streamsize>(text.size()));
        out.write(numbers.data(), static_cast<std::streamsize>(numbers.size()));
        out.close();
        if (!out) give_up("cannot be written");
    }
    std::error_code error;
    std::filesystem::rename(temporary, path, error);
    if (error) {
        errno = error.value();
        give_up("cannot be replaced");
    }
}

}  // namespace neuroprim::policy
