#include "serve/policies.hpp"

#include "neuroprim/models.hpp"

namespace neuroprim::serve {

std::shared_ptr<const Policy> Policies::find(std::string_view problem) {
    const std::lock_guard lock(mutex_);
    const auto known = loaded_.find(problem);
    if (known != loaded_.end()) return known->second;
    const auto file = find_model(problem);
    auto policy = file ? std::make_shared<const Policy>(Policy::load(*file)) : nullptr;
    loaded_.emplace(problem, policy);
    return policy;
}

}  // namespace neuroprim::serve
