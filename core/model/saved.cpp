// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/saved.h"

namespace shardlens::model {
namespace {

/// Per-operator selective checkpointing (torchtitan): the block input, attention's result and statistics, and
/// every second matmul in call order wq, wk, wv, wo, w1, w3, w2, which keeps wq, wv, w1 and w2.
template <class N> N per_operator_bytes(const Setup& setup, const Layer<N>& layer) {
    const auto d = dimensions<N>(setup);
    const N e = d.element;
    const N unit = d.unit * e;
    N bytes = unit + d.tokens * d.heads * (d.qk_size + d.v_size) * e + 4.0 * d.tokens * d.heads;
    bytes += d.tokens * d.kv_heads * d.v_size * e;
    if (layer.has_experts) {
        // Grouped GEMMs and the exchange are kept whole; only norms, rotary and activations are repeated.
        for (const auto& tensor : layer.saved)
            if (tensor.module & kRecomputeMoe && !(tensor.module & kRecomputeMoeAct)) bytes += tensor.bytes;
    } else {
        bytes += d.tokens * d.ffn * e;
    }
    // Outputs of wo and w2: reduce-scattered with sequence parallelism, the whole residual width otherwise.
    // No gradient needs that of w2, which only enters the residual sum: a compiled backward drops it.
    return bytes + (setup.stack.compiled ? 1.0 : 2.0) * unit;
}

} // namespace

template <class N> N saved_bytes(const Layer<N>& layer) {
    N sum = 0.0;
    for (const auto& tensor : layer.saved) sum += tensor.bytes;
    return named(sum, {"layer_activation_bytes", "B",
                       "saved tensors of the layer's operators (arXiv 2205.05198 section 4)", Tag::modelled});
}

template <class N> N kept_bytes(const Setup& setup, const Layer<N>& layer, bool recomputed) {
    const Recompute mode = recomputed ? setup.plan.memory.recompute : Recompute::none;
    if (mode == Recompute::none) return saved_bytes(layer);
    if (mode == Recompute::full) {
        const auto d = dimensions<N>(setup);
        const N factor = input<N>(setup.stack.checkpoint_factor,
                                  {"checkpoint_factor", "1", "stack profile", Tag::measured});
        return named(
            d.unit * d.element * factor,
            {"layer_input_bytes", "B", "checkpoint: 2 · s · b · h of the layer's input", Tag::modelled});
    }
    if (setup.recompute_modules == 0 && setup.stack.saved == SavedStyle::torchtitan)
        return named(per_operator_bytes(setup, layer), {"layer_kept_bytes", "B",
                                                        "torchtitan, per-operator selective "
                                                        "activation checkpointing",
                                                        Tag::modelled});
    N sum = 0.0;
    for (const auto& tensor : layer.saved)
        if (!(tensor.module & setup.recompute_modules)) sum += tensor.bytes;
    return named(
        sum, {"layer_kept_bytes", "B", "saved tensors that no recomputed module makes again", Tag::modelled});
}

template double saved_bytes<double>(const Layer<double>&);
template Traced saved_bytes<Traced>(const Layer<Traced>&);
template double kept_bytes<double>(const Setup&, const Layer<double>&, bool);
template Traced kept_bytes<Traced>(const Setup&, const Layer<Traced>&, bool);

} // namespace shardlens::model
