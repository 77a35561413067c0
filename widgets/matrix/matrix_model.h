// SPDX-License-Identifier: GPL-3.0-or-later
// One transformer layer as matrices cut over tensor ranks, read from the operator list that time and memory
// are computed from. Plain; no window.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "catalog/setup.h"
#include "model/operators.h"

namespace shardlens {

enum class MatrixCut : std::uint8_t {
    columns, ///< every rank has some of the output's columns and reads the whole input
    rows,    ///< every rank has some of the input's columns; the outputs are summed
    whole    ///< every rank has all of it
};

/// A weight matrix, input × output.
struct MatrixBox {
    std::string name;                       ///< of the operator: "qkv_projection"
    double rows = 0, columns = 0;           ///< of the whole matrix
    double rank_rows = 0, rank_columns = 0; ///< of one rank's part
    MatrixCut cut = MatrixCut::whole;
    std::int64_t ranks = 1; ///< that share it: the tensor ranks, of a routed expert its own tensor ranks
    double tokens = 0;      ///< rows of the activations that pass through, of each copy
    double copies = 1;      ///< as many on this rank, each with weights of its own: the routed experts
    bool even = true;       ///< the parts of all ranks have as many whole columns or rows
};

/// Where ranks talk.
struct MatrixExchange {
    std::string name; ///< "attention_gather"
    model::OperatorKind kind = model::OperatorKind::all_reduce;
    model::CommGroup group = model::CommGroup::tensor;
    double bytes = 0;                 ///< of the full vector; all-to-all: that this rank sends
    double rows_in = 0, rows_out = 0; ///< among routed experts: token copies before and behind it
};

/// The attention between the projections: heads as cells.
struct MatrixHeads {
    std::int64_t heads = 0, kv_heads = 0;
};

using MatrixPart = std::variant<MatrixBox, MatrixExchange, MatrixHeads>;

/// A half of the layer: attention or MLP, in the order of the forward pass.
struct MatrixHalf {
    std::vector<MatrixPart> parts;
    double tokens = 0, width = 0; ///< activations outside the region: rows on a rank, columns
};

struct MatrixModel {
    std::int64_t tensor = 1;
    bool sequence = false;
    MatrixHalf attention;
    MatrixHalf mlp;                             ///< of a layer of experts: router and routed experts
    MatrixHalf shared;                          ///< the shared expert; no parts: there is none
    std::int64_t experts = 0, expert_ranks = 1; ///< routed ones, and the ranks that share them; 0: none

    [[nodiscard]] double local_experts() const { return double(experts) / double(expert_ranks); }
};

/// `tensor` and `sequence` in place of the setup's own; `moe`: a layer of experts.
[[nodiscard]] MatrixModel matrixModel(const Setup& setup, std::int64_t tensor, bool sequence, bool moe);

/// A head on the tensor ranks.
struct HeadCell {
    std::int64_t index = 0;
    bool kv = false;
    std::int64_t first_rank = 0, last_rank = 0; ///< that hold some of it
    bool split = false;                         ///< a border of two ranks runs through it: it cannot be
    bool copied = false;                        ///< held by several ranks in full
};

/// Query heads, then key heads. Heads lie in order on the ranks, heads / tensor each; fewer key heads than
/// ranks are copied where that divides.
[[nodiscard]] std::vector<HeadCell> headCells(std::int64_t heads, std::int64_t kv_heads, std::int64_t tensor);

} // namespace shardlens
