#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "neuroprim/policy.hpp"

namespace neuroprim::policy {

/// A named array of 32-bit floats, row by row.
struct Tensor {
    std::vector<std::int64_t> shape;
    std::vector<float> values;

    friend bool operator==(const Tensor&, const Tensor&) = default;
};

/// The content of a safetensors file: eight bytes of header length, a JSON header, then the numbers.
struct TensorFile {
    std::map<std::string, std::string> metadata;
    std::map<std::string, Tensor> tensors;
};

/// A tensor as it lies in a file or in memory, owned by somebody else and perhaps not aligned.
struct StoredTensor {
    std::vector<std::int64_t> shape;
    bool halved = false;              // 16-bit floats
    const std::byte* data = nullptr;  // (count)
    std::size_t count = 0;

    /// As floats, one by one.
    [[nodiscard]] std::vector<float> values() const;
};

/// The same content before any number was touched: so a policy is packed straight from its file.
struct StoredTensors {
    std::map<std::string, std::string> metadata;
    std::map<std::string, StoredTensor> tensors;
    std::string checksum;                // as the file states it; empty: it does not
    std::span<const std::byte> numbers;  // what the checksum is of: all bytes of the file after its header
    std::shared_ptr<const void> owner;   // keeps the numbers where they are

    [[nodiscard]] std::map<std::string, Tensor> copied() const;  // as floats
};

/// Maps the file and checks its header before any number is used: length, JSON, offsets inside the file and not
/// overlapping, F32 or F16. Throws InputError naming the file and the tensor.
[[nodiscard]] StoredTensors map_safetensors(const std::filesystem::path& path);

/// The same from memory, which must stay; `source` names it in errors.
[[nodiscard]] StoredTensors view_safetensors(const std::byte* data, std::size_t size, const std::string& source);

/// A checksum against accidents (a copy cut short, a disk's or memory's flipped bit), not against attackers: CRC-32
/// and how many bytes there are. A gigabyte takes a quarter of a second.
[[nodiscard]] std::string checksum_of(std::span<const std::byte> bytes);

/// Throws InputError when the file states a checksum that its numbers do not have.
void require_checksum(const StoredTensors& file, const std::string& source);

/// Throws InputError naming the tensor and the place of a number that is not finite.
void require_finite(const StoredTensors& file, const std::string& source);

/// Maps, checks (checksum and finite numbers too), and copies everything as floats.
[[nodiscard]] TensorFile read_safetensors(const std::filesystem::path& path);

/// The same from memory; `source` names it in errors.
[[nodiscard]] TensorFile parse_safetensors(const std::byte* data, std::size_t size, const std::string& source);

/// These tensors as they would lie in a file.
[[nodiscard]] StoredTensors stored(std::map<std::string, Tensor> tensors);

/// Writes to a temporary file in the same folder that is then renamed to `path`; a checksum goes into its metadata.
/// With half precision the large matrices are F16, everything else is F32; throws InputError where a number is too
/// large for 16 bits.
void write_safetensors(const std::filesystem::path& path, const std::map<std::string, std::string>& metadata,
                       const StoredTensors& tensors, Precision precision);
void write_safetensors(const std::filesystem::path& path, const TensorFile& file, Precision = Precision::full);

}  // namespace neuroprim::policy
