// SPDX-License-Identifier: GPL-3.0-or-later
#include "matrix/matrix_model.h"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace shardlens {

using model::CommGroup;
using model::OperatorKind;

namespace {

bool whole(double value) { return std::abs(value - std::round(value)) < 1e-6; }

/// Does an operator exchange what this view draws: between tensor ranks, or tokens between experts?
bool isExchange(const model::Operator<double>& op) {
    switch (op.kind) {
    case OperatorKind::all_gather:
    case OperatorKind::reduce_scatter:
    case OperatorKind::all_reduce:
        return op.group == CommGroup::tensor || op.group == CommGroup::expert_tensor;
    case OperatorKind::all_to_all: return op.group == CommGroup::expert;
    default: return false;
    }
}

/// The operator of the same name and place in the layer of one rank alone.
const model::Operator<double>* same(const model::Layer<double>& alone, std::string_view name) {
    for (const auto& op : alone.operators)
        if (name == op.name) return &op;
    return nullptr;
}

MatrixBox boxOf(const model::Operator<double>& op, const model::Operator<double>& alone, std::int64_t ranks) {
    MatrixBox box;
    box.name = op.name;
    box.rows = alone.k;
    box.columns = alone.n;
    box.rank_rows = op.k;
    box.rank_columns = op.n;
    box.ranks = ranks;
    box.tokens = op.m;
    box.copies = op.expert ? op.groups : 1;
    if (ranks > 1 && op.n < alone.n)
        box.cut = MatrixCut::columns;
    else if (ranks > 1 && op.k < alone.k)
        box.cut = MatrixCut::rows;
    box.even = whole(op.n) && whole(op.k) && whole(box.copies);
    return box;
}

/// Token copies before and behind an exchange among the routed experts. All-to-all keeps their number on the
/// average rank; on its way in a gather over the expert's tensor ranks multiplies it, a scatter divides it.
void countCopies(MatrixExchange& exchange, const model::Operator<double>& op, double bytes_per_token,
                 std::int64_t expert_tensor, double own_tokens) {
    if (op.group == CommGroup::tensor) return;
    const double whole_vector = op.payload_bytes / bytes_per_token;
    const double part = whole_vector / double(expert_tensor);
    switch (op.kind) {
    case OperatorKind::all_gather: exchange.rows_in = part, exchange.rows_out = whole_vector; break;
    case OperatorKind::reduce_scatter: exchange.rows_in = whole_vector, exchange.rows_out = part; break;
    default:
        exchange.rows_in = whole_vector;
        // Combined, the copies of a token are one token again.
        exchange.rows_out = exchange.name == "combine" ? own_tokens : whole_vector;
    }
}

} // namespace

MatrixModel matrixModel(const Setup& setup, std::int64_t tensor, bool sequence, bool moe) {
    Setup cut = setup;
    cut.tensor = std::max<std::int64_t>(tensor, 1);
    cut.sequence = sequence && cut.tensor > 1;
    Setup one = setup;
    one.tensor = one.expert_tensor = 1;
    one.sequence = false;
    const auto kind = moe ? model::LayerKind::moe : model::LayerKind::dense;
    const auto layer = model::layer<double>(cut, kind);
    const auto alone = model::layer<double>(one, kind);
    const auto sizes = model::dimensions<double>(cut);

    MatrixModel result;
    result.tensor = cut.tensor;
    result.sequence = cut.sequence;
    if (moe) {
        result.experts = setup.shape.moe->experts;
        result.expert_ranks = setup.expert;
    }
    for (MatrixHalf* half : {&result.attention, &result.mlp, &result.shared}) {
        half->tokens = sizes.tokens / sizes.sharding;
        half->width = sizes.hidden;
    }
    MatrixHalf* half = &result.attention;
    for (const auto& op : layer.operators) {
        const std::string_view name = op.name;
        if (name == "attention_residual") half = &result.mlp;
        if (name.starts_with("shared_")) half = &result.shared;
        if (isExchange(op)) {
            MatrixExchange exchange{op.name, op.kind, op.group, op.payload_bytes};
            countCopies(exchange, op, sizes.hidden * sizes.element, setup.expert_tensor, half->tokens);
            half->parts.emplace_back(std::move(exchange));
        } else if (op.kind == OperatorKind::attention) {
            half->parts.emplace_back(MatrixHeads{setup.shape.heads, setup.shape.kv()});
        } else if (op.kind == OperatorKind::gemm) {
            const auto* before = same(alone, name);
            if (!before) continue;
            MatrixBox box = boxOf(op, *before, op.expert ? setup.expert_tensor : cut.tensor);
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
