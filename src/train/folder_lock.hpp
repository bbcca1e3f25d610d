#pragma once

#include <filesystem>

namespace neuroprim::train {

/// Keeps a second process from writing into the folder of a run. It ends with the process, even with a killed one,
/// and leaves no file behind. Where a file system knows no locks, nothing is kept.
class FolderLock {
public:
    /// Throws InputError when another process holds it.
    explicit FolderLock(const std::filesystem::path& folder);
    ~FolderLock();
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;

private:
    int descriptor_;
};

}  // namespace neuroprim::train
