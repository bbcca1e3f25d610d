#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>

#include "neuroprim/policy.hpp"
#include "neuroprim/problem.hpp"

namespace neuroprim::serve {

/// The pretrained policies, each loaded when it is first asked for and shared by all requests from then on.
class Policies {
public:
    /// Nothing when there is none for the problem.
    [[nodiscard]] std::shared_ptr<const Policy> find(const Problem& problem);

private:
    std::mutex mutex_;
    std::map<std::filesystem::path, std::shared_ptr<const Policy>> loaded_;  // by file
};

}  // namespace neuroprim::serve
