#include "serve/policies.hpp"

#include "neuroprim/models.hpp"

namespace neuroprim::serve {

std::shared_ptr<const Policy> Policies::find(const Problem& problem) {
    const auto file = find_model(problem);
    if (!file) return nullptr;
    const std::lock_guard lock(mutex_);
    auto& policy = loaded_[*file];
    if (!policy) policy = std::make_shared<const Policy>(Policy::load(*file));
    return policy;
}

}  // namespace neuroprim::serve
