#pragma once

#include <stdexcept>

namespace neuroprim::formats {

/// Something that was printed did not arrive: the disk is full, or standard output is closed.
class StandardOutputError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// For the beginning of a program. Where standard input, output or error is closed, the next file that is opened
/// would take its number, and what is printed would go into that file. This puts something in its place that fails
/// instead.
void hold_standard_descriptors();

/// Throws StandardOutputError unless everything that was printed so far has been written.
void flush_standard_output();

}  // namespace neuroprim::formats
