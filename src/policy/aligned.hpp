#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

namespace neuroprim::policy {

/// Asks for all pages of a block at once: a policy has thousands, and a fault for each takes longer than reading it.
/// Only a hint; small blocks and systems that do not know it are left alone.
inline void bring_pages(void* data, std::size_t bytes) {
#ifdef MADV_POPULATE_WRITE
    constexpr std::size_t page = 4096;
    constexpr std::size_t few = 8 * page;
    if (bytes < few) return;
    const std::size_t skip = (page - reinterpret_cast<std::uintptr_t>(data) % page) % page;
    ::madvise(static_cast<std::byte*>(data) + skip, (bytes - skip) / page * page, MADV_POPULATE_WRITE);
#else
    static_cast<void>(data);
    static_cast<void>(bytes);
#endif
}

struct AlignedDelete {
    std::align_val_t alignment{};
    void operator()(float* data) const { ::operator delete(data, alignment); }
};

/// Floats that begin on a cache line and are not set before their first use, so that threads may touch them first.
/// Large ones ask for large pages: edges are visited all over a table. Middling ones get all their pages at once.
class AlignedFloats {
public:
    AlignedFloats() = default;
    explicit AlignedFloats(std::size_t count) : size_(count) {
        const bool is_large = count * sizeof(float) >= 2 * large_page;
        const std::size_t unit = is_large ? large_page : 1;  // whole large pages: a part of one would be small ones
        const std::size_t bytes = (count * sizeof(float) + unit - 1) / unit * unit;
        const std::align_val_t alignment{is_large ? large_page : cache_line};
        data_ = {static_cast<float*>(::operator new(bytes, alignment)), AlignedDelete{alignment}};
        if (!is_large) {
            bring_pages(data_.get(), bytes);
            return;
        }
#ifdef MADV_HUGEPAGE
        ::madvise(data_.get(), bytes, MADV_HUGEPAGE);
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
