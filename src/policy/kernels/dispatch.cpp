#include <fmt/format.h>

#include <cstdlib>
#include <string>

#include "neuroprim/error.hpp"
#include "policy/kernels/kernels.hpp"

namespace neuroprim::policy {

std::vector<const Kernels*> available_kernels() {
    std::vector<const Kernels*> result;
#ifdef NEUROPRIM_X86_KERNELS
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq")) {
        result.push_back(&avx512_kernels);
    }
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) result.push_back(&avx2_kernels);
#endif
    result.push_back(&portable_kernels);
    return result;
}

const Kernels& chosen_kernels() {
    const auto available = available_kernels();
    const char* wanted = std::getenv("NEUROPRIM_ISA");
    if (wanted == nullptr || *wanted == '\0') return *available.front();
    std::string names;
    for (const Kernels* kernels : available) {
        if (kernels->name == wanted) return *kernels;
        names += fmt::format("{}{}", names.empty() ? "" : ", ", kernels->name);
    }
    throw InputError(fmt::format("NEUROPRIM_ISA is \"{}\": this machine can run {}", wanted, names));
}

}  // namespace neuroprim::policy
