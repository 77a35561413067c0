// SPDX-License-Identifier: GPL-3.0-or-later
// SageMaker's model parallel library, versions 1 and 2. The library is closed: its rules are those of its
// documentation and of the SDKs that check its parameters.
#include <array>

#include "rules/support.h"

namespace shardlens::rules {

namespace {

std::int64_t shard_ranks(const Setup& s) { return s.zero == 3 ? s.shard : 1; }

constexpr std::array kRules = {
    // Documentation of the model parallel library: sharded data parallelism excludes pipelines.
    Rule{"sagemaker-zero-pipeline", "parallel.zero", "sagemaker@1", Severity::error,
         [](const Setup& s) { return s.zero == 3 && s.pipeline > 1; },
         [](const Setup& s, Message& message) {
             say(message, "SageMaker's sharded data parallelism excludes {0} pipeline ranks", s.pipeline);
             propose(message, {{"parallel.zero", std::int64_t{1}}});
             propose(message, {{"parallel.pipeline", std::int64_t{1}}});
         }},
    // sagemaker/train/distributed.py: context_parallel_degree is at most hybrid_shard_degree
    Rule{
        "sagemaker-context-shard", "parallel.context", "sagemaker@2", Severity::error,
        [](const Setup& s) { return s.context > 1 && shard_ranks(s) % s.context != 0; },
        [](const Setup& s, Message& message) {
            say(message,
                "SageMaker's context ranks lie within a shard group: context {0} must divide the {1} ranks "
                "that "
                "states are sharded over",
                s.context, shard_ranks(s));
            if (s.zero != 3) propose(message, {{"parallel.zero", std::int64_t{3}}});
            propose(message, {{"parallel.shard_group", std::int64_t{0}}, {"parallel.zero", std::int64_t{3}}});
            propose(message, {{"parallel.context", std::int64_t{1}}});
        }},
};

} // namespace

std::span<const Rule> sagemaker_rules() { return kRules; }

} // namespace shardlens::rules
