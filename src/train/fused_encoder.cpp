#include "train/fused_encoder.hpp"

#include <ATen/ATen.h>

#ifdef NEUROPRIM_WITH_CUDA

#include <c10/cuda/CUDAGuard.h>
#include <torch/csrc/autograd/custom_function.h>

#include <cmath>
#include <vector>

#include "train/cuda/encoder_kernels.hpp"
#include "train/cuda/kernels.hpp"
#include "train/device_tensors.hpp"
#include "train/side_work.hpp"

namespace neuroprim::train::fused {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::Function;
using torch::autograd::variable_list;

struct LinearTensors {
    at::Tensor weight, bias;
};

/// A norm's parameters, or their gradients. The running statistics are those of a batch norm.
struct NormTensors {
    at::Tensor weight, bias;
    at::Tensor running_mean, running_var;
};

/// The parameters of a layer, or their gradients.
struct LayerTensors {
    LinearTensors query, key, value, output;
    NormTensors attention_norm;
    LinearTensors expand, contract;
    NormTensors output_norm;
    at::Tensor distance;

    /// All of them in a fixed order.
    template <class Visit>
    void visit(bool with_distance, Visit&& each) {
        for (LinearTensors* linear : {&query, &key, &value, &output, &expand, &contract}) {
            each(linear->weight);
            each(linear->bias);
        }
        for (NormTensors* norm : {&attention_norm, &output_norm}) {
            each(norm->weight);
            each(norm->bias);
        }
        if (with_distance) each(distance);
    }
};

/// What the backward pass needs of a norm's input.
struct NormRecord {
    at::Tensor x, mean, scale;

    template <class Visit>
    void visit(Visit&& each) {
        each(x);
        each(mean);
        each(scale);
    }
};

/// The same of a layer's.
struct LayerRecord {
    at::Tensor x, qkv, probabilities, context;
    NormRecord attention_norm;
    at::Tensor seen, inner;
    NormRecord output_norm;

    template <class Visit>
    void visit(Visit&& each) {
        for (at::Tensor* tensor : {&x, &qkv, &probabilities, &context, &seen, &inner}) each(*tensor);
        attention_norm.visit(each);
        output_norm.visit(each);
    }
};

/// Which parts an encoder has.
struct EncoderShape {
    std::size_t layers = 0;
    bool has_distances = false;
    bool has_batch_norms = false;  ///< then there is one at the end, too; otherwise there are layer norms
};

struct EncoderRecord {
    explicit EncoderRecord(const EncoderShape& of) : shape(of), layers(of.layers) {}

    EncoderShape shape;
    std::vector<LayerRecord> layers;
    NormRecord last;

    template <class Visit>
    void visit(Visit&& each) {
        for (LayerRecord& layer : layers) layer.visit(each);
        if (shape.has_batch_norms) last.visit(each);
    }
};

struct EncoderTensors {
    explicit EncoderTensors(const EncoderShape& of) : shape(of), layers(of.layers) {}

    EncoderShape shape;
    std::vector<LayerTensors> layers;
    NormTensors last;

    template <class Visit>
    void visit(Visit&& each) {
        for (LayerTensors& layer : layers) layer.visit(shape.has_distances, each);
        if (!shape.has_batch_norms) return;
        each(last.weight);
        each(last.bias);
    }
};

LinearTensors tensors_of(const torch::nn::Linear& linear) {
    return {linear->weight, linear->bias};
}

NormTensors tensors_of(const VertexNorm& norm) {
    return {norm->weight, norm->bias, norm->running_mean, norm->running_var};
}

EncoderTensors tensors_of(const PolicyParts& policy, bool with_distances) {
    EncoderTensors result({policy.encoder.size(), with_distances, !policy.encoder_norm.is_empty()});
    for (std::size_t l = 0; l < policy.encoder.size(); ++l) {
        const EncoderParts& layer = policy.encoder[l];
        const AttentionParts& attention = layer.attention;
        result.layers[l] = {
            tensors_of(attention.query),  tensors_of(attention.key),        tensors_of(attention.value),
            tensors_of(attention.output), tensors_of(layer.attention_norm), tensors_of(layer.expand),
            tensors_of(layer.contract),   tensors_of(layer.output_norm),    attention.distance};
    }
    if (result.shape.has_batch_norms) result.last = tensors_of(policy.encoder_norm);
    return result;
}

template <class Tensors>
variable_list listed(Tensors& tensors) {
    variable_list result;
    tensors.visit([&](at::Tensor& tensor) { result.push_back(tensor); });
    return result;
}

/// What is the same in all layers, and what has no gradients.
struct EncoderSetting {
    EncoderTensors tensors;
    int heads = 0;
    double sharpness = 1;
    at::Tensor lengths;  // (G, n, n), or undefined
};

/// The sizes of all calls, from the vertices (G, n, d_v).
struct Sizes {
    int graphs, n, d_v, rows;

    explicit Sizes(const at::Tensor& x)
        : graphs(static_cast<int>(x.size(0))),
          n(static_cast<int>(x.size(1))),
          d_v(static_cast<int>(x.size(2))),
          rows(graphs * n) {}
};

cuda::JointWeights joint(std::initializer_list<const LinearTensors*> layers) {
    cuda::JointWeights result;
    result.count = 0;
    for (const LinearTensors* layer : layers) {
        result.weight[result.count] = read(layer->weight);
        result.bias[result.count] = read(layer->bias);
        ++result.count;
    }
    return result;
}

/// y (G, n, outputs) of a linear layer.
at::Tensor linear_of(const at::Tensor& x, std::initializer_list<const LinearTensors*> layers,
                     const at::Tensor& residual = {}, bool relu = false) {
    const Sizes sizes(x);
    cuda::LinearForward call;
    call.rows = sizes.rows;
    call.inputs = sizes.d_v;
    call.weights = joint(layers);
    call.outputs = call.weights.count * static_cast<int>((*layers.begin())->weight.size(0));
    const auto y = at::empty({sizes.graphs, sizes.n, call.outputs}, x.options());
    call.x = read(x);
    if (residual.defined()) call.residual = read(residual);
    call.relu = relu;
    call.y = write(y);
    cuda::linear_forward(call, stream());
    return y;
}

/// The gradient of what a linear layer saw.
at::Tensor slope_through(const at::Tensor& d_y, std::initializer_list<const LinearTensors*> layers,
                         const at::Tensor& residual = {}, const at::Tensor& rectified = {}) {
    const Sizes sizes(d_y);
    cuda::LinearBackward call;
    call.rows = sizes.rows;
    call.inputs = static_cast<int>((*layers.begin())->weight.size(1));
    call.outputs = sizes.d_v;
    call.weights = joint(layers);
    const auto d_x = at::empty({sizes.graphs, sizes.n, call.inputs}, d_y.options());
    call.d_y = read(d_y);
    if (residual.defined()) call.residual = read(residual);
    if (rectified.defined()) call.rectified = read(rectified);
    call.d_x = write(d_x);
    cuda::linear_backward(call, stream());
    return d_x;
}

cuda::WideNorm norm_call(const NormTensors& norm, const NormRecord& record) {
    cuda::WideNorm call;
    call.width = static_cast<int>(record.x.size(-1));
    call.rows = static_cast<int>(record.x.numel() / call.width);
    call.epsilon = static_cast<float>(VertexNormImpl::epsilon);
    call.x = read(record.x);
    call.weight = read(norm.weight);
    call.mean = write(record.mean);
    call.scale = write(record.scale);
    return call;
}

at::Tensor normed(const NormTensors& norm, const at::Tensor& x, NormRecord& record) {
    const bool over_batch = norm.running_mean.defined();
    const std::int64_t width = x.size(-1);
    const std::int64_t statistics = over_batch ? width : x.numel() / width;
    record = {x, at::empty({statistics}, x.options()), at::empty({statistics}, x.options())};
    const auto y = at::empty_like(x);
    cuda::WideNorm call = norm_call(norm, record);
    call.bias = read(norm.bias);
    call.y = write(y);
    if (!over_batch) {
        cuda::row_norm_forward(call, stream());
        return y;
    }
    call.momentum = static_cast<float>(VertexNormImpl::momentum);
    call.running_mean = write(norm.running_mean);
    call.running_var = write(norm.running_var);
    cuda::column_norm_forward(call, stream());
    return y;
}

/// The gradient of what a norm saw; those of its parameters go to `slopes`.
at::Tensor slope_through(const NormTensors& norm, const NormRecord& record, bool over_batch, const at::Tensor& d_y,
                         NormTensors& slopes) {
    const auto d_x = at::empty_like(d_y);
    const std::int64_t width = d_y.size(-1);
    const auto sums = at::empty({2, width}, d_y.options());
    cuda::WideNorm call = norm_call(norm, record);
    call.d_y = read(d_y);
    call.d_x = write(d_x);
    call.d_weight_and_bias = write(sums);
    if (over_batch) {
        cuda::column_norm_backward(call, stream());
    } else {
        const auto parts = at::empty({cuda::row_norm_parts(call.rows), 2, width}, d_y.options());
        call.parts = write(parts);
        cuda::row_norm_backward(call, stream());
    }
    slopes.weight = sums.select(0, 0);
    slopes.bias = sums.select(0, 1);
    return d_x;
}

cuda::VertexAttention attention_call(const EncoderSetting& setting, const LayerTensors& layer, const Sizes& sizes) {
    cuda::VertexAttention call;
    call.graphs = sizes.graphs;
    call.n = sizes.n;
    call.d_v = sizes.d_v;
    call.heads = setting.heads;
    call.scale = static_cast<float>(setting.sharpness / std::sqrt(static_cast<double>(sizes.d_v / setting.heads)));
    if (setting.lengths.defined()) {
        call.lengths = read(setting.lengths);
        call.distance = read(layer.distance);
    }
    return call;
}

at::Tensor layer_forward(const EncoderSetting& setting, const LayerTensors& layer, const at::Tensor& x,
                         LayerRecord& record) {
    const Sizes sizes(x);
    record.x = x;
    record.qkv = linear_of(x, {&layer.query, &layer.key, &layer.value});
    record.probabilities = at::empty({sizes.graphs, setting.heads, sizes.n, sizes.n}, x.options());
    record.context = at::empty_like(x);
    cuda::VertexAttention attention = attention_call(setting, layer, sizes);
    attention.qkv = read(record.qkv);
    attention.probabilities = write(record.probabilities);
    attention.context = write(record.context);
    cuda::vertex_attention_forward(attention, stream());
    record.seen = normed(layer.attention_norm, linear_of(record.context, {&layer.output}, x), record.attention_norm);
    record.inner = linear_of(record.seen, {&layer.expand}, {}, true);
    return normed(layer.output_norm, linear_of(record.inner, {&layer.contract}, record.seen), record.output_norm);
}

/// The gradients of a layer on the way, which its weights' gradients are made of.
struct LayerSlopes {
    at::Tensor output_sum, inner, attention_sum, qkv;
};

cuda::WeightGradients::Layer weight_gradient(const at::Tensor& x, const at::Tensor& d_y, int part,
                                             const LinearTensors& layer, LinearTensors& slopes) {
    slopes = {at::empty_like(layer.weight), at::empty_like(layer.bias)};
    cuda::WeightGradients::Layer result;
    result.inputs = static_cast<int>(layer.weight.size(1));
    result.outputs = static_cast<int>(layer.weight.size(0));
    result.x = read(x);
    result.d_y = read(d_y) + static_cast<std::ptrdiff_t>(part) * result.outputs;
    result.d_y_stride = static_cast<int>(d_y.size(-1));
    result.d_weight = write(slopes.weight);
    result.d_bias = write(slopes.bias);
    return result;
}

void add_weight_gradients(const LayerTensors& layer, const LayerRecord& record, const LayerSlopes& on_the_way,
                          LayerTensors& slopes, SideWork& side) {
    cuda::WeightGradients call;
    call.rows = Sizes(record.x).rows;
    const auto add = [&](const at::Tensor& x, const at::Tensor& d_y, int part, const LinearTensors& linear,
                         LinearTensors& slope) {
        call.layers[call.count++] = weight_gradient(x, d_y, part, linear, slope);
    };
    add(record.x, on_the_way.qkv, 0, layer.query, slopes.query);
    add(record.x, on_the_way.qkv, 1, layer.key, slopes.key);
    add(record.x, on_the_way.qkv, 2, layer.value, slopes.value);
    add(record.context, on_the_way.attention_sum, 0, layer.output, slopes.output);
    add(record.seen, on_the_way.inner, 0, layer.expand, slopes.expand);
    add(record.inner, on_the_way.output_sum, 0, layer.contract, slopes.contract);
    side.run([&](cudaStream_t where) { cuda::weight_gradients(call, where); },
             {on_the_way.output_sum, on_the_way.inner, on_the_way.attention_sum, on_the_way.qkv});
}

at::Tensor layer_backward(const EncoderSetting& setting, const LayerTensors& layer, const LayerRecord& record,
                          const at::Tensor& d_y, LayerSlopes& on_the_way, LayerTensors& slopes) {
    const Sizes sizes(record.x);
    const bool over_batch = setting.tensors.shape.has_batch_norms;
    on_the_way.output_sum = slope_through(layer.output_norm, record.output_norm, over_batch, d_y, slopes.output_norm);
    on_the_way.inner = slope_through(on_the_way.output_sum, {&layer.contract}, {}, record.inner);
    const auto d_seen = slope_through(on_the_way.inner, {&layer.expand}, on_the_way.output_sum);
    on_the_way.attention_sum =
        slope_through(layer.attention_norm, record.attention_norm, over_batch, d_seen, slopes.attention_norm);
    const auto d_context = slope_through(on_the_way.attention_sum, {&layer.output});
    on_the_way.qkv = at::empty_like(record.qkv);
    cuda::VertexAttention attention = attention_call(setting, layer, sizes);
    attention.qkv = read(record.qkv);
    attention.probabilities = write(record.probabilities);
    attention.d_context = read(d_context);
    attention.d_qkv = write(on_the_way.qkv);
    at::Tensor d_distance;
    if (setting.lengths.defined()) {
        d_distance = at::empty({sizes.graphs, setting.heads}, d_y.options());
        attention.d_distance = write(d_distance);
    }
    cuda::vertex_attention_backward(attention, stream());
    if (d_distance.defined()) slopes.distance = d_distance.sum(0);
    return slope_through(on_the_way.qkv, {&layer.query, &layer.key, &layer.value}, on_the_way.attention_sum);
}

class EncoderFunction : public Function<EncoderFunction> {
public:
    /// `parameters` are those of the setting, for autograd to see them.
    static at::Tensor forward(AutogradContext* context, const EncoderSetting& setting, const at::Tensor& x,
                              const at::TensorList& parameters) {
        const c10::cuda::CUDAGuard guard(x.device());
        const EncoderTensors& tensors = setting.tensors;
        const EncoderShape& shape = tensors.shape;
        EncoderRecord record(shape);
        at::Tensor y = x;
        for (std::size_t l = 0; l < shape.layers; ++l) {
            y = layer_forward(setting, tensors.layers[l], y, record.layers[l]);
        }
        if (shape.has_batch_norms) y = normed(tensors.last, y, record.last);
        variable_list kept = parameters.vec();
        const variable_list recorded = listed(record);
        kept.insert(kept.end(), recorded.begin(), recorded.end());
        kept.push_back(setting.lengths);
        context->save_for_backward(kept);
        context->saved_data["layers"] = static_cast<std::int64_t>(shape.layers);
        context->saved_data["has_batch_norms"] = shape.has_batch_norms;
        context->saved_data["heads"] = static_cast<std::int64_t>(setting.heads);
        context->saved_data["sharpness"] = setting.sharpness;
        return y;
    }

    static variable_list backward(AutogradContext* context, const variable_list& gradients) {
        const variable_list kept = context->get_saved_variables();
        auto& saved = context->saved_data;
        const EncoderShape shape{static_cast<std::size_t>(saved["layers"].toInt()), kept.back().defined(),
                                 saved["has_batch_norms"].toBool()};
        EncoderSetting setting{EncoderTensors(shape), static_cast<int>(saved["heads"].toInt()),
                               saved["sharpness"].toDouble(), kept.back()};
        EncoderRecord record(shape);
        auto next = kept.begin();
        const auto take = [&](at::Tensor& tensor) { tensor = *next++; };
        setting.tensors.visit(take);
        record.visit(take);
        const c10::cuda::CUDAGuard guard(record.layers[0].x.device());

        EncoderTensors slopes(shape);
        at::Tensor d_y = gradients[0].contiguous();
        // Nobody waits for the gradients of weights: they are made beside the chain that leads to d_x.
        SideWork side;
        if (shape.has_batch_norms) d_y = slope_through(setting.tensors.last, record.last, true, d_y, slopes.last);
        for (std::size_t l = shape.layers; l-- > 0;) {
            const LayerTensors& layer = setting.tensors.layers[l];
            LayerSlopes on_the_way;
            d_y = layer_backward(setting, layer, record.layers[l], d_y, on_the_way, slopes.layers[l]);
            add_weight_gradients(layer, record.layers[l], on_the_way, slopes.layers[l], side);
        }
        side.join();
        variable_list result = {at::Tensor(), d_y};
        const variable_list of_parameters = listed(slopes);
        result.insert(result.end(), of_parameters.begin(), of_parameters.end());
        return result;
    }
};

bool is_multiple_of_32(std::int64_t width) {
    return width > 0 && width % 32 == 0;
}

}  // namespace

bool supports_encoder(PolicyParts& policy, const at::Tensor& x) {
    // With more vertices launches count less and products more. Where LibTorch's become faster is an estimate.
    constexpr std::int64_t most_vertices = 2048;
    const std::int64_t vertices = x.size(0) * x.size(1);
    if (!x.is_cuda() || x.scalar_type() != at::kFloat || vertices < 2 || vertices > most_vertices) return false;
    const PolicyConfig& config = policy.config;
    if (!is_multiple_of_32(config.d_v) || !is_multiple_of_32(config.d_f)) return false;
    if (policy.encoder.empty()) return false;
    if (!policy.encoder_norm.is_empty() && !policy.encoder_norm->is_training()) return false;
    return cuda::supports_vertex_attention(static_cast<int>(x.size(1)), config.d_v, config.heads);
}

at::Tensor encode_vertices(PolicyParts& policy, const at::Tensor& x, double sharpness, const at::Tensor& lengths) {
    const auto& config = policy.config;
    check_floats(policy.encoder[0].expand->weight, {config.d_f, config.d_v}, "weight");
    if (lengths.defined()) check_floats(lengths, {x.size(0), x.size(1), x.size(1)}, "lengths");
    EncoderSetting setting{tensors_of(policy, lengths.defined()), config.heads, sharpness, lengths};
    const variable_list parameters = listed(setting.tensors);
    return EncoderFunction::apply(setting, x.contiguous(), at::TensorList(parameters));
}

}  // namespace neuroprim::train::fused

#else

#include <stdexcept>

namespace neuroprim::train::fused {

bool supports_encoder(PolicyParts&, const at::Tensor&) {
    return false;
}

at::Tensor encode_vertices(PolicyParts&, const at::Tensor&, double, const at::Tensor&) {
    throw std::logic_error("this build has no CUDA kernels: ask fused::supports_encoder first");
}

}  // namespace neuroprim::train::fused

#endif
