#pragma once

#include <cstddef>
#include <string>

namespace neuroprim::cli {

/// One line on standard error that says how far a list of inputs has got: `12/40 crd501`. Silent when standard
/// error is no terminal, when `quiet`, or when there is only one item.
class Progress {
public:
    Progress(std::size_t total, bool quiet);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void next(const std::string& item);

    /// Wipes the line, so that a message can be printed in its place.
    void clear() const;

private:
    std::size_t total_;
    std::size_t done_ = 0;
    bool visible_;
};

}  // namespace neuroprim::cli
