#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace neuroprim::train {

/// Where this process stands among those that train together.
struct Place {
    int rank = 0;
    int size = 1;
    int local_rank = 0;  ///< among the processes of this machine: which GPU to take
    std::string address = "127.0.0.1";
    int port = 29500;
    bool store_runs = false;  ///< torchrun itself already listens there
};

using Environment = std::function<std::optional<std::string>(const std::string&)>;

/// Reads what torchrun, mpirun (Open MPI), MPICH's PMI or Slurm's srun put into the environment, in that order;
/// MASTER_ADDR and MASTER_PORT say where to meet. Throws InputError when they do not fit together.
[[nodiscard]] Place find_place(const Environment& environment);
[[nodiscard]] Place find_place();

/// The first name of a Slurm list: `node[07-09,12],other` gives `node07`.
[[nodiscard]] std::string first_host(const std::string& node_list);

/// The processes that train together, on torch's own c10d: NCCL for tensors on GPUs, Gloo on CPUs.
/// A group of one does nothing and needs neither.
class ProcessGroup {
public:
    /// Waits until all have come. Throws InputError when the back end was not built in or the others do not come.
    ProcessGroup(const Place& place, bool cuda);
    ~ProcessGroup();
    ProcessGroup(const ProcessGroup&) = delete;
    ProcessGroup& operator=(const ProcessGroup&) = delete;

    [[nodiscard]] int rank() const { return place_.rank; }
    [[nodiscard]] int size() const { return place_.size; }
    [[nodiscard]] bool writes() const { return place_.rank == 0; }

    /// Replaces `tensor` by its sum over all processes.
    void sum(at::Tensor& tensor) const;

    /// Replaces `tensor` by that of process 0.
    void broadcast(at::Tensor& tensor) const;

    /// The sum over all processes, through which gradients flow: the sum of all processes' gradients.
    [[nodiscard]] at::Tensor differentiable_sum(const at::Tensor& tensor) const;

private:
    struct Backend;

    Place place_;
    std::unique_ptr<Backend> backend_;
};

}  // namespace neuroprim::train
