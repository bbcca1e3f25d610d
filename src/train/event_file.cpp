#include "train/event_file.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <chrono>

namespace neuroprim::train {

namespace {

constexpr std::array<std::uint32_t, 256> make_table() {
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t k = 0; k < 256; ++k) {
        std::uint32_t value = k;
        for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ ((value & 1) != 0 ? 0x82f63b78U : 0U);
        table[k] = value;
    }
    return table;
}

constexpr auto table = make_table();

template <class Number>
std::string little_endian(Number number) {
    std::string bytes;
    for (std::size_t k = 0; k < sizeof(Number); ++k) bytes += static_cast<char>(number >> (8 * k) & 0xff);
    return bytes;
}

std::string varint(std::uint64_t number) {
    std::string bytes;
    for (; number >= 0x80; number >>= 7) bytes += static_cast<char>(number | 0x80);
    return bytes + static_cast<char>(number);
}

// Fields of protocol buffers: the key holds the field's number and how its content is written.
std::string fixed64_field(int field, double value) {
    return varint(static_cast<std::uint64_t>(field) << 3 | 1) + little_endian(std::bit_cast<std::uint64_t>(value));
}
std::string varint_field(int field, std::int64_t value) {
    return varint(static_cast<std::uint64_t>(field) << 3) + varint(static_cast<std::uint64_t>(value));
}
std::string bytes_field(int field, std::string_view content) {
    return varint(static_cast<std::uint64_t>(field) << 3 | 2) + varint(content.size()) + std::string(content);
}
std::string fixed32_field(int field, float value) {
    return varint(static_cast<std::uint64_t>(field) << 3 | 5) + little_endian(std::bit_cast<std::uint32_t>(value));
}

double wall_time() {
    return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

/// TensorBoard stores checksums rotated and shifted, so that a checksum of data with checksums stays useful.
std::string masked_checksum(std::string_view bytes) {
    return little_endian(std::rotr(crc32c(bytes), 15) + 0xa282ead8U);
}

}  // namespace

std::uint32_t crc32c(std::string_view bytes) {
    std::uint32_t value = ~0U;
    for (const char byte : bytes) value = table[(value ^ static_cast<unsigned char>(byte)) & 0xff] ^ (value >> 8);
    return ~value;
}

EventFile::EventFile(const std::filesystem::path& folder) {
    const double now = wall_time();
    out_.open(folder / fmt::format("events.out.tfevents.{}.neuroprim", static_cast<std::int64_t>(now)),
              std::ios::binary);
    append(fixed64_field(1, now) + bytes_field(3, "brain.Event:2"));
}

void EventFile::add(std::string_view name, std::int64_t step, double value) {
    const std::string scalar = bytes_field(1, name) + fixed32_field(2, static_cast<float>(value));
    append(fixed64_field(1, wall_time()) + varint_field(2, step) + bytes_field(5, bytes_field(1, scalar)));
}

void EventFile::append(const std::string& message) {
    const std::string length = little_endian(static_cast<std::uint64_t>(message.size()));
    out_ << length << masked_checksum(length) << message << masked_checksum(message) << std::flush;
}

}  // namespace neuroprim::train
