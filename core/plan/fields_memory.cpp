// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of the field table: what is recomputed and offloaded, what overlaps, and how deep the model looks.
#include "plan/rows.h"

namespace shardlens::detail {
namespace {

FieldValue get_recompute_modules(const Plan& plan) {
    std::vector<std::string> list;
    for (std::size_t bit = 0; bit < kRecomputeModuleNames.size(); ++bit)
        if (plan.memory.recompute_modules >> bit & 1u) list.emplace_back(kRecomputeModuleNames[bit]);
    return list;
}

void set_recompute_modules(Plan& plan, const FieldValue& value) {
    std::uint32_t bits = 0;
    for (const std::string& name : std::get<std::vector<std::string>>(value))
        for (std::size_t bit = 0; bit < kRecomputeModuleNames.size(); ++bit)
            if (name == kRecomputeModuleNames[bit]) bits |= 1u << bit;
    plan.memory.recompute_modules = bits;
}

} // namespace

void add_memory_fields(std::vector<Field>& table) {
    using M = MemoryOptions;
    constexpr Given kShow = Given::shown;
    constexpr Given kOmit = Given::omitted;
    table.push_back(choice<Mem<&M::recompute>>(
        "memory.recompute", kShow, all(kRecomputeNames), SHARDLENS_TR("Recompute"),
        SHARDLENS_TR("Which activations are dropped and computed again in the backward pass.")));
    Field modules = row<Mem<&M::recompute_layers>>(
        "memory.recompute_modules", FieldType::choice_list, kShow, SHARDLENS_TR("Recomputed modules"),
        SHARDLENS_TR("With selective recomputation, what is recomputed; empty is the software's usual."), "",
        0, 0, all(kRecomputeModuleNames));
    modules.get = get_recompute_modules;
    modules.set = set_recompute_modules;
    table.push_back(std::move(modules));
    table.push_back(choice<Mem<&M::recompute_method>>(
        "memory.recompute_method", kOmit, all(kRecomputeMethodNames), SHARDLENS_TR("Recompute method"),
        SHARDLENS_TR("Checkpoints at even distances, or whole blocks from the first layer on.")));
    table.push_back(integer<Mem<&M::recompute_layers>>(
        "memory.recompute_layers", kShow, 0, kMaxLayers, "", SHARDLENS_TR("Recomputed layers"),
        SHARDLENS_TR("Recomputes the first n layers of each pipeline rank; 0 means all of them.")));
    table.push_back(choice<Mem<&M::offload_optimizer>>(
        "memory.offload_optimizer", kShow, all(kOffloadNames), SHARDLENS_TR("Offload optimizer"),
        SHARDLENS_TR("Where the optimizer states are kept instead.")));
    table.push_back(choice<Mem<&M::offload_parameters>>(
        "memory.offload_parameters", kShow, all(kOffloadNames), SHARDLENS_TR("Offload parameters"),
        SHARDLENS_TR("Where the parameters are kept instead.")));
    table.push_back(choice<Mem<&M::offload_activations>>(
        "memory.offload_activations", kOmit, all(kOffloadNames), SHARDLENS_TR("Offload activations"),
        SHARDLENS_TR("Where the activations are kept instead.")));
    table.push_back(integer<Mem<&M::offload_layers>>(
        "memory.offload_layers", kOmit, 0, kMaxLayers, "", SHARDLENS_TR("Offloaded layers"),
        SHARDLENS_TR("Offloads the activations of n layers of each rank; 0 means all of them.")));
    table.push_back(number<Mem<&M::usable_fraction>>(
        "memory.usable_fraction", kShow, kSmallestShare, 1, "", SHARDLENS_TR("Usable share"),
        SHARDLENS_TR("Share of the GPU memory that the plan may use.")));

    using O = OverlapOptions;
    table.push_back(boolean<Over<&O::tensor>>(
        "overlap.tensor", kOmit, SHARDLENS_TR("Overlap tensor"),
        SHARDLENS_TR(
            "Tensor-parallel communication hides behind the matrices; left out, as the software does.")));
    table.push_back(boolean<Over<&O::grad_reduce>>(
        "overlap.grad_reduce", kOmit, SHARDLENS_TR("Overlap gradient reduction"),
        SHARDLENS_TR("Gradients are reduced while the backward pass runs; left out, as the software does.")));
    table.push_back(boolean<Over<&O::param_gather>>(
        "overlap.param_gather", kOmit, SHARDLENS_TR("Overlap parameter gather"),
        SHARDLENS_TR(
            "Parameters are gathered while the forward pass runs; left out, as the software does.")));
    table.push_back(boolean<Over<&O::pipeline>>(
        "overlap.pipeline", kOmit, SHARDLENS_TR("Overlap pipeline"),
        SHARDLENS_TR("Stages send and receive while they compute; left out, as the software does.")));
    table.push_back(boolean<Over<&O::expert>>(
        "overlap.expert", kOmit, SHARDLENS_TR("Overlap experts"),
        SHARDLENS_TR(
            "Tokens travel to their experts while others compute; left out, as the software does.")));
    table.push_back(choice<Top<&Plan::fidelity>>(
        "fidelity", kShow, all(kFidelityNames), SHARDLENS_TR("Fidelity"),
        SHARDLENS_TR("Textbook reproduces the formulas of the literature; detailed models the real run.")));
}

} // namespace shardlens::detail
