// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/plan_panel.h"

#include <QCoreApplication>
#include <QEvent>
#include <QLabel>
#include <QScrollBar>
#include <QSlider>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <string_view>

#include "controls/core_text.h"
#include "controls/field_control.h"
#include "controls/quantity.h"
#include "controls/size_control.h"
#include "panels/batch_panel.h"

namespace shardlens {

using namespace Qt::StringLiterals;

namespace {

struct GroupSpec {
    const char* title;
    std::vector<std::string_view> common;   ///< in sight, in this order
    std::vector<std::string_view> prefixes; ///< everything else that belongs here, behind "more"
};

const std::vector<GroupSpec>& groupSpecs() {
    static const std::vector<GroupSpec> kGroups{
        {QT_TRANSLATE_NOOP("shardlens::PlanPanel", "Model"), {"training.sequence_length"}, {"model."}},
        {QT_TRANSLATE_NOOP("shardlens::PlanPanel", "Training"),
         {"training.micro_batch_size", "training.global_batch_size", "training.tokens", "training.precision"},
         {"training."}},
        {QT_TRANSLATE_NOOP("shardlens::PlanPanel", "Parallel"),
         {"parallel.tensor", "parallel.sequence", "parallel.pipeline", "parallel.virtual_pipeline",
          "parallel.context", "parallel.expert", "parallel.data", "parallel.zero", "parallel.schedule"},
         {"parallel."}},
        {QT_TRANSLATE_NOOP("shardlens::PlanPanel", "Memory"),
         {"memory.recompute", "memory.offload_optimizer", "memory.usable_fraction"},
         {"memory."}},
        {QT_TRANSLATE_NOOP("shardlens::PlanPanel", "Cluster"), {"cluster.gpus"}, {"cluster."}},
        {QT_TRANSLATE_NOOP("shardlens::PlanPanel", "Plan and software"), {"name"}, {""}},
    };
    return kGroups;
}

/// Chosen in the toolbar and not as text.
bool inToolbar(std::string_view path) {
    return path == "model" || path == "stack" || path == "target" || path == "fidelity" ||
           path == "cluster.node" || path == "schema";
}

} // namespace

PlanPanel::PlanPanel(LegalValues legalValues, QWidget* parent)
    : QScrollArea(parent), m_legalValues(std::move(legalValues)) {
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus);

    std::set<std::string_view> placed;
    for (const GroupSpec& spec : groupSpecs()) {
        Group group{spec.title, {}, {}};
        for (const auto path : spec.common)
            if (const Field* field = find_field(path))
                group.common.push_back(field), placed.insert(field->path);
        m_groups.push_back(std::move(group));
    }
    for (const Field& field : fields()) {
        const std::string_view path = field.path;
        if (inToolbar(path) || placed.contains(path)) continue;
        for (std::size_t i = 0; i < groupSpecs().size(); ++i) {
            const auto& prefixes = groupSpecs()[i].prefixes;
            if (std::none_of(prefixes.begin(), prefixes.end(),
                             [&](auto prefix) { return path.starts_with(prefix); }))
                continue;
            m_groups[i].more.push_back(&field);
            break;
        }
    }

    auto* body = new QWidget(this);
    setBackgroundRole(QPalette::Base);
    body->setBackgroundRole(QPalette::Base);
    body->setAutoFillBackground(true);
    auto* layout = new QVBoxLayout(body);
    layout->setContentsMargins(6, 4, 6, 10);
    layout->setSpacing(3);
    for (Group& group : m_groups) buildGroup(group, layout);
    layout->addStretch(1);
    setWidget(body);
    retranslate();
}

void PlanPanel::buildGroup(Group& group, QVBoxLayout* layout) {
    group.heading = new QLabel(this);
    QFont small = group.heading->font();
    small.setPointSizeF(small.pointSizeF() * 0.9);
    small.setBold(true);
    group.heading->setFont(small);
    group.heading->setForegroundRole(QPalette::PlaceholderText);
    layout->addSpacing(6);
    layout->addWidget(group.heading);
    if (!m_size) {
        m_size = new SizeControl(this);
        connect(m_size, &SizeControl::sizeWanted, this, &PlanPanel::sizeWanted);
        layout->addWidget(m_size);
    }
    for (const Field* field : group.common) {
        FieldControl* added = addControl(*field, layout);
        if (field->type == FieldType::integer) added->keepSlider();
    }
    if (std::string_view(group.title) == "Training") {
        m_batch = new BatchPanel(BatchPanel::Form::Folding, this);
        layout->addWidget(m_batch);
    }
    if (group.more.empty()) return;

    group.toggle = new QToolButton(this);
    group.toggle->setAutoRaise(true);
    group.toggle->setCheckable(true);
    group.toggle->setArrowType(Qt::RightArrow);
    group.toggle->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    group.toggle->setFocusPolicy(Qt::StrongFocus);
    layout->addWidget(group.toggle);
    group.moreBody = new QWidget(this);
    group.moreLayout = new QVBoxLayout(group.moreBody);
    group.moreLayout->setContentsMargins(0, 0, 0, 0);
    group.moreLayout->setSpacing(3);
    group.moreBody->hide();
    layout->addWidget(group.moreBody);
    connect(group.toggle, &QToolButton::toggled, this, [this, &group](bool open) { openMore(group, open); });
}

void PlanPanel::openMore(Group& group, bool open) {
    // Built when first opened: nobody waits at start-up for fields that are not in sight.
    if (open && !group.built) {
        group.built = true;
        for (const Field* field : group.more) {
            FieldControl* added = addControl(*field, group.moreLayout);
            showIn(added);
            mark(added);
            refresh(added);
        }
    }
    group.toggle->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
    if (group.toggle->isChecked() != open) group.toggle->setChecked(open);
    group.moreBody->setVisible(open);
}

FieldControl* PlanPanel::addControl(const Field& field, QVBoxLayout* layout) {
    auto* control = new FieldControl(field, this);
    m_controls.insert(control->path(), control);
    layout->addWidget(control);
    connect(control, &FieldControl::edited, this, &PlanPanel::edited);
    connect(control, &FieldControl::legalValuesWanted, this, [this, control] { refresh(control); });
    connect(control, &FieldControl::lockToggled, this, [this](const QString& path, bool locked) {
        if (locked)
            m_locked.insert(path);
        else
            m_locked.erase(path);
    });
    return control;
}

FieldControl* PlanPanel::control(const QString& path) {
    if (FieldControl* found = m_controls.value(path)) return found;
    for (Group& group : m_groups)
        for (const Field* field : group.more)
            if (path == QLatin1StringView(field->path)) {
                openMore(group, true);
                return m_controls.value(path);
            }
    return nullptr;
}

void PlanPanel::reveal(const QString& path) {
    FieldControl* wanted = control(path);
    if (!wanted) return;
    widget()->layout()->activate();
    ensureWidgetVisible(wanted, 20, 60);
    wanted->mainWidget()->setFocus(Qt::OtherFocusReason);
}

void PlanPanel::setPlan(const Plan& plan, const Plan& acting) {
    m_plan = plan;
    m_acting = acting;
    for (FieldControl* control : std::as_const(m_controls)) showIn(control);
}

void PlanPanel::showIn(FieldControl* control) {
    const Field& field = control->field();
    const FieldValue value = field.get(m_plan);
    control->setValue(value, std::holds_alternative<std::monostate>(value) ? field.get(m_acting) : value);
}

void PlanPanel::setParameters(double parameters) { m_size->setParameters(parameters); }
void PlanPanel::setBatch(const launchers::BatchArithmetic& numbers, const QString& launcher) {
    m_batch->setNumbers(numbers, launcher);
}
void PlanPanel::setFamily(const std::vector<model::FamilyMember>& family) { m_size->setFamily(family); }
const std::vector<model::FamilyMember>& PlanPanel::sizeFamily() const { return m_size->family(); }

void PlanPanel::setMessages(const std::vector<Message>& messages) {
    if (messages == m_messages) return;
    m_messages = messages;
    for (FieldControl* control : std::as_const(m_controls)) mark(control);
}

void PlanPanel::mark(FieldControl* control) {
    // The worst message about the field; infos stay in the list of messages.
    const Message* worst = nullptr;
    for (const Message& message : m_messages)
        if (message.path == control->field().path && message.severity != Severity::info &&
            (!worst || message.severity > worst->severity))
            worst = &message;
    if (worst)
        control->setMark(worst->severity, translated(*worst));
    else
        control->setMark(Severity::info, {});
}

void PlanPanel::refreshLegalValues() {
    for (FieldControl* control : std::as_const(m_controls))
        if (control->isVisibleTo(this)) refresh(control);
}

void PlanPanel::refresh(FieldControl* control) {
    if (control->field().type != FieldType::integer) return;
    const auto whole = m_legalValues(control->path());
    control->setLegalValues({whole.begin(), whole.end()});
}

QStringList PlanPanel::lockedPaths() const { return {m_locked.begin(), m_locked.end()}; }

void PlanPanel::retranslate() {
    setAccessibleName(tr("Plan"));
    for (Group& group : m_groups) {
        const QString title = tr(group.title);
        group.heading->setText(title.toUpper());
        if (!group.toggle) continue;
        group.toggle->setText(tr("more"));
        group.toggle->setAccessibleName(tr("More fields: %1").arg(title));
        group.toggle->setToolTip(tr("%n more field(s)", nullptr, static_cast<int>(group.more.size())));
    }
    for (FieldControl* control : std::as_const(m_controls)) mark(control);
}

void PlanPanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    QScrollArea::changeEvent(event);
}

QSize PlanPanel::sizeHint() const { return {332, 700}; }

} // namespace shardlens
