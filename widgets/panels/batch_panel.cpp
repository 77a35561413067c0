// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/batch_panel.h"

#include <QEvent>
#include <QLabel>
#include <QLocale>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>

#include "controls/core_text.h"
#include "controls/quantity.h"

namespace shardlens {

using namespace Qt::StringLiterals;
using launchers::BatchNumber;

namespace {

QString number(std::int64_t value) { return QLocale().toString(qlonglong(value)); }

QString unitText(const char* unit) {
    const std::string_view name = unit;
    if (name == "samples") return BatchPanel::tr("samples");
    if (name == "tokens") return BatchPanel::tr("tokens");
    if (name == "micro-batches") return BatchPanel::tr("micro-batches");
    if (name == "ranks") return BatchPanel::tr("ranks");
    if (name == "steps") return BatchPanel::tr("accumulation steps");
    return QString::fromUtf8(unit);
}

/// Launchers' keys are longer than the panel is wide: they may break behind dots and underscores.
QString breakable(const QString& key) {
    QString text = key.toHtmlEscaped();
    for (const QChar c : {u'.', u'_'}) text.replace(c, QString(c) + QChar(0x200B));
    return text;
}

QString nameOf(const BatchNumber& part) {
    if (part.name == "samples per rank and pass") return BatchPanel::tr("samples per rank and pass");
    return find_field(part.name) ? labelOfPath(part.name) : toQString(part.name);
}

} // namespace

BatchPanel::BatchPanel(Form form, QWidget* parent) : QWidget(parent), m_layout(new QVBoxLayout(this)) {
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(2);
    if (form == Form::Open) {
        open(true);
    } else {
        m_fold = new QToolButton(this);
        m_fold->setAutoRaise(true);
        m_fold->setCheckable(true);
        m_fold->setArrowType(Qt::RightArrow);
        m_fold->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        m_fold->setFocusPolicy(Qt::StrongFocus);
        m_layout->addWidget(m_fold);
        connect(m_fold, &QToolButton::toggled, this, &BatchPanel::open);
    }
    retranslate();
}

void BatchPanel::open(bool shown) {
    if (!m_details) {
        m_details = new QLabel(this);
        m_details->setTextFormat(Qt::RichText);
        m_details->setWordWrap(true);
        m_details->setAlignment(Qt::AlignTop | Qt::AlignLeft);
        m_details->setTextInteractionFlags(Qt::TextSelectableByMouse);
        if (m_fold) {
            m_details->setContentsMargins(14, 0, 0, 4);
            m_layout->addWidget(m_details);
        } else {
            m_details->setContentsMargins(8, 6, 8, 6);
            auto* area = new QScrollArea(this);
            area->setWidgetResizable(true);
            area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
            area->setWidget(m_details);
            area->setBackgroundRole(QPalette::Base);
            area->setFocusPolicy(Qt::StrongFocus); // the arrow keys scroll it
            m_details->setBackgroundRole(QPalette::Base);
            m_details->setAutoFillBackground(true);
            m_layout->addWidget(area);
            m_area = area;
        }
    }
    if (m_fold) {
        m_fold->setArrowType(shown ? Qt::DownArrow : Qt::RightArrow);
        m_details->setVisible(shown);
    }
    refresh();
}

void BatchPanel::setNumbers(const launchers::BatchArithmetic& numbers, const QString& launcher) {
    m_numbers = numbers;
    m_launcher = launcher;
    refresh();
}

QString BatchPanel::summary() const {
    const auto& n = m_numbers;
    QString line = tr("Batch %1 = %2 × %3 × %4")
                       .arg(number(n.global.value), number(n.micro.value), number(n.accumulation.value),
                            number(n.data.value));
    if (n.rest != 0) line += tr(" + %1 left over").arg(number(n.rest));
    return line;
}

std::vector<BatchPanel::Row> BatchPanel::rows() const {
    const auto& n = m_numbers;
    std::vector<Row> rows;
    const auto part = [&](const BatchNumber& entry, const QString& name, const QString& given) {
        const QString unit = unitText(entry.unit);
        rows.push_back(
            {name, number(entry.value),
             entry.given ? u"%1, %2"_s.arg(unit, given) : u"%1 = %2"_s.arg(unit, toQString(entry.formula))});
    };
    const auto sentence = [&rows](const QString& text) { rows.push_back({text, {}, {}}); };
    const QString inPlan = tr("in the plan");
    part(n.micro, nameOf(n.micro), inPlan);
    part(n.accumulation, tr("Accumulation"), inPlan);
    part(n.data, nameOf(n.data), inPlan);
    part(n.global, nameOf(n.global), inPlan);
    if (n.rest != 0)
        sentence(u"✗ "_s + tr("%1 samples of the global batch are left over: micro-batch × data ranks must "
                              "divide it")
                               .arg(number(n.rest)));
    const auto grid = [&](const BatchNumber& entry, const QString& name, const QString& axes) {
        if (entry.value == 0) return;
        rows.push_back(
            {name, number(entry.value),
             u"%1 = %2 %3"_s.arg(axes, toQString(entry.formula),
                                 entry.value == n.gpus
                                     ? u"✓"_s
                                     : u"✗ "_s + tr("not the %1 GPUs of the plan").arg(number(n.gpus)))});
    };
    grid(n.world, tr("World"), u"tp · pp · cp · dp"_s);
    grid(n.expert_world, tr("Expert grid"), u"etp · ep · edp · pp"_s);
    if (n.launcher.empty()) return rows;
    sentence(tr("What %1 makes of it").arg(m_launcher));
    rows.back().heading = true;
    for (const BatchNumber& entry : n.launcher) part(entry, nameOf(entry), tr("in its files"));
    if (n.launcher_global == 0)
        sentence(tr("Its files do not say the global batch; the program's data loader and accumulation do."));
    else if (n.launcher_global != n.global.value)
        sentence(u"⚠ "_s + tr("It takes %1 as the global batch, not %2.")
                               .arg(number(n.launcher_global), number(n.global.value)));
    return rows;
}

QString BatchPanel::html() const {
    // Formulas go to the next line whole.
    const auto unbroken = [](QString origin) {
        for (const QChar sign : {u'·', u'/'})
            origin.replace(u' ' + QString(sign) + u' ', QChar(0xA0) + QString(sign) + QChar(0xA0));
        return origin.replace(u"= "_s, u"="_s + QChar(0xA0)).toHtmlEscaped();
    };
    QString text;
    for (const Row& row : rows()) {
        if (row.value.isEmpty())
            text += u"<tr><td colspan='3'>%1</td></tr>"_s.arg(
                row.heading ? u"<b>%1</b>"_s.arg(row.name.toHtmlEscaped()) : row.name.toHtmlEscaped());
        else
            text += u"<tr><td>%1</td><td align='right'>&nbsp;<b>%2</b>&nbsp;</td><td>%3</td></tr>"_s.arg(
                breakable(row.name), row.value, unbroken(row.origin));
    }
    return u"<table cellspacing='0' cellpadding='1'>"_s + text + u"</table>"_s;
}

QString BatchPanel::details() const {
    QStringList lines;
    for (const Row& row : rows())
        lines << (row.value.isEmpty() ? row.name : u"%1 %2 %3"_s.arg(row.name, row.value, row.origin));
    return lines.join(u'\n');
}

void BatchPanel::refresh() {
    if (m_fold && m_fold->text() != summary()) {
        const QString line = summary();
        m_fold->setText(line);
        m_fold->setAccessibleName(line);
    }
    if (!m_details || m_details->isHidden()) return;
    m_details->setText(html());
    m_details->setAccessibleName(details());
}

void BatchPanel::retranslate() {
    setAccessibleName(tr("Batch and ranks"));
    if (m_area) m_area->setAccessibleName(tr("Batch and ranks"));
    if (m_fold)
        m_fold->setToolTip(
            tr("Global batch = micro-batch × accumulation × data ranks; opens where each comes from"));
    refresh();
}

void BatchPanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    QWidget::changeEvent(event);
}

} // namespace shardlens
