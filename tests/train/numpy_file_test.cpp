#include "train/numpy_file.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <sstream>

#include "neuroprim/error.hpp"
#include "train_support.hpp"

namespace neuroprim::train {
namespace {

/// A NumPy file of version 1.0 as NumPy itself writes it.
std::string numpy_bytes(const std::string& type, const std::string& shape, const std::string& data) {
    std::string header = "{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + ", }";
    while ((10 + header.size() + 1) % 64 != 0) header += ' ';
    header += '\n';
    std::string start = "\x93NUMPY";
    start += '\1';
    start += '\0';
    start += static_cast<char>(header.size());
    start += '\0';
    return start + header + data;
}

template <class Number>
std::string bytes_of(const std::vector<Number>& numbers) {
    std::string bytes(numbers.size() * sizeof(Number), '\0');
    std::memcpy(bytes.data(), numbers.data(), bytes.size());
    return bytes;
}

void write(const std::filesystem::path& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
}

std::string complaint(const std::filesystem::path& path) {
    try {
        (void)read_numpy_points(path);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

TEST(NumpyFile, HoldsManyGraphsOfEitherPrecision) {
    const TemporaryFolder folder;
    write(folder / "double.npy",
          numpy_bytes("<f8", "(2, 3, 2)", bytes_of<double>({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11})));
    const auto graphs = read_numpy_points(folder / "double.npy");
    ASSERT_EQ(graphs.size(), 2U);
    EXPECT_EQ(graphs[1].name, "double-1");
    EXPECT_EQ(graphs[1].weights.points()[2].x, 10);
    EXPECT_EQ(graphs[0].weights.points()[1].y, 3);

    write(folder / "float.npy", numpy_bytes("<f4", "(2, 2)", bytes_of<float>({0.5F, 1, 2, 3})));
    const auto one = read_numpy_points(folder / "float.npy");
    ASSERT_EQ(one.size(), 1U);
    EXPECT_EQ(one[0].weights.points()[0].x, 0.5);
}

TEST(NumpyFile, IsRefusedByWhatIsWrongWithIt) {
    const TemporaryFolder folder;
    const auto path = folder / "a.npy";
    EXPECT_NE(complaint(folder / "absent.npy").find("cannot be read"), std::string::npos);
    write(path, "hello");
    EXPECT_NE(complaint(path).find("is no NumPy file"), std::string::npos);
    write(path, numpy_bytes("<i8", "(2, 2)", std::string(32, '\0')));
    EXPECT_NE(complaint(path).find("float32 or float64"), std::string::npos);
    write(path, numpy_bytes("<f8", "(2, 3)", std::string(48, '\0')));
    EXPECT_NE(complaint(path).find("shape (graphs, n, 2)"), std::string::npos);
    write(path, numpy_bytes("<f8", "(2, 2, 2)", std::string(40, '\0')));
    EXPECT_NE(complaint(path).find("ends in graph 1 of 2"), std::string::npos);
    write(path, numpy_bytes("<f8", "(0, 2, 2)", ""));
    EXPECT_NE(complaint(path).find("no points"), std::string::npos);
}

TEST(NumpyFile, IsWrittenAsNumpyReadsIt) {
    const TemporaryFolder folder;
    const std::int64_t shape[] = {1, 2, 2};
    const std::int32_t numbers[] = {0, 1, -1, -1};
    write_numpy(folder / "trees.npy", shape, numbers);
    std::ifstream file(folder / "trees.npy", std::ios::binary);
    std::stringstream content;
    content << file.rdbuf();
    const std::string expected =
        numpy_bytes("<i4", "(1, 2, 2,)", std::string(bytes_of<std::int32_t>({0, 1, -1, -1})));
    EXPECT_EQ(content.str(), expected);
}

}  // namespace
}  // namespace neuroprim::train
