// SPDX-License-Identifier: GPL-3.0-or-later
#include "document.h"

#include <QFileInfo>
#include <algorithm>

#include "catalog/acting_plan.h"
#include "controls/core_text.h"
#include "controls/quantity.h"
#include "plan/plan_json.h"
#include "plan_command.h"
#include "json/strict_json.h"

namespace shardlens {

namespace {

/// Merge identity of a field: its row in the table. Above them are the ids of other mergeable changes.
int mergeKeyOf(const Field* field) { return static_cast<int>(field - fields().data()); }

} // namespace

Document::Document(std::shared_ptr<const Catalog> catalog, QObject* parent)
    : QObject(parent), m_catalog(std::move(catalog)), m_evaluator(m_catalog) {
    m_undo.setUndoLimit(2000);
    connect(&m_evaluator, &Evaluator::ready, this, &Document::takeReport);
    connect(&m_evaluator, &Evaluator::failed, this, &Document::problem);
    connect(&m_undo, &QUndoStack::cleanChanged, this, &Document::fileChanged);
}

QString Document::title() const {
    if (!m_plan.name.empty()) return toQString(m_plan.name);
    if (!m_filePath.isEmpty()) return QFileInfo(m_filePath).completeBaseName();
    const auto* id = std::get_if<std::string>(&m_plan.model);
    const std::string name = id ? *id : std::get<ModelShape>(m_plan.model).name;
    return tr("%1 on %n GPU(s)", nullptr, static_cast<int>(m_plan.cluster.gpus))
        .arg(name.empty() ? tr("a model") : toQString(name));
}

Error Document::known(const Plan& plan) const {
    const auto setup = resolve(plan, *m_catalog);
    return setup.ok() ? Error{} : setup.error();
}

Error Document::edit(const QString& path, const FieldValue& value, int gesture) {
    const std::string name = path.toStdString();
    const Field* field = find_field(name);
    if (!field) return {name, tr("there is no such field").toStdString()};
    Plan after = beforeGesture(mergeKeyOf(field), gesture);
    // A preset becomes a shape of one's own as soon as one of its numbers changes.
    if (name.starts_with("model.") && !std::holds_alternative<ModelShape>(after.model) && m_report &&
        m_report->setup)
        after.model = m_report->setup->shape;
    if (Error error = edit_field(after, name, value); !error.what.empty()) return error;
    const QString shown =
        std::holds_alternative<std::monostate>(value) ? tr("default") : toQString(to_text(value));
    return change(std::move(after), tr("%1 %2").arg(translated(field->label), shown), mergeKeyOf(field),
                  gesture);
}

const Plan& Document::beforeGesture(int mergeKey, int gesture) const {
    const auto* last = static_cast<const PlanCommand*>(m_undo.command(m_undo.index() - 1));
    return last && last->id() == mergeKey && last->gesture() == gesture ? last->before() : m_plan;
}

Error Document::applyFix(const Fix& fix) {
    Plan after = m_plan;
    if (Error error = apply_fix(after, fix); !error.what.empty()) return error;
    return change(std::move(after), tr("Fix: %1").arg(describe(fix)));
}

Error Document::change(Plan after, const QString& text, int mergeKey, int gesture) {
    if (after == m_plan) return {};
    // Looking presets up is only needed where a name changed.
    const bool names = after.model.index() != m_plan.model.index() ||
                       (std::holds_alternative<std::string>(after.model) && after.model != m_plan.model) ||
                       after.stack != m_plan.stack || after.stack_version != m_plan.stack_version ||
                       after.cluster.node != m_plan.cluster.node ||
                       after.cluster.accelerator != m_plan.cluster.accelerator;
    if (names)
        if (Error error = known(after); !error.what.empty()) return error;
    m_undo.push(new PlanCommand(m_plan, std::move(after), text, mergeKey, gesture,
                                [this](const Plan& plan) { setPlan(plan); }));
    return {};
}

Error Document::open(const QString& path) {
    auto loaded = load_plan(path.toStdString());
    if (!loaded.ok()) return loaded.error();
    if (Error error = start(std::move(loaded).value()); !error.what.empty()) {
        if (error.where.empty()) error.where = path.toStdString();
        return error;
    }
    m_filePath = path;
    emit fileChanged();
    return {};
}

Error Document::save(const QString& path) {
    if (Error error = write_text(path.toStdString(), plan_to_text(m_plan)); !error.what.empty()) return error;
    m_filePath = path;
    m_undo.setClean();
    emit fileChanged();
    return {};
}

Error Document::start(Plan plan) {
    if (Error error = known(plan); !error.what.empty()) return error;
    m_undo.clear();
    m_undo.setClean();
    m_filePath.clear();
    setPlan(plan);
    emit fileChanged();
    return {};
}

Error Document::paste(const QString& text) {
    auto parsed = parse_plan(text.toStdString(), tr("clipboard").toStdString());
    if (!parsed.ok()) return parsed.error();
    return change(std::move(parsed).value(), tr("Paste plan"));
}

void Document::setPlan(const Plan& plan) {
    m_plan = plan;
    m_evaluator.request(m_plan);
    emit planChanged();
}

void Document::takeReport(const ReportPtr& report) {
    const bool messages = !m_report || m_report->messages != report->messages;
    m_report = report;
    if (report->setup) m_acting = acting_plan(*report->setup);
    emit reportChanged(m_report);
    if (messages) emit messagesChanged();
}

void Document::pin() {
    const auto same = [this](const auto& pin) { return pin && pin->plan == m_plan; };
    if (const auto found = std::ranges::find_if(m_pins, same); found != m_pins.end())
        return setBaseline(int(found - m_pins.begin()));
    const auto free = std::ranges::find_if(m_pins, [](const auto& pin) { return !pin; });
    const int letter = free == m_pins.end() ? m_baseline : int(free - m_pins.begin());
    pinAs(letter);
    setBaseline(letter);
}

void Document::pinAs(int letter) {
    settle();
    if (!m_report || letter < 0 || letter >= kPins) return;
    m_pins[std::size_t(letter)] = Pinned{m_plan, m_report, title()};
    m_baseline = m_pins[0] ? 0 : letter;
    emit pinnedChanged();
}

void Document::unpin() {
    if (!pinned()) return;
    Pins left = m_pins;
    left[std::size_t(m_baseline)].reset();
    setPins(left, m_baseline);
}

void Document::setPins(const Pins& pins, int baseline) {
    m_pins = pins;
    m_baseline = std::clamp(baseline, 0, kPins - 1);
    if (!pinned()) {
        const auto first = std::ranges::find_if(m_pins, [](const auto& pin) { return pin.has_value(); });
        m_baseline = first == m_pins.end() ? 0 : int(first - m_pins.begin());
    }
    emit pinnedChanged();
}

void Document::setBaseline(int letter) {
    if (letter < 0 || letter >= kPins || letter == m_baseline || !m_pins[std::size_t(letter)]) return;
    m_baseline = letter;
    emit pinnedChanged();
}

QString pinLetter(int pin) { return QString(QChar(u'A' + char16_t(pin))); }

void Document::settle() { m_evaluator.flush(); }

} // namespace shardlens
