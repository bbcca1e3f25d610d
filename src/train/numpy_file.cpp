#include "train/numpy_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>
#include <cstring>
#include <fstream>
#include <regex>

#include "formats/write/output_file.hpp"
#include "neuroprim/error.hpp"

namespace neuroprim::train {

namespace {

static_assert(std::endian::native == std::endian::little, "NumPy files are read and written as they lie in memory");

constexpr std::string_view magic = "\x93NUMPY";

struct Header {
    std::int64_t graphs = 1;
    std::int64_t n = 0;
    std::size_t bytes_per_number = 0;
};

Header parse_header(const std::string& text, const std::string& source) {
    const auto fail = [&](const std::string& message) -> InputError { return {source, 0, message}; };
    std::smatch found;
    if (!std::regex_search(text, found, std::regex("'descr': *'<f([48])'"))) {
        throw fail("expected numbers of float32 or float64, little-endian");
    }
    Header header;
    header.bytes_per_number = static_cast<std::size_t>(std::stoi(found[1]));
    if (text.find("'fortran_order': False") == std::string::npos) throw fail("expected an array in C order");
    if (!std::regex_search(text, found, std::regex(R"('shape': *\((?:(\d{1,10}), *)?(\d{1,10}), *2,?\))"))) {
        throw fail("expected points of shape (graphs, n, 2) or (n, 2)");
    }
    if (found[1].matched) header.graphs = std::stoll(found[1]);
    header.n = std::stoll(found[2]);
    if (header.graphs < 1 || header.n < 1) throw fail("there are no points in it");
    return header;
}

}  // namespace

std::vector<Instance> read_numpy_points(const std::filesystem::path& path) {
    const std::string source = path.string();
    std::ifstream file(path, std::ios::binary);
    if (!file) throw InputError(source, 0, "cannot be read");
    char start[8] = {};
    file.read(start, sizeof start);
    if (!file || std::string_view(start, magic.size()) != magic) throw InputError(source, 0, "is no NumPy file");
    std::uint32_t length = 0;
    file.read(reinterpret_cast<char*>(&length), start[6] == 1 ? 2 : 4);
    constexpr std::uint32_t longest = 1 << 16;
    if (!file || length > longest) throw InputError(source, 0, "the header of this NumPy file is not understood");
    std::string text(length, ' ');
    file.read(text.data(), length);
    const Header header = parse_header(text, source);
    const std::size_t row = static_cast<std::size_t>(header.n) * 2 * header.bytes_per_number;
    std::vector<char> bytes(row);
    std::vector<Instance> instances;
    for (std::int64_t g = 0; g < header.graphs; ++g) {
        if (!file.read(bytes.data(), static_cast<std::streamsize>(row))) {
            throw InputError(source, 0, fmt::format("ends in graph {} of {}", g, header.graphs));
        }
        const auto number = [&](std::size_t k) -> double {
            if (header.bytes_per_number == sizeof(double)) {
                double value = 0;
                std::memcpy(&value, bytes.data() + k * sizeof value, sizeof value);
                return value;
            }
            float value = 0;
            std::memcpy(&value, bytes.data() + k * sizeof value, sizeof value);
            return static_cast<double>(value);
        };
        std::vector<Point> points;
        points.reserve(static_cast<std::size_t>(header.n));
        for (std::size_t v = 0; v < static_cast<std::size_t>(header.n); ++v) {
            points.push_back({number(2 * v), number(2 * v + 1)});
        }
        Instance instance;
        instance.name = fmt::format("{}-{}", path.stem().string(), g);
        instance.weights = Weights::from_points(std::move(points));
        instances.push_back(std::move(instance));
    }
    return instances;
}

void write_numpy(const std::filesystem::path& path, std::span<const std::int64_t> shape,
                 std::span<const std::int32_t> numbers) {
    std::string header =
        fmt::format("{{'descr': '<i4', 'fortran_order': False, 'shape': ({},), }}", fmt::join(shape, ", "));
    constexpr std::size_t before = 10;  // magic, version, length
    constexpr std::size_t alignment = 64;
    while ((before + header.size() + 1) % alignment != 0) header += ' ';
    header += '\n';
    formats::OutputFile file(path.string());
    std::string start(magic);
    start += '\1';
    start += '\0';
    start += static_cast<char>(header.size() & 0xFF);
    start += static_cast<char>(header.size() >> 8);
    file.write(start + header);
    file.write({reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()});
    file.commit();
}

}  // namespace neuroprim::train
