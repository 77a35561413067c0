// SPDX-License-Identifier: GPL-3.0-or-later
// Writes the operator list and the saved tensors of one layer (implementation of model/operators.h).
#pragma once

#include "model/operators.h"

namespace shardlens::model {

template <class N> struct LayerBuilder {
    const Setup& setup;
    const ModelShape& shape;
    Dimensions<N> d;
    Layer<N> out;

    LayerBuilder(const Setup& of, LayerKind kind, bool global_attention)
        : setup(of), shape(of.shape), d(dimensions<N>(of)) {
        out.kind = kind;
        out.global_attention = global_attention;
        out.operators.reserve(32);
        out.saved.reserve(24);
    }

    // operators.cpp calls these
    void transformer(bool moe);
    void embedding();
    void head(bool owns_matrix);
    void mtp_projection();

private:
    void attention_block();
    void mla_projections();
    void grouped_query_projections();
    void core_attention();
    void context_traffic();
    void mlp_block(bool first_norm);
    void plain_mlp(const N& ffn_on_rank, std::uint32_t module, bool shared_expert);
    void moe_block(bool first_norm);

    void saved_attention();
    void saved_mlp(const N& ffn_on_rank, std::uint32_t module, std::uint32_t act_module);

    Operator<N>& add(const char* name, OperatorKind kind, std::uint32_t module = 0) {
        Operator<N> op;
        op.name = name;
        op.kind = kind;
        op.module = module;
        out.operators.push_back(std::move(op));
        return out.operators.back();
    }
    Operator<N>& linear(const char* name, const N& rows, const N& columns, const N& depth,
                        std::uint32_t module = 0) {
        Operator<N>& op = add(name, OperatorKind::gemm, module);
        op.m = rows;
        op.n = columns;
        op.k = depth;
        op.weights = columns * depth;
        op.low_precision = true;
        return op;
    }
    Operator<N>& traffic(const char* name, const N& forward, const N& backward, std::uint32_t module = 0) {
        Operator<N>& op = add(name, OperatorKind::elementwise, module);
        op.forward_bytes = forward;
        op.backward_bytes = backward;
        return op;
    }
    void norm(const char* name, std::uint32_t module = 0);
    void residual(const char* name, bool last);
    /// Enter or leave the region that tensor parallelism splits: all-gather / reduce-scatter with sequence
    /// parallelism; without it the leaving all-reduce stands for both.
    void enter_tensor_region(const char* name, std::uint32_t module = 0);
    void leave_tensor_region(const char* name, std::uint32_t module = 0);
    void keep(const char* name, const N& bytes, std::uint32_t module = 0) {
        out.saved.push_back({name, named(bytes, {name, "B", "", Tag::modelled}), module});
    }
    /// Keeps the input of a linear, `values` elements: where the stack does so as the quantised copy alone.
    void keep_input(const char* name, const N& values, std::uint32_t module = 0) {
        keep(name, values * input_bytes(), module);
    }
    [[nodiscard]] bool quantised() const {
        const Precision p = setup.plan.training.precision;
        return setup.stack.keeps_quantised_inputs &&
               (p == Precision::fp8 || p == Precision::mxfp8 || p == Precision::nvfp4);
    }
    /// One value of a kept input: 1 byte in fp8, another 1/32 for the block scales of mxfp8; half a byte and
    /// 1/16 in nvfp4 (block scaling formats: OCP Microscaling 1.0, NVFP4).
    [[nodiscard]] N input_bytes() const {
        if (!quantised()) return d.element;
        const Precision p = setup.plan.training.precision;
        const double bytes = p == Precision::fp8 ? 1 : p == Precision::mxfp8 ? 1 + 1.0 / 32 : 0.5 + 1.0 / 16;
        return input<N>(bytes, {"quantised_input_bytes", "B", "precision of the plan", Tag::exact});
    }
    N count(std::int64_t value, const char* name) const {
        return input<N>(static_cast<double>(value), {name, "1", "model", Tag::exact});
    }
    /// Scales a byte count per value written for 16-bit work to the plan's precision.
    N bytes16(double bytes) const { return bytes / 2.0 * d.element; }
};

} // namespace shardlens::model
