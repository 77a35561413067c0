// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/terms.h"

#include <QCoreApplication>
#include <array>

namespace shardlens {

namespace {

using Ledger = memory::StageLedger<double>;
using Time = TimeReport<double>;

constexpr const char* kContext = "shardlens::terms";

constexpr std::array kMemoryTerms = {
    MemoryTerm{&Ledger::parameters_bytes, Role::Parameters, "parameters_bytes",
               QT_TRANSLATE_NOOP("shardlens::terms", "parameters")},
    MemoryTerm{&Ledger::gradients_bytes, Role::Gradients, "gradients_bytes",
               QT_TRANSLATE_NOOP("shardlens::terms", "gradients")},
    MemoryTerm{&Ledger::optimizer_bytes, Role::Optimizer, "optimizer_bytes",
               QT_TRANSLATE_NOOP("shardlens::terms", "optimizer")},
    MemoryTerm{&Ledger::activations_bytes, Role::Activations, "activations_bytes",
               QT_TRANSLATE_NOOP("shardlens::terms", "activations")},
    MemoryTerm{&Ledger::logits_bytes, Role::Logits, "logits_bytes",
               QT_TRANSLATE_NOOP("shardlens::terms", "logits")},
    MemoryTerm{&Ledger::buffers_bytes, Role::Buffers, "buffers_bytes",
               QT_TRANSLATE_NOOP("shardlens::terms", "buffers")},
    MemoryTerm{&Ledger::fragmentation_bytes, Role::Fragmentation, "fragmentation_bytes",
               QT_TRANSLATE_NOOP("shardlens::terms", "fragmentation")},
    MemoryTerm{&Ledger::context_bytes, Role::Context, "context_bytes",
               QT_TRANSLATE_NOOP("shardlens::terms", "context")},
};

constexpr std::array kTimeParts = {
    TimePart{&Time::forward_s, Role::Forward, Role::Forward, "forward_s",
             QT_TRANSLATE_NOOP("shardlens::terms", "forward"), QT_TRANSLATE_NOOP("shardlens::terms", "fwd")},
    TimePart{&Time::backward_s, Role::Backward, Role::Backward, "backward_s",
             QT_TRANSLATE_NOOP("shardlens::terms", "backward"), QT_TRANSLATE_NOOP("shardlens::terms", "bwd")},
    TimePart{&Time::recompute_s, Role::Recompute, Role::Recompute, "recompute_s",
             QT_TRANSLATE_NOOP("shardlens::terms", "recomputation"),
             QT_TRANSLATE_NOOP("shardlens::terms", "recompute")},
    TimePart{&Time::tensor_comm_s, Role::Communication, Role::TensorGroup, "tensor_comm_s",
             QT_TRANSLATE_NOOP("shardlens::terms", "tensor communication"),
             QT_TRANSLATE_NOOP("shardlens::terms", "TP")},
    TimePart{&Time::context_comm_s, Role::Communication, Role::ContextGroup, "context_comm_s",
             QT_TRANSLATE_NOOP("shardlens::terms", "context communication"),
             QT_TRANSLATE_NOOP("shardlens::terms", "CP")},
    TimePart{&Time::expert_comm_s, Role::Communication, Role::ExpertGroup, "expert_comm_s",
             QT_TRANSLATE_NOOP("shardlens::terms", "expert communication"),
             QT_TRANSLATE_NOOP("shardlens::terms", "EP")},
    TimePart{&Time::pipeline_comm_s, Role::Communication, Role::PipelineGroup, "pipeline_comm_s",
             QT_TRANSLATE_NOOP("shardlens::terms", "pipeline communication"),
             QT_TRANSLATE_NOOP("shardlens::terms", "PP")},
    TimePart{&Time::bubble_s, Role::Idle, Role::Idle, "bubble_s",
             QT_TRANSLATE_NOOP("shardlens::terms", "pipeline bubble"),
             QT_TRANSLATE_NOOP("shardlens::terms", "bubble")},
    TimePart{&Time::data_comm_s, Role::DataCommunication, Role::DataGroup, "data_comm_s",
             QT_TRANSLATE_NOOP("shardlens::terms", "data-parallel communication"),
             QT_TRANSLATE_NOOP("shardlens::terms", "DP")},
    TimePart{&Time::optimizer_s, Role::Optimizer, Role::Optimizer, "optimizer_s",
             QT_TRANSLATE_NOOP("shardlens::terms", "optimizer"),
             QT_TRANSLATE_NOOP("shardlens::terms", "optimizer")},
    TimePart{&Time::offload_s, Role::Offload, Role::Offload, "offload_s",
             QT_TRANSLATE_NOOP("shardlens::terms", "offload"),
             QT_TRANSLATE_NOOP("shardlens::terms", "offload")},
    TimePart{&Time::other_s, Role::Other, Role::Other, "other_s",
             QT_TRANSLATE_NOOP("shardlens::terms", "other"), QT_TRANSLATE_NOOP("shardlens::terms", "other")},
};

} // namespace

QString MemoryTerm::name() const { return QCoreApplication::translate(kContext, label); }
QString MemoryTerm::path(int stage) const {
    return QStringLiteral("memory.stages.%1.%2").arg(stage).arg(QLatin1String(key));
}
std::span<const MemoryTerm> memoryTerms() { return kMemoryTerms; }

QString TimePart::name() const { return QCoreApplication::translate(kContext, label); }
QString TimePart::briefName() const { return QCoreApplication::translate(kContext, brief); }
QString TimePart::path() const { return QStringLiteral("time.") + QLatin1String(key); }
std::span<const TimePart> timeParts() { return kTimeParts; }

} // namespace shardlens
