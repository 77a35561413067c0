// SPDX-License-Identifier: GPL-3.0-or-later
// What a slider steps through: candidates of a field by its meaning, tried against every error rule with the
// same following as a hand's edit (plan/edit.h). Tried on one setup in place, so that all sliders of the
// window together stay under a millisecond.
#include <algorithm>
#include <bitset>

#include "plan/fields.h"
#include "plan/known_launchers.h"
#include "rules/support.h"

namespace shardlens::rules {

namespace {

using Values = std::vector<std::int64_t>;
using Broken = std::bitset<256>;

constexpr std::int64_t kMostGpus = 10'000'000;

/// unit · 1, 2, 3, 4, 6, 8, 12, 16 … up to `most`.
void add_ladder(Values& values, std::int64_t unit, std::int64_t most) {
    for (std::int64_t power = 1; product({unit, power}) <= most; power *= 2) {
        values.push_back(unit * power);
        if (power > 1 && product({unit, power, 3}) / 2 <= most) values.push_back(unit * power / 2 * 3);
    }
}

void add_divisors(Values& values, std::int64_t n, std::int64_t least, std::int64_t most) {
    if (n < 1) return;
    for (const std::int64_t value : divisors(n))
        if (value >= least && value <= most) values.push_back(value);
}

void add_range(Values& values, std::int64_t from, std::int64_t to) {
    for (std::int64_t value = from; value <= to; ++value) values.push_back(value);
}

std::int64_t layers_of_fullest_rank(const Setup& s) {
    const Values layers = layers_per_rank(s);
    return layers.empty() ? s.shape.layers : *std::max_element(layers.begin(), layers.end());
}

/// Data degrees by which the global batch divides.
void add_data(Values& values, const Setup& s) {
    const std::int64_t batch = s.plan.training.global_batch_size, micro = s.plan.training.micro_batch_size;
    const std::int64_t most = kMostGpus / std::min(kMostGpus, model_ranks(s));
    if (s.stack.id == "llm-foundry")
        add_divisors(values, batch, 1, most);
    else if (batch % micro == 0)
        add_divisors(values, batch / micro, 1, most);
    else
        add_ladder(values, 1, most);
}

/// Whole nodes, or a share of one node that divides it, of whole replicas.
void add_gpus(Values& values, const Setup& s) {
    const std::int64_t ranks = model_ranks(s),
                       per_node = std::max<std::int64_t>(1, s.cluster.node.gpus_per_node);
    const std::int64_t most = std::min(kMostGpus, std::max<std::int64_t>(16'384, product({4, s.world()})));
    Values data;
    add_data(data, s);
    for (const std::int64_t replicas : data) {
        const std::int64_t gpus = product({ranks, replicas});
        if (gpus <= most && (gpus % per_node == 0 || per_node % gpus == 0)) values.push_back(gpus);
    }
    if (values.size() < 2) // no whole node of whole replicas: part of the last node stays unused
        for (const std::int64_t replicas : data)
            if (product({ranks, replicas}) <= most) values.push_back(product({ranks, replicas}));
}

struct ModelLadder {
    std::string_view path;
    std::int64_t unit, most;
};

/// Fields whose values are a ladder, whatever the rest of the plan.
constexpr std::array<ModelLadder, 14> kLadders = {{
    {"model.hidden", 128, 65'536},
    {"model.ffn_hidden", 128, 262'144},
    {"model.vocab", 1000, 512'000},
    {"model.head_dim", 16, 512},
    {"model.moe.experts", 1, 1024},
    {"model.moe.expert_ffn", 64, 65'536},
    {"model.mla.q_rank", 128, 8192},
    {"model.mla.kv_rank", 64, 4096},
    {"model.mla.qk_nope", 16, 512},
    {"model.mla.qk_rope", 16, 512},
    {"model.mla.v_dim", 16, 512},
    {"cluster.gpus_per_node", 1, 16},
    {"cluster.scale_up_domain", 1, 576},
    {"cluster.nodes_per_pod", 1, 4096},
}};

Values candidates(const Setup& s, std::string_view path, const Field& field) {
    Values values;
    const std::int64_t gpus = s.world(), layers = s.shape.layers;
    const Training& training = s.plan.training;
    if (path == "parallel.tensor") {
        add_divisors(values, s.shape.heads, 1, gpus);
    } else if (path == "parallel.pipeline") {
        add_divisors(values, gpus / product({s.tensor, s.context}), 1, layers);
    } else if (path == "parallel.context") {
        add_divisors(values, gpus / product({s.tensor, s.pipeline}), 1, gpus);
    } else if (path == "parallel.virtual_pipeline") {
        add_range(values, 1, std::min<std::int64_t>(64, (layers + s.pipeline - 1) / s.pipeline));
    } else if (path == "parallel.virtual_pipeline_group") {
        values.push_back(0);
        add_divisors(values, s.micro_batches, s.pipeline, s.micro_batches);
        add_range(values, s.pipeline, std::min(s.micro_batches, 2 * s.pipeline));
    } else if (path == "parallel.expert") {
        add_divisors(values, s.moe() ? s.shape.moe->experts : 1, 1, gpus);
    } else if (path == "parallel.expert_tensor") {
        add_divisors(values, s.moe() ? s.shape.moe->expert_ffn : 1, 1, std::min<std::int64_t>(gpus, 256));
    } else if (path == "parallel.data") {
        add_data(values, s);
    } else if (path == "cluster.gpus") {
        add_gpus(values, s);
    } else if (path == "parallel.zero") {
        add_range(values, 0, 3);
    } else if (path == "parallel.shard_group") {
        values.push_back(0);
        add_divisors(values, product({s.data, s.context}), 1, gpus);
    } else if (path == "training.micro_batch_size") {
        add_divisors(values, std::max<std::int64_t>(1, training.global_batch_size / s.data), 1, 4096);
    } else if (path == "training.global_batch_size") {
        const std::int64_t samples = samples_per_micro_batch(s);
        const std::int64_t most = std::max<std::int64_t>(65'536, product({4, samples, s.pipeline}));
        add_ladder(values, samples, most);
        if (s.pipeline > 1) add_ladder(values, product({samples, s.pipeline}), most);
    } else if (path == "training.sequence_length") {
        for (std::int64_t length = 512; length <= 1'048'576; length *= 2) values.push_back(length);
    } else if (path == "memory.recompute_layers" || path == "memory.offload_layers") {
        add_range(values, 0, std::min<std::int64_t>(128, layers_of_fullest_rank(s)));
    } else if (path == "model.layers") {
        add_range(values, s.pipeline, std::max<std::int64_t>(s.pipeline, 64));
        add_ladder(values, std::max<std::int64_t>(8, s.pipeline),
                   std::max<std::int64_t>(512, 2 * s.pipeline));
    } else if (path == "model.heads") {
        add_divisors(values, s.shape.hidden, 1, 512);
    } else if (path == "model.kv_heads") {
        add_divisors(values, s.shape.heads, 1, s.shape.heads);
    } else if (path == "model.moe.top_k") {
        add_range(values, 1, s.moe() ? std::min<std::int64_t>(32, s.shape.moe->experts) : 1);
    } else {
        const auto row = std::find_if(kLadders.begin(), kLadders.end(),
                                      [&](const ModelLadder& ladder) { return ladder.path == path; });
        if (field.minimum <= 0) values.push_back(0);
        add_ladder(values, row == kLadders.end() ? 1 : row->unit, row == kLadders.end() ? 4096 : row->most);
    }
    return values;
}

/// Sets the field in the trial as edit_field() would, without its copy of the whole plan.
void set_following(Setup& trial, std::string_view path, const Field& field, std::int64_t value) {
    Plan& plan = trial.plan;
    Parallel& parallel = plan.parallel;
    field.set(plan, FieldValue(value));
    const auto ranks = [&] { return product({parallel.tensor, parallel.pipeline, parallel.context}); };
    if (path == "parallel.tensor" || path == "parallel.pipeline" || path == "parallel.context" ||
        path == "cluster.gpus")
        parallel.data = std::max<std::int64_t>(1, plan.cluster.gpus / ranks());
    if (path == "parallel.tensor" && value == 1 && is_among(plan.target, kMegatronRunners))
        parallel.sequence = false;
    if (path == "parallel.data") plan.cluster.gpus = std::min(kMostGpus, product({value, ranks()}));
    if (path == "parallel.pipeline" || path == "parallel.virtual_pipeline") {
        const auto entries = static_cast<std::int64_t>(parallel.layers_per_stage.size());
        if (entries != parallel.pipeline &&
            entries != product({parallel.pipeline, parallel.virtual_pipeline}))
            parallel.layers_per_stage.clear();
    }
    if (path == "parallel.virtual_pipeline") {
        if (value > 1 && parallel.schedule == ScheduleKind::one_f_one_b)
            parallel.schedule = ScheduleKind::interleaved;
        if (value == 1 && parallel.schedule == ScheduleKind::interleaved)
            parallel.schedule = ScheduleKind::one_f_one_b;
    }
}

/// The error rules that the plan's target turns on; the candidates leave it as it is.
std::vector<std::size_t> acting_errors(const Setup& setup) {
    std::vector<std::size_t> acting;
    const std::span<const Rule> rules = table();
    for (std::size_t i = 0; i < rules.size() && i < Broken().size(); ++i)
        if (rules[i].severity == Severity::error &&
            (*rules[i].launcher == '\0' || targets(setup, rules[i].launcher)))
            acting.push_back(i);
    return acting;
}

Broken errors_of(const Setup& setup, const std::vector<std::size_t>& acting) {
    Broken bits;
    for (const std::size_t i : acting)
        if (table()[i].broken(setup)) bits.set(i);
    return bits;
}

} // namespace

std::vector<std::int64_t> legal_values(const Plan& plan, const Catalog& catalog, std::string_view path) {
    const Field* field = find_field(path);
    if (!field || field->type != FieldType::integer) return {};
    const bool of_model = path.starts_with("model.");
    if (of_model && (!std::holds_alternative<ModelShape>(plan.model) ||
                     std::holds_alternative<std::monostate>(field->get(plan))))
        return {};
    const Result<Setup> resolved = resolve(plan, catalog);
    if (!resolved) return {};
    Setup trial = *resolved;

    Values values = candidates(trial, path, *field);
    const FieldValue given = field->get(plan);
    if (const std::int64_t* now = std::get_if<std::int64_t>(&given))
        values.push_back(*now);
    else if (path == "parallel.data")
        values.push_back(trial.data);
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    std::erase_if(values, [&](std::int64_t value) {
        return static_cast<double>(value) < field->minimum || static_cast<double>(value) > field->maximum;
    });

    std::vector<Broken> broken;
    broken.reserve(values.size());
    const std::vector<std::size_t> acting = acting_errors(trial);
    Broken always; // errors that no value of this field can mend are not about it
    always.set();
    for (const std::int64_t value : values) {
        trial.plan.parallel = plan.parallel;
        trial.plan.cluster.gpus = plan.cluster.gpus;
        if (of_model) trial.plan.model = plan.model;
        set_following(trial, path, *field, value);
        derive(trial, false);
        broken.push_back(errors_of(trial, acting));
        always &= broken.back();
    }
    const auto keep = [&](const Broken& counted) {
        Values legal;
        for (std::size_t i = 0; i < values.size(); ++i)
            if (((broken[i] ^ always) & counted).none()) legal.push_back(values[i]);
        return legal;
    };
    Broken all;
    all.set();
    Values legal = keep(all);
    if (legal.size() < 2 && !path.starts_with("training.")) {
        // Only the batch, the length of a sequence or a switch stands against the other values, and those are
        // easily changed in turn.
        for (std::size_t i = 0; i < table().size(); ++i)
            if (const std::string_view about = table()[i].path;
                about.starts_with("training.") || about == "parallel.sequence")
                all.reset(i);
        Values wider = keep(all);
        if (wider.size() > legal.size()) legal = std::move(wider);
    }
    return legal;
}

} // namespace shardlens::rules
