// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCoreApplication>

#include "controls/core_text.h"
#include "controls/quantity.h"
#include "controls/sentence_pattern.h"

namespace shardlens {

using namespace Qt::StringLiterals;

namespace {

/// Sentences that reach us with their values put in.
constexpr const char* kSentences[] = {
    QT_TRANSLATE_NOOP(
        "core", "the plan names {0} of {1} nodes: complete the file hosts, in the order of the node ranks"),
    QT_TRANSLATE_NOOP("core", "train_batch_size is left out, because DeepSpeed compares it with all GPUs "
                              "when autotp_size is set; micro batch and accumulation make the true {0}"),
    QT_TRANSLATE_NOOP("core",
                      "bf16: replace the linear layers by Transformer Engine's {0} ones in your program"),
    QT_TRANSLATE_NOOP("core", "give {0} to deepspeed.initialize in your program"),
    QT_TRANSLATE_NOOP("core", "build a PipelineModule with num_stages={0} in your program; the step's {1} "
                              "micro-batches are gradient_accumulation_steps"),
    QT_TRANSLATE_NOOP("core", "DeepSpeed runs 1f1b instead of {0}"),
    QT_TRANSLATE_NOOP("core", "Megatron-LM runs {0} instead of {1}"),
    QT_TRANSLATE_NOOP("core", "choose partition_method so that the stages hold {0} layers"),
    QT_TRANSLATE_NOOP("core", "hand PipeModelDataParallelTopology(num_pp={0}, num_mp={1}, num_dp={2}) to "
                              "PipelineModule and build tensor-parallel layers in your program"),
    QT_TRANSLATE_NOOP("core", "build the MoE layers with ep_size={0} in your program"),
    QT_TRANSLATE_NOOP("core", "wrap {0} ({1}) in deepspeed.checkpointing.checkpoint in your program"),
    // The longest first: a shorter one would match it as well.
    QT_TRANSLATE_NOOP("core",
                      "build the model in your program: {0} layers, hidden {1}, {2} heads of size {3}, "
                      "{4} KV heads, FFN {5} of dense layers, {6} experts of width {7}, {8} for each "
                      "token, vocabulary {9}"),
    QT_TRANSLATE_NOOP("core",
                      "build the model in your program: {0} layers, hidden {1}, {2} heads of size {3}, "
                      "{4} KV heads, {5} experts of width {6}, {7} for each token, vocabulary {8}"),
    QT_TRANSLATE_NOOP("core",
                      "build the model in your program: {0} layers, hidden {1}, {2} heads of size {3}, "
                      "{4} KV heads, FFN {5}, vocabulary {6}"),
    QT_TRANSLATE_NOOP("core", "inside a layer wrap {0} and nothing else in your program"),
    QT_TRANSLATE_NOOP("core", "bf16: accelerate's Megatron-LM plugin has no {0}"),
    QT_TRANSLATE_NOOP("core", "feed sequences of {0} tokens in your program"),
    QT_TRANSLATE_NOOP("core", "gated SiLU (--swiglu) instead of gated {0}"),
    QT_TRANSLATE_NOOP("core", "GELU instead of {0}"),
    QT_TRANSLATE_NOOP("core", "the vocabulary is padded to {0} rows"),
    QT_TRANSLATE_NOOP("core", "not recomputed: {0} (no such module in this release or model)"),
    QT_TRANSLATE_NOOP("core", "the first {0} layers of each of the {1} chunks of a rank"),
    QT_TRANSLATE_NOOP("core", "AdamW: {0} has no {1}"),
    QT_TRANSLATE_NOOP("core", "not in the model that this file describes: {0}"),
    QT_TRANSLATE_NOOP("core", "torchtitan runs {0} instead of {1}"),
    // The longest first: a shorter one would match it as well.
    QT_TRANSLATE_NOOP("core",
                      "register a flavor \"plan\" in your program: {0} layers, hidden {1}, {2} heads of "
                      "size {3}, {4} KV heads, FFN {5} of dense layers, {6} experts of width {7}, {8} "
                      "for each token, vocabulary {9}"),
    QT_TRANSLATE_NOOP("core",
                      "register a flavor \"plan\" in your program: {0} layers, hidden {1}, {2} heads of "
                      "size {3}, {4} KV heads, {5} experts of width {6}, {7} for each token, "
                      "vocabulary {8}"),
    QT_TRANSLATE_NOOP("core",
                      "register a flavor \"plan\" in your program: {0} layers, hidden {1}, {2} heads of "
                      "size {3}, {4} KV heads, FFN {5}, vocabulary {6}"),
    QT_TRANSLATE_NOOP("core", "Megatron-LM runs 1f1b instead of {0}"),
    QT_TRANSLATE_NOOP("core", "fp8: accelerate's configuration has no {0}"),
    QT_TRANSLATE_NOOP("core", "give your loader batches of {0} samples per GPU"),
    QT_TRANSLATE_NOOP(
        "core", "give Accelerator gradient_accumulation_steps={0} in your program: {1} samples per step"),
    QT_TRANSLATE_NOOP("core", "make the optimizer ({0}) in your program"),
    QT_TRANSLATE_NOOP("core", "set moe_config=MoEConfig(num_experts={0}, top_k={1}, "
                              "moe_intermediate_size={2}) in your program: 0.4 cannot load one from YAML"),
    QT_TRANSLATE_NOOP("core", "nanotron runs 1f1b instead of {0}"),
    QT_TRANSLATE_NOOP("core", "bf16: nanotron 0.4 has no {0}"),
    QT_TRANSLATE_NOOP("core", "global_train_batch_size is {0}: llm-foundry divides it by all GPUs, and {1} "
                              "tensor ranks read the same samples"),
    QT_TRANSLATE_NOOP("core", "amp_fp8: llm-foundry has no {0}"),
    QT_TRANSLATE_NOOP("core", "{0} processes on each of the {1} nodes"),
    // What would be right for a field (expectation() in core/plan), as an argument of a note.
    QT_TRANSLATE_NOOP("core", "a whole number from {0} to {1}"),
    QT_TRANSLATE_NOOP("core", "a number from {0} to {1}"),
    QT_TRANSLATE_NOOP("core", "a list of whole numbers from {0} to {1}"),
    QT_TRANSLATE_NOOP("core", "a list out of {0}"),
    QT_TRANSLATE_NOOP("core", "one of {0}"),
    QT_TRANSLATE_NOOP("core", "give an optimizer ({0}) to booster.boost in your program"),
    QT_TRANSLATE_NOOP("core",
                      "mixed_precision={0} among the words of run.sh: a recipe's own mixed precision would "
                      "win over this file"),
    QT_TRANSLATE_NOOP("core", "ColossalAI runs {0} instead of {1}"),
    QT_TRANSLATE_NOOP("core",
                      "call model.gradient_checkpointing_enable() and give a GradientCheckpointConfig that "
                      "recomputes {0} layers of each rank in your program"),
    QT_TRANSLATE_NOOP(
        "core",
        "feed {0} samples per data rank and step in your program; the pipeline cuts them into micro-batches"),
    QT_TRANSLATE_NOOP("core", "feed {0} samples at a time and accumulate {1} times in your program"),
    QT_TRANSLATE_NOOP("core", "train in {0} in your script"),
    QT_TRANSLATE_NOOP("core", "build the optimizer ({0}) in your script"),
    QT_TRANSLATE_NOOP("core", "keep gradients in {0} in your script"),
    QT_TRANSLATE_NOOP(
        "core",
        "feed {0} samples per data rank and step in your script; the library cuts them into micro-batches"),
    QT_TRANSLATE_NOOP("core", "SageMaker runs 1f1b instead of {0}"),
    QT_TRANSLATE_NOOP("core", "BMTrain runs gpipe instead of {0}"),
    QT_TRANSLATE_NOOP(
        "core", "build all but the first {0} blocks of each rank with use_checkpoint=False in your program"),
    QT_TRANSLATE_NOOP("core", "build the parameters in {0} in your program"),
    QT_TRANSLATE_NOOP("core", "give an optimizer ({0}) to bmtrain's OptimManager in your program"),
    QT_TRANSLATE_NOOP("core", "feed {0} samples per process and step in your program; the pipeline gathers "
                              "them and cuts them into micro-batches"),
};

} // namespace

std::optional<Message> messageOfForm(std::span<const char* const> sentences, const QString& english) {
    for (const char* sentence : sentences) {
        // In the sentences' own language there is nothing to look for.
        if (translated(sentence) == QString::fromUtf8(sentence)) return std::nullopt;
        if (auto message = madeFrom(sentence, english)) return message;
    }
    return std::nullopt;
}

QString translatedInstead(const std::string& english) {
    const QString whole = translated(english.c_str());
    const QString plain = toQString(english);
    if (whole != plain) return whole;
    const auto message = messageOfForm(kSentences, plain);
    return message ? translated(*message) : plain;
}

} // namespace shardlens
