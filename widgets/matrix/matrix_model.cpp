// SPDX-License-Identifier: GPL-3.0-or-later
#include "matrix/matrix_model.h"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace shardlens {

using model::OperatorKind;

namespace {

bool whole(double value) { return std::abs(value - std::round(value)) < 1e-6; }

bool isExchange(OperatorKind kind) {
    return kind == OperatorKind::all_gather || kind == OperatorKind::reduce_scatter ||
           kind == OperatorKind::all_reduce;
}

/// The operator of the same name and place in the layer of one rank alone.
const model::Operator<double>* same(const model::Layer<double>& alone, std::string_view name) {
    for (const auto& op : alone.operators)
        if (name == op.name) return &op;
    return nullptr;
}

} // namespace

MatrixModel matrixModel(const Setup& setup, std::int64_t tensor, bool sequence, bool moe) {
    Setup cut = setup;
    cut.tensor = std::max<std::int64_t>(tensor, 1);
    cut.sequence = sequence && cut.tensor > 1;
    Setup one = setup;
    one.tensor = 1;
    one.sequence = false;
    const auto kind = moe ? model::LayerKind::moe : model::LayerKind::dense;
    const auto layer = model::layer<double>(cut, kind);
    const auto alone = model::layer<double>(one, kind);
    const auto sizes = model::dimensions<double>(cut);

    MatrixModel result;
    result.tensor = cut.tensor;
    result.sequence = cut.sequence;
    for (MatrixHalf* half : {&result.attention, &result.mlp}) {
        half->tokens = sizes.tokens / sizes.sharding;
        half->width = sizes.hidden;
    }
    MatrixHalf* half = &result.attention;
    for (const auto& op : layer.operators) {
        const std::string_view name = op.name;
        if (name == "attention_residual") half = &result.mlp;
        if (isExchange(op.kind) && op.group == model::CommGroup::tensor) {
            half->parts.emplace_back(MatrixExchange{op.name, op.kind, op.payload_bytes});
        } else if (op.kind == OperatorKind::attention) {
            half->parts.emplace_back(MatrixHeads{setup.shape.heads, setup.shape.kv()});
        } else if (op.kind == OperatorKind::gemm && !op.expert) {
            const auto* before = same(alone, name);
            if (!before) continue;
            MatrixBox box{op.name, before->k, before->n, op.k, op.n, MatrixCut::whole, op.m, true};
            if (cut.tensor > 1 && op.n < before->n)
                box.cut = MatrixCut::columns;
            else if (cut.tensor > 1 && op.k < before->k)
                box.cut = MatrixCut::rows;
            box.even = whole(op.n) && whole(op.k);
            // Heads are cut whole: a part of a head is no head.
            const bool of_heads = name == "qkv_projection" || name == "attention_output";
            if (of_heads && setup.shape.heads % cut.tensor != 0) box.even = false;
            half->parts.emplace_back(std::move(box));
        }
    }
    return result;
}

std::vector<HeadCell> headCells(std::int64_t heads, std::int64_t kv_heads, std::int64_t tensor) {
    std::vector<HeadCell> cells;
    const auto row = [&](std::int64_t count, bool kv) {
        const bool copies = kv && count < tensor && tensor % count == 0;
        for (std::int64_t i = 0; i < count; ++i) {
            HeadCell cell{i, kv, 0, 0, false, false};
            // Head i covers [i, i + 1) · tensor / count of the ranks.
            cell.first_rank = i * tensor / count;
            cell.last_rank = ((i + 1) * tensor - 1) / count;
            if (copies)
                cell.copied = true;
            else
                cell.split = cell.last_rank > cell.first_rank;
            cells.push_back(cell);
        }
    };
    row(std::max<std::int64_t>(heads, 1), false);
    row(std::max<std::int64_t>(kv_heads, 1), true);
    return cells;
}

} // namespace shardlens
