#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace neuroprim {

/// A table whose rows are padded to a multiple of eight numbers, so that loops over them become vector code.
class PaddedTable {
public:
    PaddedTable(std::size_t rows, std::size_t columns, double value)
        : rows_(rows), stride_((columns + 7) / 8 * 8), numbers_(rows * stride_, value) {}

    [[nodiscard]] std::size_t rows() const { return rows_; }
    [[nodiscard]] std::size_t stride() const { return stride_; }
    [[nodiscard]] double* operator[](std::size_t row) { return numbers_.data() + row * stride_; }
    [[nodiscard]] const double* operator[](std::size_t row) const { return numbers_.data() + row * stride_; }

    [[nodiscard]] std::span<double> numbers() { return numbers_; }  ///< all rows, padding included
    [[nodiscard]] std::span<const double> numbers() const { return numbers_; }

private:
    std::size_t rows_;
    std::size_t stride_;
    std::vector<double> numbers_;
};

}  // namespace neuroprim
