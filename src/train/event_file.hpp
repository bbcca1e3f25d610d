#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace neuroprim::train {

/// A TensorBoard event file: records of length, checksum, protocol-buffer message, checksum. Scalars only.
class EventFile {
public:
    /// Makes `events.out.tfevents.TIME.neuroprim` in the folder.
    explicit EventFile(const std::filesystem::path& folder);

    void add(std::string_view name, std::int64_t step, double value);

private:
    void append(const std::string& message);

    std::ofstream out_;
};

/// CRC-32C (Castagnoli), as TensorBoard's records use it.
[[nodiscard]] std::uint32_t crc32c(std::string_view bytes);

}  // namespace neuroprim::train
