#pragma once

#include <functional>
#include <memory>

namespace neuroprim::train {

/// Work on a CUDA device that is the same each time but for the numbers in its tensors, recorded once as a CUDA graph
/// and then replayed: hundreds of small launches cost one.
///
/// The first few runs call the body as it is, which lets libraries set themselves up; the next one records it. So the
/// body must do all its device work on the current stream, read and write the same tensors each time, and never wait
/// for the device. What it must keep between runs lives outside of it. In builds without CUDA every run calls it.
class CapturedWork {
public:
    explicit CapturedWork(std::function<void()> body, int runs_before = 3);
    ~CapturedWork();
    CapturedWork(const CapturedWork&) = delete;
    CapturedWork& operator=(const CapturedWork&) = delete;

    void run();

private:
    struct Recording;

    std::function<void()> body_;
    int runs_before_;
    std::unique_ptr<Recording> recording_;
};

}  // namespace neuroprim::train
