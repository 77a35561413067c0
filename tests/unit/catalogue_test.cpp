// SPDX-License-Identifier: GPL-3.0-or-later
// The whole hardware catalogue: every accelerator and node is there with its published figures and plans on
// it give numbers that a machine can have. Torus fabrics against the links they are made of.
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "cost/collectives.h"
#include "detailed_plans.h"
#include "model/counts.h"
#include "model/operators.h"
#include "json/strict_json.h"

using namespace shardlens;
using namespace shardlens::test;

namespace {

nlohmann::ordered_json data(const std::string& name) {
    const auto path = data_file(name);
    const auto text = read_text(path);
    REQUIRE(text.ok());
    auto json = parse_strict(*text, path);
    REQUIRE(json.ok());
    return std::move(json).value();
}

nlohmann::json preset(const std::string& id) {
    const auto text = catalog().text(id);
    REQUIRE(text.ok());
    return nlohmann::json::parse(*text);
}

/// Every published figure of `row` stands in the preset of the same id.
void check_figures(const nlohmann::ordered_json& row) {
    const auto id = row["id"].get<std::string>();
    const auto shipped = preset(id);
    for (const auto& [key, value] : row.items()) {
        INFO(id << " " << key);
        REQUIRE(shipped.contains(key));
        if (value.is_number())
            CHECK(shipped[key].get<double>() == Approx(value.get<double>()).epsilon(1e-9));
        else
            CHECK(shipped[key] == value);
    }
}

/// A model that fits every device and a layout that uses the fast fabric and the network.
Plan small_plan(const std::string& node_id, const char* model, std::int64_t tensor, std::int64_t expert) {
    const auto node = catalog().node(node_id);
    REQUIRE(node.ok());
    Plan plan = detailed_plan({}, node_id.c_str(), 2 * std::max((*node)->gpus_per_node, tensor));
    plan.model = std::string(model);
    plan.stack = "generic";
    plan.training.sequence_length = 1024;
    plan.parallel.tensor = tensor;
    plan.parallel.sequence = tensor > 1;
    const std::int64_t data = plan.cluster.gpus / tensor;
    plan.parallel.data = data;
    plan.parallel.expert = expert;
    plan.parallel.zero = 1;
    plan.training.global_batch_size = 4 * data;
    return plan;
}

void check_sane(const Plan& plan) {
    const auto report = report_of(plan);
    const auto& time = report->time;
    CHECK((std::isfinite(time.step_s) && time.step_s > 0));
    for (const double part : {time.forward_s, time.backward_s, time.optimizer_s, time.tokens_per_s})
        CHECK((std::isfinite(part) && part > 0));
    for (const double part : {time.tensor_comm_s, time.expert_comm_s, time.data_comm_s, time.other_s})
        CHECK((std::isfinite(part) && part >= 0));
    if (plan.parallel.tensor > 1) CHECK(time.tensor_comm_s > 0);
    CHECK(time.mfu > 0.001);
    CHECK(time.mfu < 1);
    CHECK(time.hfu < 1);
    CHECK((std::isfinite(report->memory.peak_bytes) && report->memory.peak_bytes > 0));
    CHECK(report->memory.capacity_bytes > 15e9);
}

} // namespace

TEST_CASE("37 accelerators with their published figures") {
    const auto rows = data("hardware.json")["accelerators"];
    CHECK(rows.size() == 37);
    CHECK(catalog().ids(PresetKind::accelerator).size() == 37);
    for (const auto& row : rows) check_figures(row);
}

TEST_CASE("45 nodes with their published figures") {
    const auto rows = data("hardware.json")["nodes"];
    CHECK(rows.size() == 45);
    CHECK(catalog().ids(PresetKind::node).size() == 45);
    for (const auto& row : rows) check_figures(row);
}

TEST_CASE("a small plan on every node gives possible numbers") {
    for (const auto& id : catalog().ids(PresetKind::node)) {
        INFO(id);
        Plan plan = small_plan(id, "llama3.2-1b", 1, 1);
        check_sane(plan);
        for (const auto precision : {Precision::fp8, Precision::fp32}) {
            plan.training.precision = precision;
            check_sane(plan);
        }
        check_sane(small_plan(id, "llama3.2-1b", 2, 1));
        check_sane(small_plan(id, "qwen3-30b-a3b", 1, 4));
    }
}

TEST_CASE("every accelerator can take another's place in a node") {
    for (const auto& id : catalog().ids(PresetKind::accelerator)) {
        INFO(id);
        for (const auto* node : {"dgx-h100", "tpu-v5e-slice"}) {
            Plan plan = small_plan(node, "llama3.2-1b", 2, 1);
            plan.cluster.accelerator = id;
            check_sane(plan);
            plan.training.precision = Precision::fp8;
            check_sane(plan);
        }
    }
}

TEST_CASE("fp8 gains nothing where the unit runs at the 16-bit rate") {
    Plan plan = small_plan("dgx-h100", "llama3-8b", 1, 1);
    plan.training.sequence_length = 8192;
    const auto step = [&](const char* id, Precision precision) {
        plan.cluster.accelerator = id;
        plan.training.precision = precision;
        return report_of(plan)->time.step_s;
    };
    CHECK(step("trainium1", Precision::fp8) >= step("trainium1", Precision::bf16));
    CHECK(step("trainium2", Precision::fp8) < step("trainium2", Precision::bf16));
    CHECK(step("tpu-v5p", Precision::fp8) >= step("tpu-v5p", Precision::bf16)); // no fp8 unit
    CHECK(step("tpu-v7x", Precision::fp8) < step("tpu-v7x", Precision::bf16));
}

// Links of 45 GB/s each way, four per v5e chip, rings on full axes of 16 (Cloud TPU documentation, scaling
// book): an 8x8 slice is an open mesh and reaches half, a row of two chips has one link of the four.
TEST_CASE("a torus gives a group the links of the axes it lies on") {
    const auto v5e = catalog().node("tpu-v5e-slice");
    REQUIRE(v5e.ok());
    CHECK((*v5e)->scale_up_share(2) == 0.25);
    CHECK((*v5e)->scale_up_share(4) == 0.5);
    CHECK((*v5e)->scale_up_share(64) == 0.5);
    CHECK((*v5e)->scale_up_share(128) == 0.75); // 16x8
    CHECK((*v5e)->scale_up_share(256) == 1);
    CHECK((*v5e)->scale_up_ring_hops(256) == 16); // both ways round two rings of 16
    CHECK((*v5e)->scale_up_ring_hops(64) == 14);
    CHECK((*v5e)->scale_up_mean_hops(256) == 8);
    CHECK((*v5e)->scale_up_mean_hops(1) == 1);
    // v4 and v5p close rows of 4: a 4x4x4 cube is a full torus, 4x2x2 a ring and two open rows.
    const auto v5p = catalog().node("tpu-v5p-pod");
    REQUIRE(v5p.ok());
    CHECK((*v5p)->scale_up_share(64) == 1);
    CHECK((*v5p)->scale_up_share(16) == Approx(2.0 / 3));
    CHECK((*v5p)->scale_up_ring_hops(64) == 6);
    CHECK((*v5p)->scale_up_share(8960) <= 1);
    // A switch serves every group in full, a mesh by the links to its members, a package by its own link.
    const auto dgx = catalog().node("dgx-h100"), mesh = catalog().node("azure-nd-mi300x-v5"),
               frontier = catalog().node("frontier");
    REQUIRE((dgx.ok() && mesh.ok() && frontier.ok()));
    CHECK((*dgx)->scale_up_share(2) == 1);
    CHECK((*dgx)->scale_up_ring_hops(8) == 7);
    CHECK((*mesh)->scale_up_share(2) == Approx(1.0 / 7));
    CHECK((*mesh)->scale_up_share(8) == 1);
    CHECK((*frontier)->scale_up_share(2) * (*frontier)->scale_up_bytes_per_s_per_gpu == Approx(200e9));
    CHECK((*frontier)->scale_up_share(8) == 1);
    // DGX-1 V100 as `nvidia-smi topo` draws it, six NVLinks of 25 GB/s a GPU: GPUs 0 and 1 have one between
    // them, quads two rings both ways, all eight three; four others are neighbours, three stand behind one.
    const auto cube = catalog().node("dgx-1v");
    REQUIRE(cube.ok());
    const double rate = (*cube)->scale_up_bytes_per_s_per_gpu;
    CHECK((*cube)->scale_up_share(2) * rate == Approx(25e9));
    CHECK((*cube)->scale_up_share(4) * rate == Approx(100e9));
    CHECK((*cube)->scale_up_share(8) * rate == Approx(150e9));
    CHECK((*cube)->scale_up_mean_hops(8) == Approx((4 * 1 + 3 * 2) / 7.0));
    CHECK((*cube)->scale_up_mean_hops(4) == 1);
}

// jax-ml/scaling-book, sharding: an all-gather of V bytes over a v5e axis with wrap-around takes V / 9e10 s,
// over two axes half of that, where latency does not count; 95 % of the link rate was measured.
TEST_CASE("all-gather on a TPU slice takes what its links allow") {
    Plan plan = detailed_plan(gpt(4, 1024, 16), "tpu-v5e-slice", 256);
    plan.parallel.data = 256;
    const Setup setup = setup_of(plan);
    placement::Reach reach;
    const auto seconds = [&](std::int64_t members, double bytes) {
        reach.members = reach.members_per_domain = reach.members_per_node = members;
        return cost::gather_time<double>(setup, reach, bytes);
    };
    CHECK(seconds(16, 1e9) == Approx(1e9 / 9e10 / 0.95).epsilon(0.1));
    CHECK(seconds(256, 1e9) == Approx(1e9 / 18e10 / 0.95).epsilon(0.1));
    CHECK(seconds(256, 1e3) > 16e-6); // 16 hops of 1 µs
    CHECK(seconds(256, 1e3) < 60e-6);
}

// Expected integers: tests/data/model_counts.json, "mtp".
TEST_CASE("multi-token-prediction layers hold the catalogue's weights") {
    int tested = 0;
    const auto rows = data("model_counts.json")["models"];
    for (const auto& row : rows) {
        if (!row.contains("mtp")) continue;
        const auto id = row["id"].get<std::string>();
        INFO(id);
        Plan plan = detailed_plan({}, "dgx-h100", 8);
        plan.model = id;
        plan.stack = "torchtitan"; // does not pad the vocabulary
        const Setup setup = setup_of(plan);
        const auto layer = model::layer<double>(setup, model::LayerKind::mtp);
        double weights = model::dense_weights(layer) + model::expert_weights(layer);
        // The router's score bias has no gradient: the catalogue counts it, the operators do not.
        if (setup.shape.moe && setup.shape.moe->score_bias)
            weights += static_cast<double>(setup.shape.moe->experts);
        CHECK(weights * static_cast<double>(setup.shape.mtp_layers) == row["mtp"].get<double>());
        ++tested;
    }
    CHECK(tested == 3);
}

TEST_CASE("the counted models cover every feature that changes a count") {
    std::set<std::string> seen;
    for (const auto& id : catalog().ids(PresetKind::model)) {
        const auto found = catalog().model(id);
        REQUIRE(found.ok());
        const ModelShape& s = (*found)->shape;
        if (s.moe) seen.insert(s.moe->shared_ffn > 0 ? "shared experts" : "experts");
        if (s.mla) seen.insert("mla");
        if (s.mtp_layers > 0) seen.insert("mtp");
        seen.insert(s.tied_embeddings ? "tied head" : "own head");
        if (s.biases.qkv) seen.insert("qkv bias");
        if (s.biases.lm_head) seen.insert("head bias");
        if (s.qk_norm == QkNorm::per_head) seen.insert("q/k norm per head");
        if (s.qk_norm == QkNorm::full) seen.insert("q/k norm over the width");
        if (s.learned_positions > 0) seen.insert("learned positions");
        if (s.attention_window > 0) seen.insert("window");
        if (s.attention_sinks) seen.insert("sinks");
        if (s.parallel_block) seen.insert("parallel block");
        if (s.embedding_dim > 0) seen.insert("narrow embedding");
        if (s.norms_per_layer == 4) seen.insert("four norms");
        if (s.kv() < s.heads) seen.insert("grouped queries");
    }
    CHECK(seen.size() == 17);
    CHECK(catalog().ids(PresetKind::model).size() == 109);
}
