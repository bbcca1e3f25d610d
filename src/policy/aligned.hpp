#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <memory>
#include <new>

namespace neuroprim::policy {

struct AlignedDelete {
    std::align_val_t alignment{};
    void operator()(float* data) const { ::operator delete(data, alignment); }
};

/// Floats that begin on a cache line and are not set before their first use, so that threads may touch them first.
/// Large ones ask for large pages: edges are visited all over a table.
class AlignedFloats {
public:
    AlignedFloats() = default;
    explicit AlignedFloats(std::size_t count) : size_(count) {
        const std::size_t bytes = count * sizeof(float);
        const std::align_val_t alignment{bytes >= 2 * large_page ? large_page : cache_line};
        data_ = {static_cast<float*>(::operator new(bytes, alignment)), AlignedDelete{alignment}};
#ifdef MADV_HUGEPAGE
        if (bytes >= 2 * large_page) ::madvise(data_.get(), bytes, MADV_HUGEPAGE);
#endif
    }

    [[nodiscard]] float* data() {
        return data_.get();
    }
    [[nodiscard]] const float* data() const {
        return data_.get();
    }
    [[nodiscard]] std::size_t size() const {
        return size_;
    }

private:
    static constexpr std::size_t cache_line = 64;
    static constexpr std::size_t large_page = std::size_t{1} << 21;
    std::unique_ptr<float, AlignedDelete> data_;
    std::size_t size_ = 0;
};

}  // namespace neuroprim::policy
