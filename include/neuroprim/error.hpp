#pragma once

#include <stdexcept>
#include <string>

namespace neuroprim {

/// What the user gave cannot be used: a malformed file, an option out of range. The command answers with exit code 2.
class InputError : public std::runtime_error {
public:
    explicit InputError(const std::string& message) : std::runtime_error(message) {}

    /// `crd300:7: expected a number, found "abc"`; line 0 leaves the line out.
    InputError(const std::string& source, long line, const std::string& message);
};

/// What the user gave is in order, for all that is known, but larger than may be taken.
class TooLarge : public InputError {
public:
    using InputError::InputError;
};

/// The input is fine but no feasible tree exists, or none was found. The command answers with exit code 1.
class Infeasible : public std::runtime_error {
public:
    explicit Infeasible(const std::string& message) : std::runtime_error(message) {}
};

/// The work was asked to stop, or its time was up, before it had anything to give back. Neither the input nor the
/// rules are to blame, so it is no InputError and not Infeasible. The command answers with exit code 1.
class Interrupted : public std::runtime_error {
public:
    explicit Interrupted(const std::string& message = "stopped before the first tree was complete")
        : std::runtime_error(message) {}
};

}  // namespace neuroprim
