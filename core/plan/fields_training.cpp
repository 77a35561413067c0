// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of the field table: how the model is trained.
#include "plan/rows.h"

namespace shardlens::detail {

void add_training_fields(std::vector<Field>& table) {
    using T = Training;
    constexpr Given kMust = Given::required;
    constexpr Given kShow = Given::shown;
    constexpr Given kOmit = Given::omitted;
    table.push_back(integer<Train<&T::sequence_length>>("training.sequence_length", kMust, 1, kMaxSequence,
                                                        "tokens", SHARDLENS_TR("Sequence length"),
                                                        SHARDLENS_TR("Tokens in one training sample.")));
    table.push_back(integer<Train<&T::micro_batch_size>>(
        "training.micro_batch_size", kMust, 1, kMaxCount, "", SHARDLENS_TR("Micro-batch size"),
        SHARDLENS_TR("Samples that one replica computes at a time.")));
    table.push_back(integer<Train<&T::global_batch_size>>(
        "training.global_batch_size", kMust, 1, kMaxCount, "", SHARDLENS_TR("Global batch size"),
        SHARDLENS_TR("Samples in one optimizer step over all replicas.")));
    table.push_back(choice<Train<&T::precision>>(
        "training.precision", kShow, all(kPrecisionNames), SHARDLENS_TR("Precision"),
        SHARDLENS_TR("Number format of the matrix multiplications.")));
    table.push_back(choice<Train<&T::optimizer>>(
        "training.optimizer", kShow, all(kOptimizerNames), SHARDLENS_TR("Optimizer"),
        SHARDLENS_TR("What turns gradients into updates and keeps state.")));
    table.push_back(choice<Train<&T::attention>>(
        "training.attention", kShow, all(kAttentionNames), SHARDLENS_TR("Attention kernel"),
        SHARDLENS_TR("Flash attention never stores the score matrix; the standard one does.")));
    table.push_back(choice<Train<&T::gradient_dtype>>(
        "training.gradient_dtype", kOmit, all(kDtypeNames), SHARDLENS_TR("Gradient format"),
        SHARDLENS_TR("Number format that gradients are kept in; left out, the training software's usual.")));
    table.push_back(choice<Train<&T::optimizer_dtype>>(
        "training.optimizer_dtype", kOmit, {"fp32", "bf16"}, SHARDLENS_TR("Optimizer state format"),
        SHARDLENS_TR("Number format of the optimizer's moments; left out, the training software's usual.")));
    table.push_back(number<Train<&T::tokens>>(
        "training.tokens", kOmit, 1, kMaxAmount, "tokens", SHARDLENS_TR("Training tokens"),
        SHARDLENS_TR("Tokens of the whole run; left out, no time to train and no cost are computed.")));
    table.push_back(number<Train<&T::moe_imbalance>>(
        "training.moe_imbalance", kOmit, 1, 1e6, "", SHARDLENS_TR("Expert imbalance"),
        SHARDLENS_TR("Load of the busiest expert over the mean; 1 is balanced.")));
    table.push_back(number<Train<&T::assumed_mfu>>(
        "training.assumed_mfu", kOmit, kSmallestShare, 1, "", SHARDLENS_TR("Assumed MFU"),
        SHARDLENS_TR("Share of the peak that the textbook fidelity assumes to be reached.")));
}

} // namespace shardlens::detail
