#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>

#include "serve/heap_trimmer.hpp"

namespace neuroprim::serve {

/// What large requests may take together: bytes of their bodies, and threads that parse. Small ones are never kept
/// waiting by it: a body of up to `small` bytes is not counted.
class Intake {
public:
    static constexpr std::size_t small = 65536;

    Intake(std::size_t most_bytes, int parsers) : free_bytes_(most_bytes), free_parsers_(parsers) {}

    /// The bytes that one request has taken. They stand for what is made of the body too, so a share is kept till the
    /// request's job is done and all it held is freed.
    class Share {
    public:
        explicit Share(Intake& intake) : intake_(intake) {}
        ~Share() { intake_.give_back(counted_); }
        Share(const Share&) = delete;
        Share& operator=(const Share&) = delete;

        /// The body is now so long. False when all bytes are taken by others.
        [[nodiscard]] bool grow_to(std::size_t bytes);
        [[nodiscard]] bool is_large() const { return counted_ > 0; }

    private:
        Intake& intake_;
        std::size_t counted_ = 0;
    };

    /// The right to parse a large body.
    class Turn {
    public:
        /// Waits for it, unless the body is small, till `given_up` says that nobody wants it any longer.
        Turn(Intake& intake, const Share& share, const std::function<bool()>& given_up);
        ~Turn() { end(); }
        Turn(const Turn&) = delete;
        Turn& operator=(const Turn&) = delete;

        [[nodiscard]] bool given_up() const { return given_up_; }
        void end();

    private:
        Intake& intake_;
        bool held_ = false;
        bool given_up_ = false;
    };

private:
    void give_back(std::size_t bytes);

    std::mutex mutex_;
    std::condition_variable changed_;
    std::size_t free_bytes_;
    int free_parsers_;
    HeapTrimmer trimmer_;
};

}  // namespace neuroprim::serve
