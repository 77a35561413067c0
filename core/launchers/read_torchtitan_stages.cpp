// SPDX-License-Identifier: GPL-3.0-or-later
// Stages of torchtitan: the schedule, and layers dealt out by counting or by names of modules.
#include <array>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "launchers/read_torchtitan.h"
#include "launchers/torchtitan.h"
#include "plan/fields.h"

namespace shardlens::launchers {

using Json = nlohmann::ordered_json;

void read_torchtitan_stages(KeyReader& keys, Imported& plan) {
    const std::int64_t pipeline = integer_or(plan, "parallel.pipeline", 1);
    const Names key = torchtitan_name("parallelism.pipeline_parallel_schedule");
    static constexpr std::array kSchedules = {
        std::pair{"1F1B", "1f1b"},
        std::pair{"GPipe", "gpipe"},
        std::pair{"Interleaved1F1B", "interleaved"},
        std::pair{"LoopedBFS", "bfs"},
        std::pair{"InterleavedZeroBubble", "interleaved-zb"},
        std::pair{"ZBVZeroBubble", "zb-v"},
        std::pair{"DualPipeV", "dualpipe-v"},
        std::pair{"FlexibleInterleaved1F1B", "interleaved"},
    };
    const std::string written = keys.text(key).value_or("1F1B");
    const auto weight = [&](const char* name) {
        const std::int64_t layers = keys.integer(name).value_or(1);
        return layers >= 0 && layers <= 100'000 ? layers : 1;
    };
    const std::int64_t first = weight("parallelism.pipeline_parallel_first_stage_less_layers");
    const std::int64_t last = weight("parallelism.pipeline_parallel_last_stage_less_layers");
    const auto per_stage = keys.integer("parallelism.pipeline_parallel_layers_per_stage");
    const Json* modules = keys.find("parallelism.module_fqns_per_model_part");
    keys.ignore({"parallelism.module_fqns_per_model_part.*"});
    if (pipeline < 2) return;
    const auto lower = [](std::string text) {
        for (char& c : text)
            if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
        return text;
    };
    std::string schedule = "1f1b";
    bool several = false, known = false;
    for (const auto& [name, plan_name] : kSchedules)
        if (lower(name) == lower(written)) {
            schedule = plan_name;
            several = torchtitan_runs_several(name);
            known = true;
        }
    if (!known) plan.not_understood(keys.key(key), written, "no such schedule is known; read as 1f1b");
    if (keys.find(key))
        keys.take_as(key, "parallel.schedule", schedule);
    else
        plan.assume("parallel.schedule", std::string("1f1b"), "torchtitan's default schedule");
    std::vector<std::int64_t> split;
    if (modules && modules->is_array()) {
        for (const Json& stage : *modules) {
            std::int64_t layers = 0;
            if (stage.is_array())
                for (const Json& name : stage)
                    layers += name.is_string() && name.get_ref<const std::string&>().starts_with("layers.");
            split.push_back(layers);
        }
        if (split.empty() || static_cast<std::int64_t>(split.size()) % pipeline != 0) {
            plan.not_understood("parallelism.module_fqns_per_model_part",
                                fmt::format("{} stages", split.size()),
                                "not a whole number of stages for every rank");
            return;
        }
        const auto chunks = static_cast<std::int64_t>(split.size()) / pipeline;
        keys.take_as("parallelism.module_fqns_per_model_part", "parallel.virtual_pipeline", chunks);
        keys.take_as("parallelism.module_fqns_per_model_part", "parallel.layers_per_stage", split);
        return;
    }
    std::int64_t layers = integer_or(plan, "model.layers", 0);
    if (const auto preset = plan.value("model"); preset && std::holds_alternative<std::string>(*preset))
        layers = torchtitan_layers(std::get<std::string>(*preset));
    std::int64_t chunks = several ? 2 : 1;
    if (per_stage && *per_stage > 0 && *per_stage <= 1'000'000) {
        const std::int64_t all = layers + first + last;
        const std::int64_t stages = (all + *per_stage - 1) / *per_stage;
        if (layers == 0 || stages % pipeline != 0) {
            plan.not_understood("parallelism.pipeline_parallel_layers_per_stage",
                                keys.shown("parallelism.pipeline_parallel_layers_per_stage"),
                                layers == 0 ? "the stages follow from the model's layers, which are not known"
                                            : "not a whole number of stages for every rank");
            return;
        }
        chunks = stages / pipeline;
        keys.take_as("parallelism.pipeline_parallel_layers_per_stage", "parallel.virtual_pipeline", chunks);
    } else if (several) {
        plan.assume("parallel.virtual_pipeline", chunks,
                    "torchtitan's default for schedules of several stages");
    }
    if (layers == 0 || chunks * pipeline > layers + 2) return;
    split = torchtitan_deal(layers, chunks * pipeline, first, last);
    if (!split.empty())
        plan.assume("parallel.layers_per_stage", split,
                    "as torchtitan deals layers out, embedding and head counted");
}

} // namespace shardlens::launchers
