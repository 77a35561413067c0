// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/explain_panel.h"

#include <QCoreApplication>
#include <QTextBrowser>
#include <QTimer>
#include <QUrl>
#include <QVBoxLayout>

#include "controls/core_text.h"
#include "controls/quantity.h"
#include "format.h"

namespace shardlens {

using namespace Qt::StringLiterals;

namespace {

constexpr int kPauseMilliseconds = 150;
constexpr qsizetype kLongestFormula = 1200; ///< characters shown; the full text is on the command line

QString tagName(Tag tag) {
    switch (tag) {
    case Tag::exact: return ExplainPanel::tr("exact");
    case Tag::measured: return ExplainPanel::tr("measured");
    case Tag::modelled: return ExplainPanel::tr("modelled");
    case Tag::assumed: break;
    }
    return ExplainPanel::tr("assumed");
}

QString readable(const std::string& formula) {
    QString text = toQString(formula);
    if (text.size() > kLongestFormula) text = text.left(kLongestFormula) + u" …"_s;
    text = text.toHtmlEscaped();
    // A formula may break behind an operator and inside long names.
    text.replace(u" * "_s, u" · "_s).replace(u"_"_s, u"_\u200B"_s);
    return text;
}

} // namespace

ExplainPanel::ExplainPanel(const Theme& theme, Interaction& interaction, QWidget* parent)
    : ReportView(theme, interaction, parent), m_text(new QTextBrowser(this)), m_pause(new QTimer(this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_text);
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->setOpenLinks(false);
    m_text->document()->setDocumentMargin(10);
    connect(m_text, &QTextBrowser::anchorClicked, this, &ExplainPanel::openLink);
    setFocusProxy(m_text);
    m_pause->setSingleShot(true);
    m_pause->setInterval(kPauseMilliseconds);
    connect(m_pause, &QTimer::timeout, this, &ExplainPanel::askNow);
    connect(&interaction, &Interaction::hoveredChanged, this, &ExplainPanel::follow);
    connect(&interaction, &Interaction::selectedChanged, this, &ExplainPanel::follow);
    retranslate();
}

void ExplainPanel::follow() {
    const QString& hovered = interaction().hovered().path;
    const QString& wanted = hovered.isEmpty() ? interaction().selected().path : hovered;
    if (wanted == m_path || (wanted.isEmpty() && !m_path.isEmpty())) return;
    m_path = wanted;
    m_trail.clear();
    m_pause->start();
}

void ExplainPanel::reportChanged() {
    // Computed when the hand rests: dragging must not pay for explanations nobody can read meanwhile.
    if (!m_path.isEmpty()) m_pause->start();
}

bool ExplainPanel::pending() const { return m_pause->isActive(); }

void ExplainPanel::askNow() {
    m_pause->stop();
    if (m_path.isEmpty() || !isVisible()) return;
    emit explanationWanted(m_path);
}

void ExplainPanel::setExplanation(const QString& path, const Explanation& explanation) {
    m_path = path;
    m_explanation = explanation;
    m_have = true;
    m_problem.clear();
    if (!current()) m_trail.clear();
    show();
}

void ExplainPanel::setProblem(const QString& path, const QString& line) {
    m_path = path;
    m_have = false;
    m_problem = line;
    m_trail.clear();
    show();
}

const Explanation* ExplainPanel::current() const {
    const Explanation* at = &m_explanation;
    for (const std::size_t index : m_trail) {
        if (index >= at->parts.size()) return nullptr;
        at = &at->parts[index];
    }
    return at;
}

void ExplainPanel::openLink(const QUrl& link) {
    const QString target = link.toString();
    bool whole = false;
    if (target.startsWith("part:"_L1)) {
        const auto index = target.mid(5).toULong(&whole);
        if (whole) m_trail.push_back(index);
    } else if (target.startsWith("up:"_L1)) {
        const auto depth = target.mid(3).toULong(&whole);
        if (whole && depth < m_trail.size()) m_trail.resize(depth);
    }
    if (!current()) m_trail.clear();
    show();
}

void ExplainPanel::show() {
    if (!m_problem.isEmpty()) {
        m_text->setHtml(u"<p>%1</p>"_s.arg(m_problem.toHtmlEscaped()));
        return;
    }
    if (!m_have) {
        m_text->setHtml(u"<p style='color:%1'>%2</p>"_s.arg(
            theme().mutedText().name(), tr("Point at a figure, a bar or a block to see its formula, the "
                                           "values put in and the source; click to "
                                           "keep it here.")));
        return;
    }
    const Explanation& shown = *current();
    const QString muted = theme().mutedText().name();
    const QString unit = toQString(shown.unit);
    QString html;

    // The way down to here, each step a link back.
    if (!m_trail.empty()) {
        QStringList trail;
        const Explanation* at = &m_explanation;
        for (std::size_t depth = 0; depth < m_trail.size(); ++depth) {
            const QString name = depth == 0 ? numberName(m_path) : toQString(at->name);
            trail << u"<a href='up:%1'>%2</a>"_s.arg(depth).arg(name.toHtmlEscaped());
            at = &at->parts[m_trail[depth]];
        }
        html += u"<p style='margin:0 0 4px 0'>%1 ›</p>"_s.arg(trail.join(u" › "_s));
    }
    const QString title = m_trail.empty() ? numberName(m_path) : toQString(shown.name);
    html += u"<p style='margin:0'><b>%1</b> <span style='color:%2'>%3</span></p>"_s.arg(
        title.toHtmlEscaped(), muted, tagName(shown.tag));
    const QString formula = readable(shown.formula);
    const QString numbers = readable(shown.substituted);
    if (!formula.isEmpty() && formula != title.toHtmlEscaped())
        html += u"<p style='margin:6px 0 0 0'>%1</p>"_s.arg(formula);
    if (!numbers.isEmpty() && numbers != formula)
        html += u"<p style='margin:4px 0 0 0'><code>= %1</code></p>"_s.arg(numbers);
    QString value = formatValue(shown.value, unit);
    const QString exact = editText(shown.value);
    if (unit != "1"_L1 && !unit.isEmpty() && !value.startsWith(exact + QChar(0xA0)))
        value += u" <span style='color:%1'>(%2 %3)</span>"_s.arg(muted, exact, unit.toHtmlEscaped());
    html += u"<p style='margin:6px 0 0 0'>= <b>%1</b></p>"_s.arg(value);

    if (!shown.parts.empty()) {
        html += u"<table style='margin-top:6px' cellspacing='0' cellpadding='2'>"_s;
        for (std::size_t i = 0; i < shown.parts.size(); ++i) {
            const Explanation& part = shown.parts[i];
            const bool deeper = !part.parts.empty() || part.formula != part.name;
            const QString name = toQString(part.name).toHtmlEscaped();
            html += u"<tr><td>%1</td><td align='right'>&nbsp;&nbsp;%2</td></tr>"_s.arg(
                deeper ? u"<a href='part:%1'>%2</a>"_s.arg(i).arg(name) : name,
                formatValue(part.value, toQString(part.unit)));
        }
        html += u"</table>"_s;
    }
    if (!shown.source.empty())
        html += u"<p style='margin:8px 0 0 0; color:%1'>%2</p>"_s.arg(
            muted, tr("Source: %1").arg(toQString(shown.source)).toHtmlEscaped());
    html += u"<p style='margin:4px 0 0 0; color:%1'><code>%2</code></p>"_s.arg(muted, m_path.toHtmlEscaped());
    m_text->setHtml(html);
}

QString ExplainPanel::shownText() const { return m_text->toPlainText(); }

void ExplainPanel::themeChanged() { show(); }

void ExplainPanel::retranslate() {
    setAccessibleName(tr("Explanation"));
    m_text->setAccessibleName(tr("Explanation"));
    show();
}

QSize ExplainPanel::sizeHint() const { return {300, 260}; }

} // namespace shardlens
