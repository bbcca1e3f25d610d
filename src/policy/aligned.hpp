#pragma once

#include <cstddef>
#include <memory>
#include <new>

namespace neuroprim::policy {

/// Floats that begin on a cache line and are not set before their first use, so that threads may touch them first.
class AlignedFloats {
public:
    AlignedFloats() = default;
    explicit AlignedFloats(std::size_t count)
        : data_(static_cast<float*>(::operator new(count * sizeof(float), alignment))), size_(count) {}

    [[nodiscard]] float* data() { return data_.get(); }
    [[nodiscard]] const float* data() const { return data_.get(); }
    [[nodiscard]] std::size_t size() const { return size_; }

private:
    static constexpr std::align_val_t alignment{64};
    struct Free {
        void operator()(float* data) const { ::operator delete(data, alignment); }
    };

    std::unique_ptr<float, Free> data_;
    std::size_t size_ = 0;
};

}  // namespace neuroprim::policy
