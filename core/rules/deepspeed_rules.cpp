// SPDX-License-Identifier: GPL-3.0-or-later
// DeepSpeed 0.19: deepspeed/runtime/pipe/engine.py, runtime/config.py, module_inject/auto_ep_config.py,
// module_inject/auto_ep_folding.py.
#include <array>

#include "rules/deepspeed_muon.h"
#include "rules/support.h"

namespace shardlens::rules {

namespace {

constexpr const char* kDeepSpeed = "deepspeed";

bool experts(const Setup& s) { return s.moe() && s.expert > 1; }
bool hybrid(const Setup& s) { return s.plan.parallel.shard_group > 0; }
std::int64_t stage_ranks(const Setup& s) { return s.world() / s.pipeline; }

constexpr std::array kRules = {
    Rule{"deepspeed-zero-pipeline", "parallel.zero", kDeepSpeed, Severity::error,
         [](const Setup& s) { return s.zero >= 2 && s.pipeline > 1; },
         [](const Setup& s, Message& message) {
             say(message, "DeepSpeed refuses zero {0} with {1} pipeline ranks", s.zero, s.pipeline);
             propose(message, {{"parallel.zero", std::int64_t{1}}});
             propose(message, {{"parallel.pipeline", std::int64_t{1}}});
         }},
    Rule{"deepspeed-ulysses-grid", "parallel.context", kDeepSpeed, Severity::error,
         [](const Setup& s) {
             return s.context > 1 && product({s.tensor, s.pipeline}) > 1;
         },
         [](const Setup& s, Message& message) {
             say(message,
                 "Ulysses stands beside data parallelism only: context {0} cannot be combined with tensor "
                 "{1} and "
                 "pipeline {2}",
                 s.context, s.tensor, s.pipeline);
             propose(message, {{"parallel.context", std::int64_t{1}}});
             propose(message, {{"parallel.tensor", std::int64_t{1}}, {"parallel.pipeline", std::int64_t{1}}});
         }},
    Rule{"deepspeed-hybrid", "parallel.shard_group", kDeepSpeed, Severity::error,
         [](const Setup& s) { return hybrid(s) && s.zero > 0 && s.zero < 3; },
         [](const Setup& s, Message& message) {
             say(message, "DeepSpeed shards over a part of the ranks with zero 3 only, not {0}", s.zero);
             propose(message, {{"parallel.shard_group", std::int64_t{0}}});
             propose(message, {{"parallel.zero", std::int64_t{3}}});
         }},
    Rule{"deepspeed-experts-zero3", "parallel.zero", kDeepSpeed, Severity::error,
         [](const Setup& s) {
             return experts(s) && s.zero == 3 && (s.tensor > 1 || s.context > 1 || hybrid(s));
         },
         [](const Setup& s, Message& message) {
             say(message,
                 "Expert parallelism with zero 3 excludes tensor parallelism, Ulysses and hybrid sharding");
             Edits edits{{"parallel.zero", std::int64_t{2}}};
             if (hybrid(s)) edits.emplace_back("parallel.shard_group", std::int64_t{0});
             propose(message, std::move(edits));
         }},
    // validate_folding_global; what leaves the GPU without ZeRO, or to NVMe below stage 3, is not written at
    // all.
    Rule{"deepspeed-experts-offload", "memory.offload_optimizer", kDeepSpeed, Severity::error,
         [](const Setup& s) {
             return experts(s) && s.tensor > 1 && s.pipeline == 1 && s.zero >= 1 &&
                    s.plan.memory.offload_optimizer == Offload::cpu;
         },
         [](const Setup& s, Message& message) {
             say(message,
                 "DeepSpeed refuses to offload the optimizer where experts are spread beside tensor {0}",
                 s.tensor);
             propose(message, {{"memory.offload_optimizer", std::string("none")}});
             propose(message, {{"parallel.tensor", std::int64_t{1}}});
         }},
    // runtime/zero/mics.py: replicas of a shard group reduce their gradients on the accelerator.
    Rule{"deepspeed-hybrid-offload", "memory.offload_optimizer", kDeepSpeed, Severity::error,
         [](const Setup& s) {
             return hybrid(s) && s.zero == 3 && s.shard < product({s.data, s.context}) &&
                    s.plan.memory.offload_optimizer != Offload::none;
         },
         [](const Setup& s, Message& message) {
             say(message,
                 "DeepSpeed cannot offload the optimizer where states are sharded over {0} of {1} ranks",
                 s.shard, product({s.data, s.context}));
             propose(message, {{"memory.offload_optimizer", std::string("none")}});
             propose(message, {{"parallel.shard_group", std::int64_t{0}}});
         }},
    // stage_1_and_2.py: gradients of experts are reduced with reduce_scatter only.
    Rule{"deepspeed-muon-experts", "training.optimizer", kDeepSpeed, Severity::error,
         [](const Setup& s) { return experts(s) && s.zero < 3 && muon_needs_whole_gradients(s); },
         [](const Setup& s, Message& message) {
             say(message,
                 "DeepSpeed's muon on the host needs reduce_scatter off, experts with zero {0} need it on",
                 s.zero);
             propose(message, {{"memory.offload_optimizer", std::string("none")}});
             propose(message, {{"training.optimizer", std::string("adamw")}});
         }},
    // module_inject/tp_shard.py deals whole KV heads; ranks beyond their number stay without one.
    Rule{"deepspeed-kv-heads", "parallel.tensor", kDeepSpeed, Severity::warning,
         [](const Setup& s) { return s.pipeline == 1 && !s.shape.mla && s.tensor > s.shape.kv(); },
         [](const Setup& s, Message& message) {
             say(message, "DeepSpeed's AutoTP has {0} KV heads for {1} tensor ranks: some ranks hold none",
                 s.shape.kv(), s.tensor);
             propose(message, {{"parallel.tensor", s.shape.kv()}});
         }},
    Rule{"deepspeed-experts-world", "parallel.expert", kDeepSpeed, Severity::error,
         [](const Setup& s) { return experts(s) && stage_ranks(s) % s.expert != 0; },
         [](const Setup& s, Message& message) {
             say(message, "{0} ranks of a stage do not split into groups of {1} experts' ranks",
                 stage_ranks(s), s.expert);
             propose_each(message, "parallel.expert",
                          near_divisors(stage_ranks(s), s.expert, 2, [](std::int64_t) { return true; }));
         }},
};

} // namespace

std::span<const Rule> deepspeed_rules() { return kRules; }

} // namespace shardlens::rules
