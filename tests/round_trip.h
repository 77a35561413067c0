// SPDX-License-Identifier: GPL-3.0-or-later
// A file of an export, read back: the same plan as far as the launcher has the fields. What an export lists as
// not expressed is given from the plan, everything else must come out of the file.
#pragma once

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "launcher_exports.h"
#include "launchers/common.h"
#include "launchers/import.h"
#include "launchers/launcher.h"
#include "plan/fields.h"
#include "plan/plan_json.h"
#include "plans.h"

namespace shardlens::test {

struct Comparison {
    const Setup& was;
    const Setup& is;
    const launchers::Export& exported;

    [[nodiscard]] bool expressed(std::string_view path) const {
        for (const launchers::NotExpressed& item : exported.not_expressed)
            if (path == item.path || path.starts_with(item.path + ".")) return false;
        return true;
    }
    template <class T> void same(const char* path, const T& a, const T& b) const {
        if (a == b || !expressed(path)) return;
        INFO(path);
        CHECK(a == b);
    }

    void degrees() const {
        same("parallel.tensor", was.tensor, is.tensor);
        same("parallel.sequence", was.sequence, is.sequence);
        same("parallel.pipeline", was.pipeline, is.pipeline);
        same("parallel.virtual_pipeline", was.virtual_pipeline, is.virtual_pipeline);
        same("parallel.context", was.context, is.context);
        if (was.context > 1) same("parallel.context_kind", was.context_kind, is.context_kind);
        same("parallel.expert", was.expert, is.expert);
        if (was.moe()) same("parallel.expert_tensor", was.expert_tensor, is.expert_tensor);
        same("parallel.data", was.data, is.data);
        same("cluster.gpus", was.world(), is.world());
        same("parallel.zero", was.zero, is.zero);
        if (was.zero > 0) same("parallel.shard_group", was.shard, is.shard);
        if (expressed("parallel.rank_order")) {
            INFO(is.plan.parallel.rank_order);
            CHECK(launchers::same_placement(was, is.plan.parallel.rank_order));
        }
        same("parallel.layers_per_stage", was.layers_per_chunk, is.layers_per_chunk);
        if (was.pipeline > 1 && was.schedule != ScheduleKind::interleaved_ep)
            same("parallel.schedule", was.schedule, is.schedule);
    }

    void training() const {
        const Training &a = was.plan.training, &b = is.plan.training;
        same("training.sequence_length", a.sequence_length, b.sequence_length);
        same("training.micro_batch_size", a.micro_batch_size, b.micro_batch_size);
        same("training.global_batch_size", a.global_batch_size, b.global_batch_size);
        same("training.precision", a.precision, b.precision);
        same("training.optimizer", a.optimizer, b.optimizer);
        same("training.attention", a.attention, b.attention);
        same("training.gradient_dtype", was.gradient_dtype, is.gradient_dtype);
        same("training.optimizer_dtype", was.optimizer_dtype, is.optimizer_dtype);
        if (a.tokens && b.tokens) { // whole steps
            CHECK(std::abs(*a.tokens - *b.tokens) <=
                  static_cast<double>(a.global_batch_size) * static_cast<double>(a.sequence_length));
        }
        const MemoryOptions &m = was.plan.memory, &n = is.plan.memory;
        same("memory.recompute", m.recompute, n.recompute);
        if (m.recompute == Recompute::selective && expressed("memory.recompute"))
            same("memory.recompute_modules", was.recompute_modules, is.recompute_modules);
        const auto layers = [](const Setup& s) { // of a rank; every one of them is 0
            std::int64_t most = 0;
            for (const std::int64_t count : s.layers_per_chunk) most = std::max(most, count);
            const std::int64_t given = s.plan.memory.recompute_layers;
            return given >= most * s.virtual_pipeline ? 0 : given;
        };
        if (m.recompute == Recompute::full && expressed("memory.recompute"))
            same("memory.recompute_layers", layers(was), layers(is));
        same("memory.offload_optimizer", m.offload_optimizer, n.offload_optimizer);
        same("memory.offload_parameters", m.offload_parameters, n.offload_parameters);
        same("memory.offload_activations", m.offload_activations, n.offload_activations);
    }

    void shape() const {
        const ModelShape &a = was.shape, &b = is.shape;
        same("model.layers", a.layers, b.layers);
        same("model.hidden", a.hidden, b.hidden);
        same("model.heads", a.heads, b.heads);
        same("model.kv_heads", a.kv(), b.kv());
        same("model.head_dim", a.head_size(), b.head_size());
        same("model.gated_mlp", a.gated_mlp, b.gated_mlp);
        same("model.vocab", a.vocab, b.vocab);
        same("model.tied_embeddings", a.tied_embeddings, b.tied_embeddings);
        same("model.learned_positions", a.learned_positions, b.learned_positions);
        same("model.norm", a.norm, b.norm);
        same("model.norm_bias", a.norm_bias, b.norm_bias);
        same("model.qk_norm", a.qk_norm, b.qk_norm);
        same("model.biases", a.biases.qkv, b.biases.qkv);
        same("model.biases", a.biases.mlp, b.biases.mlp);
        same("model.attention_window", a.attention_window, b.attention_window);
        if (expressed("model.attention_window"))
            same("model.global_attention_every", a.global_attention_every, b.global_attention_every);
        same("model.mtp_layers", a.mtp_layers, b.mtp_layers);
        same("model.moe", a.moe.has_value(), b.moe.has_value());
        if (a.moe && b.moe) same("model.moe", *a.moe, *b.moe);
        same("model.mla", a.mla.has_value(), b.mla.has_value());
        if (a.mla && b.mla) same("model.mla", *a.mla, *b.mla);
        bool dense = false;
        for (std::int64_t i = 0; i < a.layers; ++i) dense = dense || !was.is_moe_layer(i);
        if (dense) same("model.ffn_hidden", a.ffn_hidden, b.ffn_hidden);
    }
};

/// "path=value" of a plan, as --set takes it; "" where the plan leaves it out. A part of the model can be set
/// only where the file itself does not name a preset: `in_file` = it gives a shape.
inline std::string set_from(const Setup& setup, const std::string& path, bool in_file) {
    if (path == "model") return "model=" + model_to_json(setup.shape).dump();
    Plan plan = setup.plan;
    if (in_file && path.starts_with("model.")) plan.model = setup.shape;
    const FieldValue value = get_field(plan, path);
    if (std::holds_alternative<std::monostate>(value)) return {};
    return path + "=" + to_json(value).dump();
}

/// Paths that stand in the files of every plan, by importer: none of them may be asked for.
inline std::vector<const char*> always_there(std::string_view importer) {
    static const std::vector<const char*> kGrid = {"parallel.tensor", "parallel.pipeline", "parallel.zero"};
    static const std::vector<const char*> kBatch = {"training.sequence_length", "training.micro_batch_size",
                                                    "training.global_batch_size", "training.precision"};
    static const std::vector<const char*> kShape = {"model.layers", "model.hidden", "model.heads",
                                                    "model.vocab"};
    std::vector<const char*> paths;
    const auto add = [&](const std::vector<const char*>& more) {
        paths.insert(paths.end(), more.begin(), more.end());
    };
    const auto is_one_of = [&](std::initializer_list<std::string_view> ids) {
        return std::find(ids.begin(), ids.end(), importer) != ids.end();
    };
    if (!is_one_of({"accelerate", "deepspeed", "llm-foundry", "sagemaker"})) add(kGrid);
    const bool shapes = is_one_of({"megatron-script", "megatron-model-args", "mindspeed-script",
                                   "megatron-bridge", "nanotron", "llm-foundry"});
    if (shapes) add(kShape);
    if (shapes || is_one_of({"torchtitan-toml", "torchtitan-python"})) add(kBatch);
    if (is_one_of({"nanotron", "torchtitan-toml", "torchtitan-python"}))
        add({"parallel.context", "parallel.data", "cluster.gpus"});
    if (is_one_of({"accelerate"}))
        add({"cluster.gpus", "parallel.data", "parallel.zero", "training.precision"});
    if (is_one_of({"deepspeed", "llm-foundry"})) add({"parallel.zero", "training.micro_batch_size"});
    return paths;
}

/// Imports a file of an export; what the launcher cannot say comes from the plan. Counts as read only what
/// the file says.
inline void check_file(const launchers::Importer& importer, const std::string& version,
                       const launchers::File& file, const Setup& setup, const launchers::Export& exported) {
    using Kind = launchers::ImportNote::Kind;
    launchers::ImportOptions options;
    options.kind =
        importer.versions.empty() ? std::string(importer.id) : std::string(importer.id) + "@" + version;
    options.sets = {"cluster.node=" + setup.plan.cluster.node, "stack=" + setup.plan.stack, "target=null"};
    const auto first = launchers::import_plan(file.text, file.name, options);
    INFO(file.name + "\n" + file.text);
    if (!first) FAIL(first.error().line());
    std::vector<std::string> paths;
    bool shape_in_file = false;
    for (const launchers::NotExpressed& item : exported.not_expressed) paths.push_back(item.path);
    for (const launchers::ImportNote& note : first->notes) {
        if (note.kind == Kind::missing) paths.push_back(note.path);
        shape_in_file = shape_in_file || note.path == "model.layers";
    }
    for (const std::string& path : paths)
        if (find_field(path) && path != "parallel.layers_per_stage" && path != "parallel.rank_order")
            if (const std::string set = set_from(setup, path, shape_in_file); !set.empty())
                options.sets.push_back(set);
    const auto second = launchers::import_plan(file.text, file.name, options);
    if (!second) FAIL(second.error().line());
    for (const launchers::ImportNote& note : second->notes) {
        // What our own exporter wrote, our importer knows.
        if (note.kind == Kind::not_understood) FAIL(note.line());
        UNSCOPED_INFO(note.line());
    }
    REQUIRE(second->plan);
    const auto again = resolve(*second->plan, catalog());
    if (!again) FAIL(again.error().line());
    const Comparison compare{setup, *again, exported};
    for (const char* path : always_there(importer.id)) {
        if (!compare.expressed(path)) continue;
        INFO(path);
        CHECK(std::any_of(first->notes.begin(), first->notes.end(), [&](const launchers::ImportNote& note) {
            return note.path == path && (note.kind == Kind::read || note.kind == Kind::assumed);
        }));
    }
    compare.degrees();
    compare.training();
    if (std::holds_alternative<ModelShape>(second->plan->model)) compare.shape();
}

/// Every configuration of an export; false where it has none.
inline bool comes_back(const launchers::Launcher& launcher, const std::string& version, const Setup& setup,
                       const launchers::Export& exported) {
    bool any = false;
    for (const launchers::File& file : exported.files) {
        if (starts_processes(file)) continue;
        INFO(launcher.id << "@" << version << ", " << setup.plan.name << ", " << file.name);
        const auto importer = launchers::detect(file.text, file.name);
        if (!importer) FAIL(importer.error().line());
        REQUIRE((*importer)->launcher == std::string_view(launcher.id));
        check_file(**importer, version, file, setup, exported);
        any = true;
    }
    return any;
}

} // namespace shardlens::test
