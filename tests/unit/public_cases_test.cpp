// SPDX-License-Identifier: GPL-3.0-or-later
// Verdicts that public discussions reached; the plans and their sources: tests/data/cases/README.md.
#include "catch.h"

#include <algorithm>
#include <set>

#include "placement/placement.h"
#include "plan/plan_json.h"
#include "rules/rules.h"

using namespace shardlens;
using Codes = std::set<std::string>;
using Values = std::vector<std::int64_t>;

namespace {

const Catalog& catalog() {
    static const Catalog kCatalog({presets_directory()});
    return kCatalog;
}

struct Case {
    Plan plan;
    Setup setup;
    std::vector<Message> messages;

    explicit Case(const std::string& id, const std::vector<std::string>& sets = {}) {
        Result<Plan> read = load_plan(data_file("cases/" + id + ".json"), sets);
        if (!read) FAIL(read.error().line());
        plan = *read;
        Result<Setup> resolved = resolve(plan, catalog());
        if (!resolved) FAIL(resolved.error().line());
        setup = *resolved;
        messages = rules::check(setup);
    }
    [[nodiscard]] Codes errors() const { return codes(Severity::error); }
    [[nodiscard]] Codes codes(Severity severity) const {
        Codes result;
        for (const Message& message : messages)
            if (message.severity == severity) result.insert(message.code);
        return result;
    }
    [[nodiscard]] std::string text(std::string_view code) const {
        for (const Message& message : messages)
            if (message.code == code) return message.text();
        return {};
    }
    /// Does a fix of the message set this field to this value?
    [[nodiscard]] bool offers(std::string_view code, const std::string& path, std::int64_t value) const {
        for (const Message& message : messages)
            for (const Fix& fix : message.fixes)
                for (const auto& edit : fix.set)
                    if (message.code == code && edit.first == path && edit.second == FieldValue(value))
                        return true;
        return false;
    }
};

} // namespace

TEST_CASE("tensor degrees that do not divide the heads") {
    const Case qwen("val-qwen7b-tp8");
    CHECK(qwen.errors() == Codes{"tensor-heads"});
    CHECK(qwen.offers("tensor-heads", "parallel.tensor", 4));
    for (const std::string degree : {"1", "2", "4"})
        CHECK(Case("val-qwen7b-tp8", {"parallel.tensor=" + degree, "training.global_batch_size=8"})
                  .errors()
                  .empty());
    CHECK(Case("val-qwen7b-tp8", {"parallel.tensor=7", "cluster.gpus=7"}).errors().count("tensor-kv-heads") ==
          1);

    CHECK(Case("val-falcon7b-prime").errors() == Codes{"tensor-heads"}); // although 4544 / 4 is whole
    CHECK(Case("val-falcon7b-prime", {"parallel.tensor=71", "cluster.gpus=71"})
              .errors()
              .count("tensor-heads") == 0);
    CHECK(Case("val-llama30b-tp8").errors() == Codes{"tensor-heads"});
    CHECK(Case("val-llama30b-tp8", {"parallel.tensor=3", "cluster.gpus=3"}).errors().count("tensor-heads") ==
          1);
    CHECK(Case("syn-tp-gt-heads").errors().count("tensor-heads") == 1);
    for (const std::string degree : {"16", "32"}) // copies of the 8 KV heads
        CHECK(Case("syn-tp-gt-heads", {"parallel.tensor=" + degree, "training.global_batch_size=4"})
                  .errors()
                  .empty());
}

TEST_CASE("Ulysses degrees") {
    for (const std::string degree : {"1", "2", "4", "8", "40"}) {
        INFO(degree);
        CHECK(Case("val-verl-ulysses-14b", {"parallel.context=" + degree, "parallel.data=null"})
                  .errors()
                  .empty());
    }
    for (const std::string degree : {"5", "10", "16", "20"}) {
        INFO(degree);
        const Codes errors =
            Case("val-verl-ulysses-14b", {"parallel.context=" + degree, "parallel.data=null"}).errors();
        CHECK((errors.count("ulysses-heads") == 1 || errors.count("ulysses-kv-heads") == 1));
    }
}

TEST_CASE("expert parallelism re-uses the ranks of a stage") {
    for (const auto& [degree, edp] : {std::pair{"2", 4}, {"4", 2}, {"8", 1}}) {
        const Case legal("val-titan-ep-mesh", {std::string("parallel.expert=") + degree});
        CHECK(legal.errors().empty());
        CHECK(legal.setup.expert_data == edp);
    }
    for (const std::string degree : {"3", "16"})
        CHECK(Case("val-titan-ep-mesh", {"parallel.expert=" + degree}).errors() == Codes{"expert-grid"});

    for (const auto& [degree, edp] : {std::pair{"16", 2}, {"32", 1}}) {
        const Case legal("val-bridge-ep-gt-dp", {std::string("parallel.expert=") + degree});
        CHECK(legal.errors().empty());
        CHECK(legal.setup.expert_data == edp);
    }
    const Case wide("val-bridge-ep-gt-dp");
    CHECK(wide.text("expert-crosses-nodes").find("4 or more nodes") != std::string::npos);
    CHECK(Case("val-ep-cp-allowed").errors().empty());

    // One GPU per node: legal, but every all-to-all goes over Ethernet and pp is the better fit.
    const Case single("rank-1357-ep4");
    CHECK(single.errors().empty());
    CHECK(single.codes(Severity::warning).count("expert-apart") == 1);
    CHECK(single.codes(Severity::info).count("expert-crosses-nodes") == 0);
    CHECK(single.text("expert-apart").find("every all-to-all crosses the network") != std::string::npos);
    CHECK(single.text("expert-apart").find("pipeline stages fit such nodes better") != std::string::npos);
    CHECK(single.offers("expert-apart", "parallel.pipeline", 4));
    CHECK(placement::Placement::make(single.setup)->reach(placement::GroupKind::ep).nodes == 4);
    const Case stages("rank-1357-ep4", {"parallel.expert=1", "parallel.pipeline=4"});
    CHECK(stages.errors().empty());
    CHECK(stages.codes(Severity::warning).empty());
}

TEST_CASE("micro-batches and stages") {
    CHECK(Case("val-titan-pp-hang").errors() == Codes{"titan-few-micro-batches"});
    CHECK(Case("val-titan-pp-hang", {"parallel.schedule=gpipe"}).errors().empty());
    CHECK(
        Case("val-titan-pp-hang", {"target="}).codes(Severity::warning).count("pipeline-few-micro-batches") ==
        1);

    const Case nemo("val-vpp-microbatches-nemo");
    CHECK(nemo.errors() == Codes{"interleaved-few-micro-batches"});
    CHECK(nemo.text("interleaved-few-micro-batches").find("global batch 3 / (micro-batch 1 · data 1)") !=
          std::string::npos);
    CHECK(nemo.offers("interleaved-few-micro-batches", "training.global_batch_size", 6));

    const Case neox("val-neox-zero3-pp");
    CHECK(neox.errors() == Codes{"deepspeed-zero-pipeline"});
    CHECK(neox.offers("deepspeed-zero-pipeline", "parallel.zero", 1));

    const Case beyond("syn-pp-gt-layers");
    CHECK(beyond.errors() == Codes{"pipeline-layers"});
    CHECK(beyond.text("pipeline-layers").find("4 stages empty") != std::string::npos);
    CHECK(Case("val-nanotron-empty-stage").codes(Severity::warning).count("pipeline-empty-stage") == 1);
}

TEST_CASE("odd numbers of GPUs") {
    CHECK(Case("val-7b-5gpus").errors().count("tensor-heads") == 1);
    const Case stages("val-7b-5gpus-pp");
    CHECK(stages.errors().empty());
    CHECK(stages.setup.layers_per_chunk == Values{7, 7, 6, 6, 6});
    CHECK(stages.text("pipeline-uneven").find("6 to 7") != std::string::npos);

    const Case ten("syn-10t"); // 16384 / (8 · 25) = 81.92
    CHECK(ten.errors().count("world-size") == 1);
    CHECK(ten.offers("world-size", "cluster.gpus", 16200));
    CHECK(Case("syn-10t", {"cluster.gpus=16200", "training.global_batch_size=2025"}).errors().empty());
    CHECK(Case("syn-huge-seq").errors().empty());
}

TEST_CASE("batch arithmetic") {
    CHECK(Case("bat-starcoder41").errors().empty());
    CHECK(Case("bat-starcoder41").setup.micro_batches == 8);
    CHECK(Case("bat-internimage111").errors().empty());
    CHECK(Case("bat-internimage111").setup.micro_batches == 4);
    const Case seven("bat-openrlhf346");
    CHECK(seven.errors() == Codes{"batch-divisible"});
    CHECK(seven.offers("batch-divisible", "training.global_batch_size", 252));
    CHECK(seven.offers("batch-divisible", "training.global_batch_size", 266));
}

TEST_CASE("vocabularies are padded") {
    const Case vocabulary("val-vocab-151669");
    CHECK(vocabulary.errors().empty());
    CHECK(vocabulary.text("vocabulary-padded").find("remainder 1; 152064") != std::string::npos);
}

TEST_CASE("degrees that are no positive whole numbers") {
    const auto line = [](const std::string& set) {
        const Result<Plan> read =
            load_plan(data_file("cases/val-qwen7b-tp8.json"), std::vector<std::string>{set});
        return read ? std::string() : read.error().line();
    };
    for (const std::string path :
         {"parallel.tensor", "parallel.pipeline", "parallel.data", "parallel.context", "parallel.expert",
          "training.micro_batch_size", "training.sequence_length"})
        for (const std::string value : {"0", "-1", "1.5", "\"\"", "\"8 \""}) {
            INFO(path << "=" << value);
            CHECK(line(path + "=" + value).find(path) != std::string::npos);
        }
    CHECK(line("model.layers=-2").find("model.layers") != std::string::npos);
    CHECK(line("parallel.pipeline=2.0").empty());
    CHECK(line("model.vocab=1e5").empty());
}

TEST_CASE("a batch that does not come out") {
    const Case mismatch("syn-accum-mismatch", {"parallel.data=8"}); // 2 · 8 · 4 = 64, not 96
    CHECK(mismatch.errors().empty()); // 96 = 2 · 6 · 8: with accumulation free the batch is whole
    CHECK(mismatch.setup.micro_batches == 6);
    for (const std::string repair : {"training.micro_batch_size=3", "cluster.gpus=12"}) {
        const Case four("syn-accum-mismatch", {repair, "parallel.data=null"});
        CHECK(four.errors().empty());
        CHECK(four.setup.micro_batches == 4);
    }
    CHECK(Case("bat-codealpaca14").errors().empty()); // 8 · 4 · 8 = 256
    CHECK(Case("bat-codealpaca14").setup.micro_batches == 4);
    CHECK(Case("bat-nemorl355").errors() == Codes{"batch-divisible"}); // 2 samples per rank, micro-batch 8
    CHECK(Case("bat-nemorl355").offers("batch-divisible", "training.micro_batch_size", 2));
    CHECK(Case("val-dpo-chunk0").errors() == Codes{"batch-divisible"}); // half a sample per rank
}

TEST_CASE("meshes of launchers that shard") {
    // 16 ranks to a copy of the weights do not hold 32 ranks of experts.
    CHECK(Case("val-hsdp-ep-span").errors().count("torchtitan-experts") == 1);
    for (const std::string degree : {"16", "8", "4", "2"})
        CHECK(Case("val-hsdp-ep-span", {"parallel.expert=" + degree}).errors().empty());
    CHECK(Case("val-hsdp-ep-span", {"target=megatron-lm"}).errors().empty()); // its experts may span copies
    const Case mesh("val-accelerate-mesh");
    CHECK(mesh.errors().count("accelerate-one-shard") == 1);
    CHECK(Case("val-accelerate-mesh", {"parallel.tensor=1"}).errors().empty());
}
