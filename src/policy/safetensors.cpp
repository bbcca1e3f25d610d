#include "policy/safetensors.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <span>

#include "neuroprim/error.hpp"
#include "policy/aligned.hpp"

namespace neuroprim::policy {

namespace {

static_assert(std::endian::native == std::endian::little, "safetensors files are read as they lie in memory");

constexpr std::size_t longest_header = 100'000'000;  // the limit of the format's own library

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

float widen(std::uint16_t half) {
    const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000u) << 16;
    const std::uint32_t exponent = (half >> 10) & 31u;
    const std::uint32_t fraction = half & 1023u;
    if (exponent == 31) return std::bit_cast<float>(sign | 0x7f800000u | (fraction << 13));
    if (exponent == 0) return std::copysign(static_cast<float>(fraction) * 0x1.0p-24f, sign ? -1.0f : 1.0f);
    return std::bit_cast<float>(sign | ((exponent + 112) << 23) | (fraction << 13));
}

/// Sixteen at a time without a way out, so that compilers use vectors.
bool all_finite(std::span<const float> values) {
    constexpr std::uint32_t exponent = 0x7f800000u;
    constexpr std::size_t step = 16;
    std::uint32_t bad[step] = {};
    std::size_t k = 0;
    for (; k + step <= values.size(); k += step) {
        for (std::size_t j = 0; j < step; ++j) {
            const auto bits = std::bit_cast<std::uint32_t>(values[k + j]);
            bad[j] |= (bits & exponent) == exponent ? 1u : 0u;
        }
    }
    for (; k < values.size(); ++k) bad[0] |= std::isfinite(values[k]) ? 0u : 1u;
    return std::none_of(std::begin(bad), std::end(bad), [](std::uint32_t mark) { return mark != 0; });
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

Tensor read_tensor(const nlohmann::json& entry, const Span& span, const std::byte* data, const std::string& source) {
    const std::string& name = span.name;
    if (!entry.contains("dtype") || !entry["dtype"].is_string())
        fail(source, fmt::format("tensor {} has no dtype", name));
    const auto dtype = entry["dtype"].get<std::string>();
    if (dtype != "F32" && dtype != "F16") {
        fail(source, fmt::format("tensor {} has dtype {}, expected F32 or F16", name, dtype));
    }
    if (!entry.contains("shape") || !entry["shape"].is_array())
        fail(source, fmt::format("tensor {} has no shape", name));

    Tensor tensor;
    std::uint64_t count = 1;
    for (const auto& extent : entry["shape"]) {
        const std::uint64_t size = natural(extent, source, fmt::format("the shape of tensor {}", name));
        if (size > (1ULL << 31) || count * size > (1ULL << 40))
            fail(source, fmt::format("tensor {} is too large", name));
        tensor.shape.push_back(static_cast<std::int64_t>(size));
        count *= size;
    }
    const std::uint64_t width = dtype == "F32" ? 4 : 2;
    if (span.end - span.begin != count * width) {
        fail(source, fmt::format("tensor {} takes {} bytes, its shape and dtype need {}", name, span.end - span.begin,
                                 count * width));
    }

    tensor.values.reserve(count);
    bring_pages(tensor.values.data(), count * sizeof(float));
    const std::byte* from = data + span.begin;
    if (width == 4 && reinterpret_cast<std::uintptr_t>(from) % alignof(float) == 0) {
        const auto* floats = reinterpret_cast<const float*>(from);
        tensor.values.assign(floats, floats + count);
    } else if (width == 4) {
        tensor.values.resize(count);
        if (count > 0) std::memcpy(tensor.values.data(), from, count * width);
    } else {
        for (std::uint64_t k = 0; k < count; ++k) {
            std::uint16_t half = 0;
            std::memcpy(&half, from + 2 * k, 2);
            tensor.values.push_back(widen(half));
        }
    }
    if (all_finite(tensor.values)) return tensor;
    const auto bad =
        std::find_if(tensor.values.begin(), tensor.values.end(), [](float x) { return !std::isfinite(x); });
    fail(source, fmt::format("tensor {} holds {} at position {}", name, *bad, bad - tensor.values.begin()));
}

}  // namespace

TensorFile parse_safetensors(const std::byte* data, std::size_t size, const std::string& source) {
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

    TensorFile result;
    const std::byte* numbers = data + 8 + header_size;
    const std::uint64_t available = size - 8 - header_size;
    std::vector<Span> spans;
    for (const auto& [name, entry] : header.items()) {
        if (name == "__metadata__") {
            if (!entry.is_object()) fail(source, "__metadata__ is not an object");
            for (const auto& [key, value] : entry.items()) {
                if (!value.is_string()) fail(source, fmt::format("metadata {} is not a string", key));
                result.metadata[key] = value.get<std::string>();
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
        result.tensors[span.name] = read_tensor(header[span.name], span, numbers, source);
    }
    return result;
}

TensorFile read_safetensors(const std::filesystem::path& path) {
    const Mapping mapping(path);
    return parse_safetensors(mapping.data(), mapping.size(), path.string());
}

void write_safetensors(const std::filesystem::path& path, const TensorFile& file) {
    nlohmann::json header = nlohmann::json::object();
    header["__metadata__"] = file.metadata;
    std::uint64_t offset = 0;
    for (const auto& [name, tensor] : file.tensors) {
        const std::uint64_t end = offset + 4 * tensor.values.size();
        header[name] = {{"dtype", "F32"}, {"shape", tensor.shape}, {"data_offsets", {offset, end}}};
        offset = end;
    }
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
        for (const auto& [name, tensor] : file.tensors) {
            out.write(reinterpret_cast<const char*>(tensor.values.data()),
                      static_cast<std::streamsize>(4 * tensor.values.size()));
        }
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
