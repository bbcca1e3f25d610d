#pragma once

#include <string>

#include "neuroprim/error.hpp"

namespace neuroprim::testing {

/// What the call complains about; empty: nothing.
template <class Call>
std::string complaint_of(Call&& call) {
    try {
        call();
        return {};
    } catch (const InputError& error) {
        return error.what();
    }
}

}  // namespace neuroprim::testing
