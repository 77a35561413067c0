// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/fields.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "catch.h"

using namespace shardlens;

namespace {

/// The field names of contract, section 1, written down by hand in its order.
const std::vector<std::string> kContract = {"name",
                                            "stack",
                                            "stack_version",
                                            "target",
                                            "model",
                                            "model.name",
                                            "model.layers",
                                            "model.hidden",
                                            "model.heads",
                                            "model.kv_heads",
                                            "model.head_dim",
                                            "model.ffn_hidden",
                                            "model.gated_mlp",
                                            "model.activation",
                                            "model.vocab",
                                            "model.tied_embeddings",
                                            "model.learned_positions",
                                            "model.norm",
                                            "model.norm_bias",
                                            "model.norms_per_layer",
                                            "model.final_norm",
                                            "model.qk_norm",
                                            "model.biases",
                                            "model.attention_window",
                                            "model.global_attention_every",
                                            "model.attention_sinks",
                                            "model.embedding_dim",
                                            "model.embedding_norm",
                                            "model.parallel_block",
                                            "model.moe.experts",
                                            "model.moe.top_k",
                                            "model.moe.expert_ffn",
                                            "model.moe.shared_ffn",
                                            "model.moe.dense_layers",
                                            "model.moe.layer_step",
                                            "model.moe.capacity_factor",
                                            "model.moe.score_bias",
                                            "model.mla.q_rank",
                                            "model.mla.kv_rank",
                                            "model.mla.qk_nope",
                                            "model.mla.qk_rope",
                                            "model.mla.v_dim",
                                            "model.mtp_layers",
                                            "model.parameters",
                                            "cluster.node",
                                            "cluster.gpus",
                                            "cluster.accelerator",
                                            "cluster.gpus_per_node",
                                            "cluster.memory_bytes",
                                            "cluster.memory_bandwidth_bytes_per_s",
                                            "cluster.scale_up_bytes_per_s_per_gpu",
                                            "cluster.scale_out_bytes_per_s_per_gpu",
                                            "cluster.scale_up_domain",
                                            "cluster.nodes_per_pod",
                                            "cluster.oversubscription",
                                            "cluster.host_memory_bytes",
                                            "cluster.power_w",
                                            "cluster.dollars_per_gpu_hour",
                                            "cluster.mtbf_hours_per_gpu",
                                            "cluster.checkpoint_bytes_per_s",
                                            "cluster.pue",
                                            "cluster.kg_co2_per_kwh",
                                            "cluster.hosts",
                                            "training.sequence_length",
                                            "training.micro_batch_size",
                                            "training.global_batch_size",
                                            "training.precision",
                                            "training.optimizer",
                                            "training.attention",
                                            "training.gradient_dtype",
                                            "training.optimizer_dtype",
                                            "training.tokens",
                                            "training.moe_imbalance",
                                            "training.assumed_mfu",
                                            "parallel.tensor",
                                            "parallel.sequence",
                                            "parallel.pipeline",
                                            "parallel.virtual_pipeline",
                                            "parallel.virtual_pipeline_group",
                                            "parallel.context",
                                            "parallel.context_kind",
                                            "parallel.expert",
                                            "parallel.expert_tensor",
                                            "parallel.data",
                                            "parallel.zero",
                                            "parallel.shard_group",
                                            "parallel.schedule",
                                            "parallel.layers_per_stage",
                                            "parallel.rank_order",
                                            "memory.recompute",
                                            "memory.recompute_modules",
                                            "memory.recompute_method",
                                            "memory.recompute_layers",
                                            "memory.offload_optimizer",
                                            "memory.offload_parameters",
                                            "memory.offload_activations",
                                            "memory.offload_layers",
                                            "memory.usable_fraction",
                                            "overlap.tensor",
                                            "overlap.grad_reduce",
                                            "overlap.param_gather",
                                            "overlap.pipeline",
                                            "overlap.expert",
                                            "fidelity"};

/// A plan whose model is an object with every part, so that every field exists.
Plan full_plan() {
    Plan plan;
    ModelShape shape;
    shape.moe.emplace();
    shape.mla.emplace();
    plan.model = shape;
    return plan;
}

std::string what(Plan plan, std::string_view path, const FieldValue& value) {
    const Plan before = plan;
    const Error error = set_field(plan, path, value);
    if (!error.what.empty()) CHECK(plan == before);
    return error.what;
}

bool numeric(const Field& field) {
    return field.type == FieldType::integer || field.type == FieldType::number;
}

} // namespace

TEST_CASE("the table holds the contract's fields in the contract's order") {
    std::vector<std::string> paths;
    for (const Field& field : fields()) paths.emplace_back(field.path);
    CHECK(paths == kContract);
    for (const std::string& path : kContract) {
        const Field* field = find_field(path);
        REQUIRE(field);
        CHECK(path ==
              (field->group().empty() ? "" : std::string(field->group()) + ".") + std::string(field->key()));
    }
    CHECK_FALSE(find_field("parallel"));
    CHECK_FALSE(find_field("parallel.tensor."));
}

TEST_CASE("what must be given is what the contract says") {
    std::set<std::string> required;
    for (const Field& field : fields())
        if (field.required) required.insert(field.path);
    CHECK(required == std::set<std::string>{"model", "model.layers", "model.hidden", "model.heads",
                                            "model.vocab", "model.moe.experts", "model.moe.top_k",
                                            "model.moe.expert_ffn", "model.mla.kv_rank", "model.mla.qk_nope",
                                            "model.mla.qk_rope", "model.mla.v_dim", "cluster.node",
                                            "cluster.gpus", "training.sequence_length",
                                            "training.micro_batch_size", "training.global_batch_size"});
}

TEST_CASE("bounds are the contract's") {
    const auto bounds = [](const char* path) {
        const Field* field = find_field(path);
        REQUIRE(field);
        return std::pair(field->minimum, field->maximum);
    };
    using Bounds = std::pair<double, double>;
    CHECK(bounds("cluster.gpus") == Bounds(1, 10'000'000));
    CHECK(bounds("model.layers") == Bounds(1, 100'000));
    CHECK(bounds("training.sequence_length") == Bounds(1, 1e9));
    CHECK(bounds("model.parameters") == Bounds(1, 1e16));
    for (const char* count : {"training.micro_batch_size", "training.global_batch_size", "parallel.tensor",
                              "parallel.pipeline", "parallel.context", "parallel.expert", "parallel.data",
                              "model.hidden", "model.heads", "model.vocab", "model.moe.experts"})
        CHECK(bounds(count) == Bounds(1, 2147483647));
    CHECK(bounds("parallel.zero") == Bounds(0, 3));
    CHECK(bounds("memory.usable_fraction").second == 1);
    CHECK(bounds("memory.usable_fraction").first > 0);
    CHECK(bounds("training.assumed_mfu").second == 1);
    CHECK(bounds("training.assumed_mfu").first > 0);
    CHECK(bounds("cluster.pue").first == 1);
    CHECK(bounds("cluster.oversubscription").first == 1);
    CHECK(bounds("training.moe_imbalance").first == 1);
    CHECK(bounds("cluster.scale_out_bytes_per_s_per_gpu").first > 0);
}

TEST_CASE("every field says in words what it is") {
    std::set<std::string> labels;
    for (const Field& field : fields()) {
        INFO(field.path);
        const std::string label(field.label), tooltip(field.tooltip);
        CHECK(label.size() >= 3);
        CHECK(label.size() <= 32); // fits beside a control
        CHECK(std::isupper(static_cast<unsigned char>(label[0])));
        CHECK(std::isupper(static_cast<unsigned char>(tooltip[0])));
        CHECK(tooltip.back() == '.');
        CHECK(tooltip.find(". ") == std::string::npos); // one sentence
        CHECK(labels.insert(std::string(field.group()) + "/" + label).second);
        CHECK_FALSE(expectation(field).empty());
    }
}

TEST_CASE("numbers are taken at their bounds and refused beyond") {
    for (const Field& field : fields()) {
        if (!numeric(field)) continue;
        INFO(field.path);
        for (const double bound : {field.minimum, field.maximum}) {
            Plan plan = full_plan();
            REQUIRE(set_field(plan, field.path, bound).what.empty());
            const FieldValue got = get_field(plan, field.path);
            if (field.type == FieldType::integer)
                CHECK(std::get<std::int64_t>(got) == static_cast<std::int64_t>(bound));
            else
                CHECK(std::get<double>(got) == bound);
        }
        const double inf = std::numeric_limits<double>::infinity();
        for (const double outside : {field.minimum - 1, field.maximum * 1.01 + 1, inf, -inf, std::nan("")})
            CHECK_FALSE(what(full_plan(), field.path, outside).empty());
        CHECK_FALSE(what(full_plan(), field.path, std::string("8")).empty());
        CHECK_FALSE(what(full_plan(), field.path, true).empty());
        CHECK_FALSE(what(full_plan(), field.path, std::vector<std::int64_t>{1}).empty());
        if (field.type == FieldType::integer) CHECK_FALSE(what(full_plan(), field.path, 1.5).empty());
    }
}

TEST_CASE("choices are taken and nothing else") {
    for (const Field& field : fields()) {
        INFO(field.path);
        const bool list = field.type == FieldType::choice_list;
        if (field.type != FieldType::choice && !list) {
            CHECK(field.choices.empty());
            continue;
        }
        for (const std::string_view name : field.choices) {
            Plan plan = full_plan();
            const FieldValue value = list ? FieldValue{std::vector<std::string>{std::string(name)}}
                                          : FieldValue{std::string(name)};
            REQUIRE(set_field(plan, field.path, value).what.empty());
            CHECK(get_field(plan, field.path) == value);
        }
        CHECK_FALSE(what(full_plan(), field.path, std::string("unheard-of")).empty());
        CHECK_FALSE(what(full_plan(), field.path, std::vector<std::string>{"unheard-of"}).empty());
        CHECK_FALSE(what(full_plan(), field.path, std::int64_t{1}).empty());
    }
    CHECK(find_field("training.optimizer_dtype")->choices == std::vector<std::string_view>{"fp32", "bf16"});
    CHECK(what(full_plan(), "parallel.schedule", std::string("pipedream")).find("asynchronous") !=
          std::string::npos);
    CHECK(schedule_kind("pipedream") == ScheduleKind::pipedream);
    CHECK_FALSE(schedule_kind("1f1b-"));
    CHECK(to_string(ScheduleKind::one_f_one_b_v) == "1f1b-v");
    CHECK(to_string(Optimizer::adamw_8bit) == "adamw-8bit");
    CHECK(to_string(QkNorm::per_head) == "per_head");
}

TEST_CASE("whole numbers may come as doubles") {
    Plan plan;
    REQUIRE(set_field(plan, "cluster.gpus", 1e5).what.empty());
    CHECK(plan.cluster.gpus == 100'000);
    REQUIRE(set_field(plan, "cluster.memory_bytes", std::int64_t{80'000'000'000}).what.empty());
    CHECK(plan.cluster.memory_bytes == 80e9);
}

TEST_CASE("leaving out gives the default, or an error where a value must be given") {
    Plan plan = full_plan();
    for (const Field& field : fields()) {
        INFO(field.path);
        Plan changed = plan;
        const std::string error = set_field(changed, field.path, std::monostate{}).what;
        if (field.required) {
            CHECK(error.find("is missing") == 0);
        } else {
            CHECK(error.empty());
            CHECK(get_field(changed, field.path) == default_value(field));
            CHECK(changed == plan);
        }
    }
    plan.parallel.data = 4;
    REQUIRE(set_field(plan, "parallel.data", std::monostate{}).what.empty());
    CHECK_FALSE(plan.parallel.data.has_value());
}

TEST_CASE("shape fields belong to a model object") {
    Plan plan;
    plan.model = std::string("llama3-70b");
    CHECK(get_field(plan, "model") == FieldValue{std::string("llama3-70b")});
    CHECK(get_field(plan, "model.layers") == FieldValue{});
    CHECK(what(plan, "model.layers", std::int64_t{8}) ==
          "the model is the preset \"llama3-70b\"; a model object can be changed in its parts");

    plan.model = ModelShape{};
    CHECK(get_field(plan, "model") == FieldValue{});
    CHECK(get_field(plan, "model.moe.experts") == FieldValue{});
    REQUIRE(set_field(plan, "model.moe.shared_ffn", std::monostate{}).what.empty());
    CHECK_FALSE(std::get<ModelShape>(plan.model).moe.has_value());
    REQUIRE(set_field(plan, "model.moe.experts", std::int64_t{8}).what.empty());
    CHECK(std::get<ModelShape>(plan.model).moe->experts == 8);
}

TEST_CASE("biases are false, true or a list") {
    Plan plan = full_plan();
    const auto biases = [&] { return std::get<ModelShape>(plan.model).biases; };
    REQUIRE(set_field(plan, "model.biases", true).what.empty());
    CHECK(biases() == Biases::all());
    REQUIRE(set_field(plan, "model.biases", std::vector<std::string>{"router", "lm_head"}).what.empty());
    CHECK(biases() == Biases{false, false, false, true, true, false});
    REQUIRE(set_field(plan, "model.biases", false).what.empty());
    CHECK(biases() == Biases{});
    CHECK(what(plan, "memory.recompute_modules", true).find("true") == 0);
    CHECK(what(plan, "model.biases", std::vector<std::string>{"qkv", "qkv"}).find("twice") !=
          std::string::npos);
}

TEST_CASE("rank orders name each degree once") {
    const auto good = [](const char* order) {
        return what(full_plan(), "parallel.rank_order", std::string(order)).empty();
    };
    // The contract's default, the textbook's order, and all of Megatron's shortened forms.
    for (const char* order : {"tp-cp-ep-dp-pp", "tp-cp-ep-pp-dp", "tp-cp-dp-pp", "pp-dp-cp-tp",
                              "ep-tp-cp-dp-pp", "megatron", "colossalai-dp-inside"})
        CHECK(good(order));
    for (const char* order :
         {"", "tp", "tp-cp-dp", "tp-tp-cp-dp-pp", "tp-cp-dp-pp-", "-tp-cp-dp-pp", "tp,cp,dp,pp",
          "TP-CP-DP-PP", "tp-cp-ep-ep-dp-pp", "etp-cp-dp-pp", "megatron-lm"})
        CHECK_FALSE(good(order));
}

TEST_CASE("text is one line of UTF-8") {
    CHECK(what(full_plan(), "name", std::string("two\nlines")).find("control character") !=
          std::string::npos);
    CHECK(what(full_plan(), "name", std::string("\xFF")).find("not UTF-8") != std::string::npos);
    CHECK(what(full_plan(), "cluster.hosts", std::vector<std::string>{"a", "b\tc"}).find("position 1") !=
          std::string::npos);
    CHECK_FALSE(what(full_plan(), "cluster.hosts", std::vector<std::string>{""}).empty());
    CHECK(what(full_plan(), "name", std::string("漢字")).empty());
    CHECK(what(full_plan(), "name", std::string()).empty());
    CHECK_FALSE(what(full_plan(), "cluster.node", std::string()).empty());
    CHECK_FALSE(what(full_plan(), "stack", std::string()).empty());
}

TEST_CASE("an unknown path names the nearest field") {
    const Error error = [] {
        Plan plan;
        return set_field(plan, "parallel.tensr", std::int64_t{8});
    }();
    CHECK(error.line() == "parallel.tensr: is no field; parallel.tensor is");
    CHECK(get_field(Plan{}, "parallel.tensr") == FieldValue{});
}

TEST_CASE("values read as a person writes them") {
    CHECK(to_text(std::int64_t{8192}) == "8192");
    CHECK(to_text(8192.0) == "8192");
    CHECK(to_text(0.9) == "0.9");
    CHECK(to_text(1e12) == "1000000000000");
    CHECK(to_text(1e16) == "1e16");
    CHECK(to_text(-0.5) == "-0.5");
    CHECK(to_text(true) == "true");
    CHECK(to_text(std::string("bf16")) == "bf16");
    CHECK(to_text(std::vector<std::int64_t>{1, 2}) == "[1, 2]");
    CHECK(to_text(std::vector<std::string>{"mlp", "moe"}) == "[mlp, moe]");
    CHECK(to_text(std::vector<std::int64_t>{}) == "[]");
    CHECK(to_text(FieldValue{}).empty());
}

TEST_CASE("a target is a launcher of the contract, with one of its versions") {
    for (const char* good : {"megatron-lm", "megatron-lm@0.12", "torchtitan@main", "sagemaker@2", "contract@1"})
        CHECK(what(full_plan(), "target", std::string(good)).empty());
    for (const char* bad : {"foo", "megatron-lm@7", "deepspeed@", "@0.19", "Megatron-LM"})
        CHECK(what(full_plan(), "target", std::string(bad)).find("launchers: megatron-lm") != std::string::npos);
}

TEST_CASE("a message puts its arguments into its sentence") {
    Message message;
    message.text_template = "{0} heads over {1} ranks: {0} / {1}, {2} and {x} stay";
    message.arguments = {"28", "{0}"};
    CHECK(message.text() == "28 heads over {0} ranks: 28 / {0}, {2} and {x} stay");
    message.text_template = "ends in {";
    CHECK(message.text() == "ends in {");
    CHECK(std::string(to_string(Severity::warning)) == "warning");
}
