// The check sum of weights files; the browser unpacks gzip itself.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

using uLong = unsigned long;
using Bytef = unsigned char;

inline uLong crc32_z(uLong sum, const Bytef* bytes, std::size_t size) {
    static const auto table = [] {
        std::array<std::uint32_t, 256> result{};
        for (std::uint32_t byte = 0; byte < 256; ++byte) {
            result[byte] = byte;
            for (int bit = 0; bit < 8; ++bit) {
                result[byte] = (result[byte] >> 1) ^ ((result[byte] & 1) != 0 ? 0xedb88320U : 0U);
            }
        }
        return result;
    }();
    if (bytes == nullptr) return 0;
    auto rest = static_cast<std::uint32_t>(~sum);
    for (std::size_t k = 0; k < size; ++k) rest = (rest >> 8) ^ table[(rest ^ bytes[k]) & 0xff];
    return static_cast<std::uint32_t>(~rest);
}
