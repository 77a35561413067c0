// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/verdict_panel.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QTimer>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "controls/core_text.h"
#include "controls/quantity.h"
#include "format.h"

namespace shardlens {

using namespace Qt::StringLiterals;

namespace {

constexpr int kMargin = 12;
constexpr int kRestMilliseconds = 400;
constexpr int kFadeMilliseconds = 2000;

Role roleOf(const Report& report) {
    if (!report.valid) return Role::Bad;
    switch (report.verdict) {
    case Verdict::fits: return Role::Good;
    case Verdict::marginal: return Role::Caution;
    case Verdict::does_not_fit: break;
    }
    return Role::Bad;
}

/// Degrees that make no world give no run: rates, days and cost of it would be invented.
bool hasRates(const Report& report) {
    return report.placement && (report.valid || report.time.tokens_per_s_per_gpu > 0);
}

QString relative(double now, double before) {
    return before != 0 && std::isfinite(now / before) ? formatDelta(now / before - 1, u"%"_s) : QString();
}

} // namespace

VerdictPanel::VerdictPanel(const Theme& theme, Interaction& interaction, QWidget* parent)
    : ReportView(theme, interaction, parent), m_restTimer(new QTimer(this)), m_fadeTimer(new QTimer(this)),
      m_describeTimer(new QTimer(this)) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    m_restTimer->setSingleShot(true);
    m_restTimer->setInterval(kRestMilliseconds);
    connect(m_restTimer, &QTimer::timeout, this, [this] { m_rest = report(); });
    m_fadeTimer->setSingleShot(true);
    m_fadeTimer->setInterval(kFadeMilliseconds);
    connect(m_fadeTimer, &QTimer::timeout, this, [this] {
        m_showDeltas = false;
        build();
        update();
    });
    m_describeTimer->setSingleShot(true);
    m_describeTimer->setInterval(200);
    connect(m_describeTimer, &QTimer::timeout, this, &VerdictPanel::describe);
    connect(&interaction, &Interaction::selectedChanged, this, [this] { update(); });
    retranslate();
}

QString VerdictPanel::verdictText() const {
    if (!report()) return tr("No plan");
    if (!report()->valid) return tr("Not valid");
    switch (report()->verdict) {
    case Verdict::fits: return tr("Fits");
    case Verdict::marginal: return tr("Barely fits");
    case Verdict::does_not_fit: break;
    }
    return tr("Does not fit");
}

const Report* VerdictPanel::baseline() const {
    if (pinned()) return pinned().get();
    return m_showDeltas ? m_rest.get() : nullptr;
}

void VerdictPanel::reportChanged() {
    // A first report, or a repeated one, has nothing to be compared with.
    if (!m_rest) m_rest = report();
    if (report() != m_last) {
        if (m_last && report()) {
            m_showDeltas = true;
            m_fadeTimer->start();
        }
        m_last = report();
        m_restTimer->start();
    }
    build();
    m_describeTimer->start();
}

void VerdictPanel::build() {
    m_rows.clear();
    const Report* now = report().get();
    if (!now) return;
    const Report* then = baseline();
    const auto row = [this](const QString& name, const QString& value, const QString& path,
                            const QString& delta = {}, int better = 0) {
        m_rows.push_back({name, value, delta, path, better, {}, {}, {}, {}});
    };
    const auto sign = [](double change, bool moreIsBetter) {
        return change == 0 ? 0 : (change > 0) == moreIsBetter ? 1 : -1;
    };

    const double peak = now->memory.peak_bytes;
    const double peakChange = then ? peak - then->memory.peak_bytes : 0;
    row(tr("Peak, stage %1").arg(static_cast<int>(now->memory.peak_stage)),
        tr("%1 / %2").arg(formatGib(peak), formatBytes(now->memory.capacity_bytes)), u"memory.peak_bytes"_s,
        formatDelta(peakChange, u"B"_s), sign(peakChange, false));
    const double step = now->time.step_s;
    const double stepChange = then ? step - then->time.step_s : 0;
    row(tr("Step"), step > 0 ? formatSeconds(step) : u"—"_s, u"time.step_s"_s,
        then ? relative(step, then->time.step_s) : QString(), sign(stepChange, false));
    buildErrors(*now);
    const bool rates = hasRates(*now);
    if (then && (!rates || !hasRates(*then))) then = nullptr; // nothing to compare with
    const QString none = u"—"_s;
    row(tr("MFU / HFU"),
        rates ? tr("%1 / %2").arg(formatPercent(now->time.mfu), formatPercent(now->time.hfu)) : none,
        u"time.mfu"_s, then ? relative(now->time.mfu, then->time.mfu) : QString(),
        then ? sign(now->time.mfu - then->time.mfu, true) : 0);
    row(tr("Bubble"), !rates ? none : formatPercent(now->time.bubble_fraction), u"time.bubble_fraction"_s,
        then ? formatDelta(now->time.bubble_fraction - then->time.bubble_fraction, u"%"_s) : QString(),
        then ? sign(now->time.bubble_fraction - then->time.bubble_fraction, false) : 0);
    row(tr("Tokens/s/GPU"), rates ? formatNumber(now->time.tokens_per_s_per_gpu, 4) : none,
        u"time.tokens_per_s_per_gpu"_s,
        then ? relative(now->time.tokens_per_s_per_gpu, then->time.tokens_per_s_per_gpu) : QString(),
        then ? sign(now->time.tokens_per_s_per_gpu - then->time.tokens_per_s_per_gpu, true) : 0);
    if (!rates) { // the same rows, so that nothing jumps
        row(tr("Time to train"), none, {});
        row(tr("Cost"), none, {});
        return place();
    }
    if (now->time.time_to_train_s) {
        const bool both = then && then->time.time_to_train_s;
        const double tokens = now->setup ? now->setup->plan.training.tokens.value_or(0) : 0;
        row(tokens > 0 ? tr("%1 tokens").arg(parameterText(tokens)) : tr("Time to train"),
            formatDays(*now->time.time_to_train_s), u"time.time_to_train_s"_s,
            both ? relative(*now->time.time_to_train_s, *then->time.time_to_train_s) : QString(),
            both ? sign(*now->time.time_to_train_s - *then->time.time_to_train_s, false) : 0);
    } else {
        row(tr("Time to train"), tr("set training tokens"), {});
    }
    if (now->cost) {
        const bool both = then && then->cost;
        if (now->cost->dollars)
            row(tr("Cost"), formatDollars(*now->cost->dollars), u"cost.dollars"_s,
                both && then->cost->dollars ? relative(*now->cost->dollars, *then->cost->dollars) : QString(),
                both && then->cost->dollars ? sign(*now->cost->dollars - *then->cost->dollars, false) : 0);
        else
            row(tr("GPU hours"), formatCount(now->cost->gpu_hours), u"cost.gpu_hours"_s,
                both ? relative(now->cost->gpu_hours, then->cost->gpu_hours) : QString(),
                both ? sign(now->cost->gpu_hours - then->cost->gpu_hours, false) : 0);
        if (now->cost->energy_kwh)
            row(tr("Energy"), formatValue(*now->cost->energy_kwh, u"kWh"_s), u"cost.energy_kwh"_s);
    }
    place();
}

void VerdictPanel::buildErrors(const Report& report) {
    const auto& error = report.error_band;
    const QString memoryNote = translated(memory_error_note(report));
    const QString stepNote = translated(step_error_note(report));
    const auto give = [](Row& row, ErrorScope scope, double median, double p90, const QString& note) {
        row.tip = note;
        if (scope == ErrorScope::none) {
            row.band = row.shortBand = tr("± ?");
            return;
        }
        row.band = tr("± %1 (p90 %2)").arg(formatPercent(median), formatPercent(p90));
        row.shortBand = tr("± %1").arg(formatPercent(median));
        row.tip += u'\n' + tr("half of them are off by less than %1, nine in ten by less than %2")
                               .arg(formatPercent(median), formatPercent(p90));
    };
    give(m_rows[0], error.memory_scope, error.memory_median, error.memory_p90, memoryNote);
    if (report.time.step_s > 0)
        give(m_rows[1], error.step_scope, error.step_median, error.step_p90, stepNote);

    Row from;
    from.name = tr("Error taken from");
    from.path = u"error_band.runs"_s;
    const int runs = static_cast<int>(error.runs);
    switch (error.step_scope) {
    case ErrorScope::generation: from.value = tr("%n run(s), this GPU", nullptr, runs); break;
    case ErrorScope::kind:
    case ErrorScope::stack: from.value = tr("%n run(s), this stack", nullptr, runs); break;
    case ErrorScope::own_run: from.value = tr("its own run"); break;
    case ErrorScope::none: from.value = tr("never compared"); break;
    }
    from.tip = stepNote + u'\n' + memoryNote;
    if (const auto release = release_note(report)) from.tip += u'\n' + translated(*release);
    m_rows.push_back(std::move(from));
}

QString VerdictPanel::bandFor(const Row& row, int room) {
    const double name = m_labels.size(row.name).width() + 6;
    for (const QString& band : {row.band, row.shortBand})
        if (!band.isEmpty() && m_labels.size(band).width() + 6 + name <= room) return band;
    return {};
}

int VerdictPanel::write(QPainter& painter, LabelCache& labels, const QRect& area, Qt::Alignment side,
                        const QString& text) {
    QString shown = text;
    QSizeF size = labels.size(shown);
    if (size.width() > area.width()) {
        shown = QFontMetrics(labels.font()).elidedText(text, Qt::ElideRight, area.width());
        size = labels.size(shown);
    }
    const double left = side & Qt::AlignRight ? area.right() + 1 - size.width() : area.left();
    labels.draw(painter, {left, area.top() + (area.height() - size.height()) / 2}, shown);
    return static_cast<int>(std::ceil(size.width()));
}

bool VerdictPanel::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        for (const Row& row : m_rows)
            if (row.area.contains(help->pos()) && !row.tip.isEmpty()) {
                QToolTip::showText(help->globalPos(), row.tip, this, row.area);
                return true;
            }
    }
    return ReportView::event(event);
}

QFont VerdictPanel::bigFont() const {
    QFont big = font();
    big.setPointSizeF(font().pointSizeF() * 2.3);
    big.setBold(true);
    return big;
}

QFont VerdictPanel::figureFont() const {
    QFont figure = font();
    figure.setPointSizeF(font().pointSizeF() * 1.12);
    figure.setBold(true);
    return figure;
}

void VerdictPanel::place() {
    int y = kMargin / 2 + QFontMetrics(bigFont()).height() + 4;
    const int height = QFontMetrics(figureFont()).height() + 3;
    for (Row& row : m_rows) {
        row.area = QRect(0, y, width(), height);
        y += height;
    }
}

QSize VerdictPanel::sizeHint() const {
    return {300,
            kMargin + QFontMetrics(bigFont()).height() + 4 + 10 * (QFontMetrics(figureFont()).height() + 3)};
}

QSize VerdictPanel::minimumSizeHint() const { return {250, sizeHint().height()}; }

void VerdictPanel::paintEvent(QPaintEvent*) {
    countPaint();
    place();
    QPainter painter(this);
    painter.fillRect(rect(), theme().card());
    if (!report()) {
        painter.setPen(theme().mutedText());
        painter.drawText(rect().adjusted(kMargin, kMargin, -kMargin, -kMargin),
                         Qt::AlignTop | Qt::TextWordWrap,
                         tr("Open a plan, or pick a model and a cluster in the toolbar."));
        return;
    }
    const Role role = roleOf(*report());
    m_labels.setFont(font());
    m_figures.setFont(figureFont());
    m_big.setFont(bigFont());
    painter.setPen(theme().color(role));
    const QString sign = role == Role::Good ? u"✓ "_s : role == Role::Caution ? u"! "_s : u"✗ "_s;
    write(painter, m_big,
          QRect(kMargin, kMargin / 2, width() - 2 * kMargin, QFontMetrics(m_big.font()).height()),
          Qt::AlignLeft, sign + verdictText());

    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const Row& row = m_rows[i];
        const bool selected = !row.path.isEmpty() && interaction().selected().path == row.path;
        const bool current = hasFocus() && static_cast<int>(i) == m_current;
        if (selected || static_cast<int>(i) == m_hovered)
            painter.fillRect(row.area.adjusted(4, 0, -4, 0), mixed(theme().card(), theme().accent(), 0.14));
        if (current) {
            painter.setPen(theme().accent());
            painter.drawRect(row.area.adjusted(4, 0, -5, -1));
        }
        QRect area = row.area.adjusted(kMargin, 0, -kMargin, 0);
        if (!row.delta.isEmpty()) {
            painter.setPen(theme().color(row.better > 0   ? Role::Good
                                         : row.better < 0 ? Role::Bad
                                                          : Role::Caution));
            area.setRight(area.right() - write(painter, m_labels, area, Qt::AlignRight, row.delta) - 6);
        }
        const int value = static_cast<int>(std::ceil(m_figures.size(row.value).width()));
        if (const QString band = bandFor(row, area.width() - value - 6); !band.isEmpty()) {
            painter.setPen(theme().mutedText());
            area.setRight(area.right() - write(painter, m_labels, area, Qt::AlignRight, band) - 6);
        }
        painter.setPen(theme().text());
        area.setRight(area.right() - write(painter, m_figures, area, Qt::AlignRight, row.value) - 6);
        painter.setPen(theme().mutedText());
        write(painter, m_labels, area, Qt::AlignLeft, row.name);
    }
}

void VerdictPanel::select(int row) {
    if (row < 0 || row >= static_cast<int>(m_rows.size())) return;
    m_current = row;
    const QString& path = m_rows[std::size_t(row)].path;
    if (!path.isEmpty()) interaction().setSelected({-1, -1, -1, path});
    update();
}

void VerdictPanel::mouseMoveEvent(QMouseEvent* event) {
    int hovered = -1;
    for (std::size_t i = 0; i < m_rows.size(); ++i)
        if (m_rows[i].area.contains(event->position().toPoint()) && !m_rows[i].path.isEmpty())
            hovered = static_cast<int>(i);
    if (hovered == m_hovered) return;
    m_hovered = hovered;
    interaction().setHovered(hovered < 0 ? Target{} : Target{-1, -1, -1, m_rows[std::size_t(hovered)].path});
    update();
}

void VerdictPanel::mousePressEvent(QMouseEvent* event) {
    for (std::size_t i = 0; i < m_rows.size(); ++i)
        if (m_rows[i].area.contains(event->position().toPoint())) select(static_cast<int>(i));
}

void VerdictPanel::leaveEvent(QEvent*) {
    if (m_hovered < 0) return;
    m_hovered = -1;
    interaction().setHovered({});
    update();
}

void VerdictPanel::keyPressEvent(QKeyEvent* event) {
    const int last = static_cast<int>(m_rows.size()) - 1;
    switch (event->key()) {
    case Qt::Key_Down: return select(std::min(last, m_current + 1));
    case Qt::Key_Up: return select(std::max(0, m_current - 1));
    case Qt::Key_Home: return select(0);
    case Qt::Key_End: return select(last);
    default: ReportView::keyPressEvent(event);
    }
}

void VerdictPanel::focusInEvent(QFocusEvent* event) {
    if (m_current < 0) m_current = 0;
    update();
    ReportView::focusInEvent(event);
}

void VerdictPanel::focusOutEvent(QFocusEvent* event) {
    update();
    ReportView::focusOutEvent(event);
}

void VerdictPanel::themeChanged() { place(); }

void VerdictPanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::FontChange) {
        place();
        updateGeometry();
    }
    ReportView::changeEvent(event);
}

void VerdictPanel::describe() {
    QStringList sentence{verdictText()};
    for (const Row& row : m_rows) {
        QString text = row.name + u": "_s + row.value;
        if (!row.band.isEmpty()) text += u' ' + row.band;
        sentence << text;
    }
    if (report())
        sentence << translated(step_error_note(*report())) << translated(memory_error_note(*report()));
    setAccessibleDescription(sentence.join(u"; "_s));
}

void VerdictPanel::retranslate() {
    setAccessibleName(tr("Verdict"));
    setToolTip(tr("Click a figure to see where it comes from; the arrow keys move between them."));
    build();
    describe();
    update();
}

} // namespace shardlens
