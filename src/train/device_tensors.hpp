#pragma once

#include <ATen/ATen.h>
#include <c10/cuda/CUDAStream.h>

/// Tensors as the kernels of train/cuda want them.
namespace neuroprim::train::fused {

/// Where LibTorch works at the moment.
inline cudaStream_t stream() {
    return c10::cuda::getCurrentCUDAStream();
}

inline bool is_kernel_ready(const at::Tensor& tensor) {
    return tensor.is_cuda() && tensor.scalar_type() == at::kFloat && tensor.is_contiguous();
}

inline float* write(const at::Tensor& tensor) {
    TORCH_CHECK(is_kernel_ready(tensor), "expected contiguous 32-bit floats on a CUDA device");
    return tensor.data_ptr<float>();
}

inline const float* read(const at::Tensor& tensor) {
    return write(tensor);
}

/// Kernels take plain pointers: what stands behind them is checked before.
inline void check_floats(const at::Tensor& tensor, at::IntArrayRef shape, const char* name) {
    TORCH_CHECK(is_kernel_ready(tensor), name, ": expected contiguous 32-bit floats on a CUDA device");
    TORCH_CHECK(tensor.sizes() == shape, name, ": expected shape ", shape, ", found ", tensor.sizes());
}

}  // namespace neuroprim::train::fused
