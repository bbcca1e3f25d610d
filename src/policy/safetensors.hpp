#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

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

/// Maps the file and checks it before any number is used: header length, JSON, offsets inside the file and not
/// overlapping, F32 or F16 (widened), finite numbers. Throws InputError naming the file and the tensor.
[[nodiscard]] TensorFile read_safetensors(const std::filesystem::path& path);

/// The same from memory; `source` names it in errors.
[[nodiscard]] TensorFile parse_safetensors(const std::byte* data, std::size_t size, const std::string& source);

/// Writes F32, to a temporary file in the same folder that is then renamed to `path`.
void write_safetensors(const std::filesystem::path& path, const TensorFile& file);

}  // namespace neuroprim::policy
