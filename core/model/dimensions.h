// SPDX-License-Identifier: GPL-3.0-or-later
// Sizes on one rank that every operator formula uses, named once for explanations.
#pragma once

#include "catalog/setup.h"
#include "formula/traced.h"

namespace shardlens::model {

template <class N> struct Dimensions {
    N tokens;      ///< of a micro-batch on a rank: s · b / c
    N sequence;    ///< s
    N micro_batch; ///< b
    N hidden;      ///< h
    N tensor;      ///< t
    N context;     ///< c
    N sharding;    ///< t with sequence parallelism, else 1: divisor of the norm and residual region
    N element;     ///< bytes of a working value: 2, or 4 in fp32
    N heads;       ///< query heads on a rank: a / t
    N kv_heads;    ///< key heads on a rank: max(k, t) / t
    N qk_size;     ///< head size of queries and keys
    N v_size;      ///< head size of values
    N ffn;         ///< FFN columns on a rank: f / t
    N vocabulary;  ///< vocabulary rows on a rank, padded
    N unit;        ///< tokens · hidden / sharding: elements of a residual-stream tensor
};

template <class N> [[nodiscard]] Dimensions<N> dimensions(const Setup& setup) {
    const auto count = [](std::int64_t value, const char* name, const char* source) {
        return input<N>(static_cast<double>(value), {name, "1", source, Tag::exact});
    };
    const ModelShape& shape = setup.shape;
    const Training& training = setup.plan.training;
    Dimensions<N> d{};
    d.sequence = count(training.sequence_length, "sequence_length", "plan");
    d.micro_batch = count(training.micro_batch_size, "micro_batch_size", "plan");
    d.hidden = count(shape.hidden, "hidden", "model");
    d.tensor = count(setup.tensor, "tensor", "plan");
    d.context = count(setup.context, "context", "plan");
    d.sharding = setup.sequence ? d.tensor : N(1.0);
    d.element = input<N>(training.precision == Precision::fp32 ? 4 : 2,
                         {"bytes_per_value", "B", "precision of the plan", Tag::exact});
    d.tokens =
        named(d.sequence * d.micro_batch / d.context, {"tokens_per_rank", "1", "s · b / c", Tag::exact});
    d.heads = count(shape.heads, "heads", "model") / d.tensor;
    const bool mla = shape.mla.has_value();
    // Fewer key heads than tensor ranks are copied, so that each rank has one.
    d.kv_heads = mla ? d.heads : max_of(count(shape.kv(), "kv_heads", "model") / d.tensor, N(1.0));
    d.qk_size = mla ? count(shape.mla->qk_nope + shape.mla->qk_rope, "qk_head_size", "model")
                    : count(shape.head_size(), "head_size", "model");
    d.v_size = mla ? count(shape.mla->v_dim, "v_head_size", "model") : d.qk_size;
    d.ffn = named(count(shape.ffn_hidden, "ffn_hidden", "model") / d.tensor,
                  {"ffn_on_rank", "1", "f / t", Tag::exact});
    const double multiple = static_cast<double>(setup.stack.vocabulary_multiple);
    d.vocabulary = named(ceil_of(count(shape.vocab, "vocab", "model") / (multiple * d.tensor)) * multiple,
                         {"vocabulary_on_rank", "1",
                          "V / t, padded to the stack's multiple of the tensor degree", Tag::exact});
    d.unit = named(d.tokens * d.hidden / d.sharding,
                   {"residual_elements", "1",
                    "elements of one residual-stream tensor on a rank: T · h, / t with sequence "
                    "parallelism",
                    Tag::exact});
    return d;
}

} // namespace shardlens::model
