#include "neuroprim/error.hpp"

#include <fmt/format.h>

namespace neuroprim {

namespace {

std::string located(const std::string& source, long line, const std::string& message) {
    return line > 0 ? fmt::format("{}:{}: {}", source, line, message) : fmt::format("{}: {}", source, message);
}

}  // namespace

InputError::InputError(const std::string& source, long line, const std::string& message)
    : std::runtime_error(located(source, line, message)) {}

}  // namespace neuroprim
