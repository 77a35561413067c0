// SPDX-License-Identifier: GPL-3.0-or-later
#include "controls/core_text.h"

#include <QCoreApplication>
#include <QHash>
#include <QStringList>

#include "controls/quantity.h"
#include "rules/host_order.h"

namespace shardlens {

using namespace Qt::StringLiterals;

namespace {

struct NumberName {
    const char* key;
    const char* english;
};

constexpr NumberName kNumberNames[] = {
    {"parameters", QT_TRANSLATE_NOOP("core", "parameters")},
    {"active_parameters", QT_TRANSLATE_NOOP("core", "active parameters")},
    {"parameters_without_embeddings", QT_TRANSLATE_NOOP("core", "parameters without embeddings")},
    {"capacity_bytes", QT_TRANSLATE_NOOP("core", "capacity")},
    {"usable_bytes", QT_TRANSLATE_NOOP("core", "usable memory")},
    {"peak_bytes", QT_TRANSLATE_NOOP("core", "peak memory")},
    {"need_bytes", QT_TRANSLATE_NOOP("core", "needed memory")},
    {"peak_stage", QT_TRANSLATE_NOOP("core", "stage of the peak")},
    {"stage", QT_TRANSLATE_NOOP("core", "stage")},
    {"layers", QT_TRANSLATE_NOOP("core", "layers")},
    {"in_flight_micro_batches", QT_TRANSLATE_NOOP("core", "micro-batches in flight")},
    {"total_bytes", QT_TRANSLATE_NOOP("core", "total")},
    {"parameters_bytes", QT_TRANSLATE_NOOP("core", "parameters")},
    {"gradients_bytes", QT_TRANSLATE_NOOP("core", "gradients")},
    {"optimizer_bytes", QT_TRANSLATE_NOOP("core", "optimizer")},
    {"activations_bytes", QT_TRANSLATE_NOOP("core", "activations")},
    {"logits_bytes", QT_TRANSLATE_NOOP("core", "logits and loss")},
    {"buffers_bytes", QT_TRANSLATE_NOOP("core", "buffers")},
    {"fragmentation_bytes", QT_TRANSLATE_NOOP("core", "fragmentation")},
    {"context_bytes", QT_TRANSLATE_NOOP("core", "device context")},
    {"host_bytes", QT_TRANSLATE_NOOP("core", "host memory")},
    {"step_s", QT_TRANSLATE_NOOP("core", "step time")},
    {"forward_s", QT_TRANSLATE_NOOP("core", "forward")},
    {"backward_s", QT_TRANSLATE_NOOP("core", "backward")},
    {"recompute_s", QT_TRANSLATE_NOOP("core", "recompute")},
    {"tensor_comm_s", QT_TRANSLATE_NOOP("core", "tensor communication")},
    {"context_comm_s", QT_TRANSLATE_NOOP("core", "context communication")},
    {"expert_comm_s", QT_TRANSLATE_NOOP("core", "expert communication")},
    {"pipeline_comm_s", QT_TRANSLATE_NOOP("core", "pipeline communication")},
    {"bubble_s", QT_TRANSLATE_NOOP("core", "bubble")},
    {"data_comm_s", QT_TRANSLATE_NOOP("core", "data communication")},
    {"optimizer_s", QT_TRANSLATE_NOOP("core", "optimizer step")},
    {"offload_s", QT_TRANSLATE_NOOP("core", "offload")},
    {"other_s", QT_TRANSLATE_NOOP("core", "other")},
    {"hidden_data_comm_s", QT_TRANSLATE_NOOP("core", "hidden data communication")},
    {"bubble_fraction", QT_TRANSLATE_NOOP("core", "bubble fraction")},
    {"tokens_per_s", QT_TRANSLATE_NOOP("core", "tokens per second")},
    {"tokens_per_s_per_gpu", QT_TRANSLATE_NOOP("core", "tokens per second and GPU")},
    {"model_flops_per_s_per_gpu", QT_TRANSLATE_NOOP("core", "model FLOP/s per GPU")},
    {"mfu", QT_TRANSLATE_NOOP("core", "MFU")},
    {"hfu", QT_TRANSLATE_NOOP("core", "HFU")},
    {"time_to_train_s", QT_TRANSLATE_NOOP("core", "time to train")},
    {"step_median", QT_TRANSLATE_NOOP("core", "step error, median")},
    {"step_p90", QT_TRANSLATE_NOOP("core", "step error, 90 %")},
    {"memory_median", QT_TRANSLATE_NOOP("core", "memory error, median")},
    {"memory_p90", QT_TRANSLATE_NOOP("core", "memory error, 90 %")},
    {"runs", QT_TRANSLATE_NOOP("core", "published runs compared")},
    {"file_bytes", QT_TRANSLATE_NOOP("core", "checkpoint")},
    {"save_host_bytes", QT_TRANSLATE_NOOP("core", "host memory per GPU, saving")},
    {"save_device_bytes", QT_TRANSLATE_NOOP("core", "GPU memory, saving")},
    {"gather_host_bytes", QT_TRANSLATE_NOOP("core", "host memory of rank 0, whole weights")},
    {"load_host_bytes", QT_TRANSLATE_NOOP("core", "host memory of a node, loading whole weights")},
    {"load_device_bytes", QT_TRANSLATE_NOOP("core", "GPU memory, loading")},
    {"gpu_hours", QT_TRANSLATE_NOOP("core", "GPU hours")},
    {"dollars", QT_TRANSLATE_NOOP("core", "cost")},
    {"energy_kwh", QT_TRANSLATE_NOOP("core", "energy")},
};

} // namespace

QString translated(const char* english) { return QCoreApplication::translate("core", english); }

QString translated(const Message& message) {
    QString text = translated(message.text_template.c_str());
    // In one pass, so that an argument that holds braces is never read as a place.
    QString result;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const qsizetype close = text.at(i) == u'{' ? text.indexOf(u'}', i) : -1;
        bool whole = false;
        const auto index = close > 0 ? text.mid(i + 1, close - i - 1).toULong(&whole) : 0;
        if (whole && index < message.arguments.size()) {
            result += toQString(message.arguments[index]);
            i = close;
        } else {
            result += text.at(i);
        }
    }
    return result;
}

QString translatedLine(const Error& error) {
    const QString what = translated(error);
    return error.where.empty() ? what : translated(error.where.c_str()) + u": "_s + what;
}

QString translatedChoice(const QString& value) {
    return QCoreApplication::translate("choice", value.toUtf8().constData());
}

QString translatedTooltip(const Field& field) { return translated(field.tooltip); }

QString labelOfPath(const std::string& path) {
    const Field* field = find_field(path);
    return field ? translated(field->label) : toQString(path);
}

QString describe(const Fix& fix) {
    QStringList parts;
    for (const auto& [path, value] : fix.set) {
        const auto* names = std::get_if<std::vector<std::string>>(&value);
        const bool sorted = names && names->size() > 1 && rules::in_order(*names); // up to thousands of hosts
        const bool leftOut = std::holds_alternative<std::monostate>(value);
        const auto* on = std::get_if<bool>(&value);
        const QString text = sorted ? QCoreApplication::translate("core", "%1 names sorted by number")
                                          .arg(qsizetype(names->size()))
                             : leftOut ? QCoreApplication::translate("core", "default")
                             : on      ? translatedChoice(*on ? QStringLiteral("on") : QStringLiteral("off"))
                                       : translatedChoice(toQString(to_text(value)));
        parts << QCoreApplication::translate("core", "%1 → %2").arg(labelOfPath(path), text);
    }
    return parts.join(QStringLiteral(", "));
}

QString numberName(const QString& path) {
    const QStringList parts = path.split(u'.');
    QString name = parts.last();
    for (const auto& entry : kNumberNames)
        if (name == QLatin1StringView(entry.key)) {
            name = translated(entry.english);
            break;
        }
    if (parts.size() == 4 && parts.at(1) == "stages"_L1)
        return QCoreApplication::translate("core", "%1, stage %2").arg(name, parts.at(2));
    return name;
}

} // namespace shardlens
