// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of the field table: how the model is cut over the GPUs.
#include "plan/rows.h"

namespace shardlens::detail {
namespace {

/// Launcher names that stand for a rank order (contract, section 1).
constexpr std::array kRankOrderNames = {
    "megatron"sv,   "megatron-tp-pp-dp"sv,    "deepspeed"sv,  "torchtitan"sv, "nanotron"sv,
    "colossalai"sv, "colossalai-dp-inside"sv, "accelerate"sv, "composer"sv,   "bmtrain"sv};

const char* check_rank_order(std::string_view text) {
    constexpr const char* kRight =
        "tp, cp, dp and pp once each and ep at will, joined by '-' (such as tp-cp-ep-dp-pp), "
        "or a launcher's name (such as megatron)";
    if (std::find(kRankOrderNames.begin(), kRankOrderNames.end(), text) != kRankOrderNames.end())
        return nullptr;
    constexpr std::array kAxes = {"tp"sv, "cp"sv, "dp"sv, "pp"sv, "ep"sv};
    std::array<int, kAxes.size()> seen{};
    for (std::string_view rest = text;;) {
        const std::size_t dash = rest.find('-');
        const auto axis = std::find(kAxes.begin(), kAxes.end(), rest.substr(0, dash));
        if (axis == kAxes.end() || ++seen[static_cast<std::size_t>(axis - kAxes.begin())] > 1) return kRight;
        if (dash == std::string_view::npos) break;
        rest.remove_prefix(dash + 1);
    }
    return std::all_of(seen.begin(), seen.begin() + 4, [](int times) { return times == 1; }) ? nullptr
                                                                                             : kRight;
}

} // namespace

void add_parallel_fields(std::vector<Field>& table) {
    using P = Parallel;
    constexpr Given kShow = Given::shown;
    constexpr Given kOmit = Given::omitted;
    table.push_back(integer<Par<&P::tensor>>(
        "parallel.tensor", kShow, 1, kMaxCount, "", SHARDLENS_TR("Tensor"),
        SHARDLENS_TR("Cuts every matrix over this many GPUs; belongs inside the fast domain.")));
    table.push_back(boolean<Par<&P::sequence>>(
        "parallel.sequence", kShow, SHARDLENS_TR("Sequence"),
        SHARDLENS_TR("With tensor parallelism, cuts norms and dropout along the sequence too.")));
    table.push_back(integer<Par<&P::pipeline>>("parallel.pipeline", kShow, 1, kMaxCount, "",
                                               SHARDLENS_TR("Pipeline"),
                                               SHARDLENS_TR("Cuts the layers into this many stages.")));
    table.push_back(integer<Par<&P::virtual_pipeline>>(
        "parallel.virtual_pipeline", kShow, 1, kMaxCount, "", SHARDLENS_TR("Virtual stages"),
        SHARDLENS_TR("Model chunks that each pipeline rank holds; more shorten the bubble and talk more.")));
    table.push_back(integer<Par<&P::virtual_pipeline_group>>(
        "parallel.virtual_pipeline_group", kOmit, 0, kMaxCount, "",
        SHARDLENS_TR("Micro-batches per chunk visit"),
        SHARDLENS_TR("Micro-batches that pass a chunk before the next one; 0 is the schedule's default.")));
    table.push_back(integer<Par<&P::context>>("parallel.context", kShow, 1, kMaxCount, "",
                                              SHARDLENS_TR("Context"),
                                              SHARDLENS_TR("Cuts the sequence itself over this many GPUs.")));
    table.push_back(choice<Par<&P::context_kind>>(
        "parallel.context_kind", kOmit, all(kContextKindNames), SHARDLENS_TR("Context method"),
        SHARDLENS_TR(
            "How attention sees the other parts of the sequence; left out, what the software can do.")));
    table.push_back(integer<Par<&P::expert>>("parallel.expert", kShow, 1, kMaxCount, "",
                                             SHARDLENS_TR("Expert"),
                                             SHARDLENS_TR("Spreads the experts over this many GPUs.")));
    table.push_back(integer<Par<&P::expert_tensor>>(
        "parallel.expert_tensor", kShow, 1, kMaxCount, "", SHARDLENS_TR("Expert tensor"),
        SHARDLENS_TR("Cuts each expert's matrices over this many GPUs.")));
    table.push_back(integer<Par<&P::data>>(
        "parallel.data", kOmit, 1, kMaxCount, "", SHARDLENS_TR("Data"),
        SHARDLENS_TR("Replicas that share the batch; left out, all GPUs that the other degrees leave.")));
    table.push_back(integer<Par<&P::zero>>(
        "parallel.zero", kShow, 0, 3, "", SHARDLENS_TR("ZeRO stage"),
        SHARDLENS_TR("Shards over the replicas: 1 optimizer states, 2 gradients too, 3 parameters too.")));
    table.push_back(integer<Par<&P::shard_group>>(
        "parallel.shard_group", kShow, 0, kMaxCount, "", SHARDLENS_TR("Shard group"),
        SHARDLENS_TR("Shards inside groups of this many ranks and replicates across them; 0 is one group.")));
    std::vector<std::string_view> schedules = all(kScheduleNames);
    std::erase(schedules, "pipedream"sv); // asynchronous: it can be drawn, but not planned with
    table.push_back(choice<Par<&P::schedule>>(
        "parallel.schedule", kOmit, std::move(schedules), SHARDLENS_TR("Schedule"),
        SHARDLENS_TR("Order in which a stage works on forward and backward of its micro-batches.")));
    table.push_back(row<Par<&P::layers_per_stage>>(
        "parallel.layers_per_stage", FieldType::integer_list, kShow, SHARDLENS_TR("Layers per stage"),
        SHARDLENS_TR("Layers of each stage or chunk in model order; empty is the software's own split."), "",
        0, kMaxLayers));
    Field order = text<Par<&P::rank_order>>(
        "parallel.rank_order", kShow, SHARDLENS_TR("Rank order"),
        SHARDLENS_TR("Which degree runs over neighbouring ranks first, from left to right."));
    order.check_text = check_rank_order;
    table.push_back(std::move(order));
}

} // namespace shardlens::detail
