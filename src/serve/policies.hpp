#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "neuroprim/policy.hpp"

namespace neuroprim::serve {

/// The pretrained policies, each loaded when it is first asked for and shared by all requests from then on.
class Policies {
public:
    /// Nothing when there is none for the problem.
    [[nodiscard]] std::shared_ptr<const Policy> find(std::string_view problem);

private:
    std::mutex mutex_;
    std::map<std::string, std::shared_ptr<const Policy>, std::less<>> loaded_;
};

}  // namespace neuroprim::serve
