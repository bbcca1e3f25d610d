#ifdef NEUROPRIM_WITH_CUDA

#include "train/fused_steps.hpp"

#include <ATen/ATen.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/csrc/autograd/custom_function.h>

#include "train/device_tensors.hpp"

namespace neuroprim::train::fused {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::Function;
using torch::autograd::variable_list;

void check_table(const at::Tensor& table, const cuda::Sizes& sizes, const char* name) {
    check_floats(table, {sizes.graphs, sizes.n, sizes.n, sizes.d_e}, name);
}

void check_steps(const at::Tensor& steps, const cuda::Sizes& sizes, std::int64_t width, const char* name) {
    check_floats(steps, {sizes.trajectories(), sizes.steps(), width}, name);
}

void check_trajectories(const Trajectories& t, const cuda::Sizes& sizes) {
    const std::int64_t count = sizes.trajectories();
    const auto check = [&](const at::Tensor& tensor, at::IntArrayRef shape, at::ScalarType type, const char* name) {
        TORCH_CHECK(tensor.is_cuda() && tensor.scalar_type() == type && tensor.is_contiguous(), name,
                    ": expected contiguous whole numbers on a CUDA device");
        TORCH_CHECK(tensor.sizes() == shape, name, ": expected shape ", shape, ", found ", tensor.sizes());
    };
    check(t.start, {count}, at::kLong, "start");
    check(t.sources, {count, sizes.steps()}, at::kLong, "sources");
    check(t.targets, {count, sizes.steps()}, at::kLong, "targets");
    check(t.lengths, {count}, at::kInt, "lengths");
    check(t.enter, {count, sizes.n}, at::kInt, "enter");
    check(t.close, {count, sizes.n}, at::kInt, "close");
}

/// An autograd function takes no undefined tensor: no terms are a tensor without elements there.
at::Tensor input_of(const at::Tensor& terms, const at::Tensor& query) {
    return terms.defined() ? terms : at::empty({0}, query.options());
}

bool has_elements(const at::Tensor& x) {
    return x.defined() && x.numel() > 0;
}

void check_resources(const StepResources& resources, const cuda::Sizes& sizes) {
    const auto check = [](const at::Tensor& x, at::IntArrayRef shape, const char* name) {
        if (x.defined()) check_floats(x, shape, name);
    };
    check(resources.length_left, {sizes.trajectories(), sizes.steps(), sizes.n}, "length_left");
    check(resources.load_left, {sizes.trajectories(), sizes.steps(), sizes.n}, "load_left");
    check(resources.points, {sizes.graphs, sizes.n, 2}, "points");
    check(resources.weights, {sizes.graphs, sizes.n, sizes.n}, "weights");
    check(resources.demands, {sizes.graphs, sizes.n}, "demands");
    TORCH_CHECK(!resources.length_left.defined() || resources.points.defined() || resources.weights.defined(),
                "lengths are left, but neither points nor weights");
    TORCH_CHECK(!resources.load_left.defined() || resources.demands.defined(), "loads are left, but no demands");
    if (!resources.leave.defined()) return;
    TORCH_CHECK(resources.leave.is_cuda() && resources.leave.scalar_type() == at::kInt &&
                    resources.leave.is_contiguous() && resources.leave.numel() == sizes.trajectories() * sizes.n,
                "leave");
}

cuda::Times times_of(const Trajectories& t) {
    return {t.enter.data_ptr<std::int32_t>(), t.close.data_ptr<std::int32_t>(), t.lengths.data_ptr<std::int32_t>()};
}

/// What a backward pass needs of the trajectories; they are plain numbers, so the context may simply keep them.
struct Kept {
    Trajectories trajectories;
    cuda::Sizes sizes;
    StepResources resources = {};
    std::shared_ptr<SideWork> side = nullptr;
};

/// The resources that close pairs, by the names that a context keeps them under.
template <class Visit>
void for_each_resource(StepResources& resources, Visit&& visit) {
    visit("length_left", resources.length_left);
    visit("load_left", resources.load_left);
    visit("points", resources.points);
    visit("weights", resources.weights);
    visit("demands", resources.demands);
    visit("leave", resources.leave);
}

cuda::StepLimits limits_of(const StepResources& resources, const at::Tensor& terms) {
    const auto pointer = [](const at::Tensor& x) { return has_elements(x) ? read(x) : nullptr; };
    cuda::StepLimits limits;
    limits.terms = pointer(terms);
    limits.length_left = pointer(resources.length_left);
    limits.load_left = pointer(resources.load_left);
    limits.points = pointer(resources.points);
    limits.edge_weights = pointer(resources.weights);
    limits.demands = pointer(resources.demands);
    if (resources.leave.defined()) limits.leave = resources.leave.data_ptr<std::int32_t>();
    return limits;
}

void keep(AutogradContext* context, const Kept& kept) {
    const Trajectories& t = kept.trajectories;
    context->saved_data["start"] = t.start;
    context->saved_data["sources"] = t.sources;
    context->saved_data["targets"] = t.targets;
    context->saved_data["lengths"] = t.lengths;
    context->saved_data["enter"] = t.enter;
    context->saved_data["close"] = t.close;
    StepResources resources = kept.resources;
    for_each_resource(resources, [&](const char* name, const at::Tensor& x) {
        if (x.defined()) context->saved_data[name] = x;
    });
    const cuda::Sizes& s = kept.sizes;
    train::keep(context, kept.side);
    context->saved_data["sizes"] = std::vector<std::int64_t>{s.graphs, s.per_graph, s.n, s.d_e, s.heads};
}

Kept kept_in(AutogradContext* context) {
    Kept result;
    Trajectories& t = result.trajectories;
    t.start = context->saved_data["start"].toTensor();
    t.sources = context->saved_data["sources"].toTensor();
    t.targets = context->saved_data["targets"].toTensor();
    t.lengths = context->saved_data["lengths"].toTensor();
    t.enter = context->saved_data["enter"].toTensor();
    t.close = context->saved_data["close"].toTensor();
    const auto sizes = context->saved_data["sizes"].toIntVector();
    const auto size = [&](std::size_t k) { return static_cast<int>(sizes[k]); };
    result.sizes = {size(0), size(1), size(2), size(3), size(4)};
    result.side = side_work_in(context);
    for_each_resource(result.resources, [&](const char* name, at::Tensor& x) {
        if (const auto found = context->saved_data.find(name); found != context->saved_data.end()) {
            x = found->second.toTensor();
        }
    });
    return result;
}

/// All tensors that a backward pass reads.
std::vector<at::Tensor> used_by(const Kept& kept, std::vector<at::Tensor> others) {
    const Trajectories& t = kept.trajectories;
    others.insert(others.end(), {t.start, t.sources, t.targets, t.lengths, t.enter, t.close});
    StepResources resources = kept.resources;
    for_each_resource(resources, [&](const char*, const at::Tensor& x) { others.push_back(x); });
    return others;
}

class DecoderInputFunction : public Function<DecoderInputFunction> {
public:
    static at::Tensor forward(AutogradContext* context, const at::Tensor& graph, const at::Tensor& edges,
                              const Kept& kept, const Known& known) {
        context->save_for_backward({graph, edges});
        keep(context, kept);
        if (known.is_known()) return known.taken_over();
        const c10::cuda::CUDAGuard guard(edges.device());
        const auto input =
            at::empty({kept.sizes.trajectories(), kept.sizes.steps(), kept.sizes.d_e}, edges.options());
        cuda::DecoderInput call = call_of(kept, graph, edges);
        call.input = write(input);
        cuda::decoder_input_forward(call, stream());
        return input;
    }

    static variable_list backward(AutogradContext* context, const variable_list& gradients) {
        const Kept kept = kept_in(context);
        const auto saved = context->get_saved_variables();
        const auto& graph = saved[0];
        const auto& edges = saved[1];
        const c10::cuda::CUDAGuard guard(edges.device());
        const auto d_input = gradients[0].contiguous();
        const auto d_graph = at::empty_like(graph);
        const auto d_edges = at::empty_like(edges);
        cuda::DecoderInput call = call_of(kept, graph, edges);
        call.d_input = read(d_input);
        call.d_graph = write(d_graph);
        call.d_edges = write(d_edges);
        cuda::decoder_input_backward(call, stream());
        return {d_graph, d_edges, {}, {}};
    }

private:
    static cuda::DecoderInput call_of(const Kept& kept, const at::Tensor& graph, const at::Tensor& edges) {
        const Trajectories& t = kept.trajectories;
        cuda::DecoderInput call;
        call.sizes = kept.sizes;
        call.start = t.start.data_ptr<std::int64_t>();
        call.sources = t.sources.data_ptr<std::int64_t>();
        call.targets = t.targets.data_ptr<std::int64_t>();
        call.enter = t.enter.data_ptr<std::int32_t>();
        call.lengths = t.lengths.data_ptr<std::int32_t>();
        call.graph = read(graph);
        call.edges = read(edges);
        return call;
    }
};

class SelfAttentionFunction : public Function<SelfAttentionFunction> {
public:
    static at::Tensor forward(AutogradContext* context, const at::Tensor& qkv, const Kept& kept, const Known& known) {
        const c10::cuda::CUDAGuard guard(qkv.device());
        const cuda::Sizes& s = kept.sizes;
        at::Tensor result = known.is_known() ? known.taken_over() : at::Tensor();
        at::Tensor lse = known.kept;
        if (!known.is_known()) {
            result = at::empty({s.trajectories(), s.steps(), s.d_e}, qkv.options());
            lse = at::empty({s.trajectories(), s.steps(), s.heads}, qkv.options());
            cuda::self_attention_forward(call_of(kept, qkv, result, lse), stream());
        }
        context->save_for_backward({qkv, result});
        context->saved_data["lse"] = lse;
        keep(context, kept);
        return result;
    }

    static variable_list backward(AutogradContext* context, const variable_list& gradients) {
        const Kept kept = kept_in(context);
        const auto saved = context->get_saved_variables();
        const auto lse = context->saved_data["lse"].toTensor();
        const c10::cuda::CUDAGuard guard(saved[0].device());
        const auto d_context = gradients[0].contiguous();
        const auto delta = at::empty_like(lse);
        const auto d_qkv = at::empty_like(saved[0]);
        cuda::SelfAttention call = call_of(kept, saved[0], saved[1], lse);
        call.d_context = read(d_context);
        call.delta = write(delta);
        call.d_qkv = write(d_qkv);
        cuda::self_attention_backward(call, stream());
        return {d_qkv, {}, {}};
    }

private:
    static cuda::SelfAttention call_of(const Kept& kept, const at::Tensor& qkv, const at::Tensor& result,
                                       const at::Tensor& lse) {
        cuda::SelfAttention call;
        call.sizes = kept.sizes;
        call.lengths = kept.trajectories.lengths.data_ptr<std::int32_t>();
        call.qkv = read(qkv);
        call.context = write(result);
        call.lse = write(lse);
        return call;
    }
};

class EdgeAttentionFunction : public Function<EdgeAttentionFunction> {
public:
    static at::Tensor forward(AutogradContext* context, const at::Tensor& query, const at::Tensor& keys,
                              const at::Tensor& values, const at::Tensor& terms, const Kept& kept,
                              const Known& known) {
        const c10::cuda::CUDAGuard guard(query.device());
        const cuda::Sizes& s = kept.sizes;
        at::Tensor result = known.is_known() ? known.taken_over() : at::Tensor();
        at::Tensor lse = known.kept;
        if (!known.is_known()) {
            result = at::empty_like(query);
            lse = at::empty({s.trajectories(), s.steps(), s.heads}, query.options());
            cuda::edge_attention_forward(call_of(kept, query, keys, values, terms, result, lse), stream());
        }
        context->save_for_backward({query, keys, values, result, terms});
        context->saved_data["lse"] = lse;
        keep(context, kept);
        return result;
    }

    static variable_list backward(AutogradContext* context, const variable_list& gradients) {
        const Kept kept = kept_in(context);
        const auto saved = context->get_saved_variables();
        const auto lse = context->saved_data["lse"].toTensor();
        const c10::cuda::CUDAGuard guard(saved[0].device());
        const auto d_context = gradients[0].contiguous();
        const auto delta = at::empty_like(lse);
        const auto d_query = at::empty_like(saved[0]);
        const auto d_keys = at::empty_like(saved[1]);
        const auto d_values = at::empty_like(saved[2]);
        const auto d_terms = has_elements(saved[4]) ? at::zeros_like(saved[4]) : at::Tensor();
        cuda::EdgeAttention call = call_of(kept, saved[0], saved[1], saved[2], saved[4], saved[3], lse);
        call.d_terms = d_terms.defined() ? write(d_terms) : nullptr;
        call.d_context = read(d_context);
        call.delta = write(delta);
        call.d_query = write(d_query);
        call.d_keys = write(d_keys);
        call.d_values = write(d_values);
        cuda::edge_attention_queries(call, stream());
        run_beside(kept.side, [&](cudaStream_t where) { cuda::edge_attention_keys(call, where); },
                   used_by(kept, {saved[0], saved[1], saved[2], saved[3], saved[4], lse, delta, d_context}),
                   {d_keys, d_values});
        return {d_query, d_keys, d_values, d_terms, {}, {}};
    }

private:
    static cuda::EdgeAttention call_of(const Kept& kept, const at::Tensor& query, const at::Tensor& keys,
                                       const at::Tensor& values, const at::Tensor& terms, const at::Tensor& result,
                                       const at::Tensor& lse) {
        cuda::EdgeAttention call;
        call.limits = limits_of(kept.resources, terms);
        call.sizes = kept.sizes;
        call.times = times_of(kept.trajectories);
        call.query = read(query);
        call.keys = read(keys);
        call.values = read(values);
        call.context = write(result);
        call.lse = write(lse);
        return call;
    }
};

class ActionChoiceFunction : public Function<ActionChoiceFunction> {
public:
    static variable_list forward(AutogradContext* context, const at::Tensor& query, const at::Tensor& keys,
                                 const at::Tensor& terms, const Kept& kept, double clip, bool with_entropy,
                                 const Known& known) {
        const c10::cuda::CUDAGuard guard(query.device());
        const cuda::Sizes& s = kept.sizes;
        at::Tensor total = known.is_known() ? known.taken_over() : at::Tensor();
        at::Tensor lse = known.kept;
        at::Tensor entropy = at::empty({0}, query.options());
        if (!known.is_known()) {
            const auto log_p = at::empty({s.trajectories(), s.steps()}, query.options());
            const auto entropies = with_entropy ? at::empty_like(log_p) : at::Tensor();
            lse = at::empty_like(log_p);
            cuda::ActionChoice call = call_of(kept, query, keys, terms, lse, clip);
            call.log_probabilities = write(log_p);
            call.entropies = with_entropy ? write(entropies) : nullptr;
            cuda::action_choice_forward(call, stream());
            total = log_p.sum(1);
            if (with_entropy) entropy = entropies.sum(1);
        }
        context->save_for_backward({query, keys, terms});
        context->saved_data["lse"] = lse;
        context->saved_data["clip"] = clip;
        keep(context, kept);
        context->mark_non_differentiable({entropy});
        return {total, entropy};
    }

    static variable_list backward(AutogradContext* context, const variable_list& gradients) {
        const Kept kept = kept_in(context);
        const auto saved = context->get_saved_variables();
        const auto lse = context->saved_data["lse"].toTensor();
        const c10::cuda::CUDAGuard guard(saved[0].device());
        const auto d_total = gradients[0].contiguous();
        const auto d_query = at::empty_like(saved[0]);
        const auto d_keys = at::empty_like(saved[1]);
        const auto d_terms = has_elements(saved[2]) ? at::zeros_like(saved[2]) : at::Tensor();
        cuda::ActionChoice call =
            call_of(kept, saved[0], saved[1], saved[2], lse, context->saved_data["clip"].toDouble());
        call.d_terms = d_terms.defined() ? write(d_terms) : nullptr;
        call.d_log_probability = read(d_total);
        call.d_query = write(d_query);
        call.d_keys = write(d_keys);
        run_beside(kept.side, [&](cudaStream_t where) { cuda::action_choice_keys(call, where); },
                   used_by(kept, {saved[0], saved[1], saved[2], lse, d_total}), {d_keys});
        cuda::action_choice_queries(call, stream());
        return {d_query, d_keys, d_terms, {}, {}, {}, {}};
    }

private:
    static cuda::ActionChoice call_of(const Kept& kept, const at::Tensor& query, const at::Tensor& keys,
                                      const at::Tensor& terms, const at::Tensor& lse, double clip) {
        cuda::ActionChoice call;
        call.limits = limits_of(kept.resources, terms);
        call.sizes = kept.sizes;
        call.times = times_of(kept.trajectories);
        call.clip = static_cast<float>(clip);
        call.sources = kept.trajectories.sources.data_ptr<std::int64_t>();
        call.targets = kept.trajectories.targets.data_ptr<std::int64_t>();
        call.query = read(query);
        call.keys = read(keys);
        call.lse = write(lse);
        return call;
    }
};

}  // namespace

cuda::Sizes sizes_of(const at::Tensor& table, const Trajectories& trajectories, std::int64_t heads) {
    const std::int64_t graphs = table.size(0);
    TORCH_CHECK(graphs > 0 && trajectories.size() % graphs == 0, trajectories.size(), " trajectories on ", graphs,
                " graphs");
    TORCH_CHECK(graphs <= 65535, "at most 65535 graphs at once");
    return {static_cast<int>(graphs), static_cast<int>(trajectories.size() / graphs), static_cast<int>(table.size(1)),
            static_cast<int>(table.size(3)), static_cast<int>(heads)};
}

at::Tensor decoder_input(const at::Tensor& graph, const at::Tensor& edges, const Trajectories& trajectories,
                         const Known& known) {
    const cuda::Sizes sizes = sizes_of(edges, trajectories, 1);
    check_trajectories(trajectories, sizes);
    check_table(edges, sizes, "edges");
    check_floats(graph, {sizes.graphs, sizes.d_e}, "graph");
    return DecoderInputFunction::apply(graph, edges, Kept{trajectories, sizes}, known);
}

at::Tensor self_attention(const at::Tensor& query_key_value, const Trajectories& trajectories, std::int64_t heads,
                          const Known& known) {
    const cuda::Sizes sizes{1, static_cast<int>(trajectories.size()), static_cast<int>(trajectories.vertices()),
                            static_cast<int>(query_key_value.size(2) / 3), static_cast<int>(heads)};
    check_trajectories(trajectories, sizes);
    check_steps(query_key_value, sizes, 3 * sizes.d_e, "query_key_value");
    return SelfAttentionFunction::apply(query_key_value, Kept{trajectories, sizes}, known);
}

at::Tensor edge_attention(const at::Tensor& query, const at::Tensor& keys, const at::Tensor& values,
                          const at::Tensor& terms, const Trajectories& trajectories, std::int64_t heads,
                          const StepResources& resources, const std::shared_ptr<SideWork>& side, const Known& known) {
    const cuda::Sizes sizes = sizes_of(keys, trajectories, heads);
    check_trajectories(trajectories, sizes);
    check_steps(query, sizes, sizes.d_e, "query");
    check_table(keys, sizes, "keys");
    check_table(values, sizes, "values");
    check_resources(resources, sizes);
    if (terms.defined()) check_floats(terms, {sizes.trajectories(), sizes.steps(), sizes.n, sizes.heads}, "terms");
    return EdgeAttentionFunction::apply(query, keys, values, input_of(terms, query),
                                        Kept{trajectories, sizes, resources, side}, known);
}

ChoiceLikelihood action_choice(const at::Tensor& query, const at::Tensor& keys, const at::Tensor& terms,
                               const Trajectories& trajectories, std::int64_t heads, double clip, bool with_entropy,
                               const StepResources& resources, const std::shared_ptr<SideWork>& side,
                               const Known& known) {
    const cuda::Sizes sizes = sizes_of(keys, trajectories, heads);
    check_trajectories(trajectories, sizes);
    check_steps(query, sizes, sizes.d_e, "query");
    check_table(keys, sizes, "keys");
    check_resources(resources, sizes);
    if (terms.defined()) check_floats(terms, {sizes.trajectories(), sizes.steps(), sizes.n}, "terms");
    const auto results = ActionChoiceFunction::apply(
        query, keys, input_of(terms, query), Kept{trajectories, sizes, resources, side}, clip, with_entropy, known);
    return {results[0], with_entropy ? results[1] : at::Tensor()};
}

}  // namespace neuroprim::train::fused

#endif
