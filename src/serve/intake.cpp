#include "serve/intake.hpp"

#include <chrono>

namespace neuroprim::serve {

bool Intake::Share::grow_to(std::size_t bytes) {
    if (bytes <= small) return true;
    const std::lock_guard lock(intake_.mutex_);
    const std::size_t more = bytes - counted_;
    if (more > intake_.free_bytes_) return false;
    intake_.free_bytes_ -= more;
    counted_ = bytes;
    return true;
}

void Intake::give_back(std::size_t bytes) {
    {
        const std::lock_guard lock(mutex_);
        free_bytes_ += bytes;
    }
    trimmer_.note();  // a small request may have needed much memory too
}

Intake::Turn::Turn(Intake& intake, const Share& share, const std::function<bool()>& given_up) : intake_(intake) {
    if (!share.is_large()) return;
    constexpr auto between_looks = std::chrono::milliseconds(50);
    std::unique_lock lock(intake_.mutex_);
    for (;;) {
        // Asked at least once: a client that hung up while its body was read is not worth parsing for.
        lock.unlock();
        given_up_ = given_up();
        lock.lock();
        if (given_up_) return;
        held_ = intake_.changed_.wait_for(lock, between_looks, [this] { return intake_.free_parsers_ > 0; });
        if (held_) break;
    }
    --intake_.free_parsers_;
}

void Intake::Turn::end() {
    if (!held_) return;
    held_ = false;
    {
        const std::lock_guard lock(intake_.mutex_);
        ++intake_.free_parsers_;
    }
    intake_.changed_.notify_one();
}

}  // namespace neuroprim::serve
