// SPDX-License-Identifier: GPL-3.0-or-later
// Where a number comes from: formula, values put in, unit, source, tag, and the quantities it is made of.
#pragma once

#include <vector>

#include "formula/explain.h"
#include "report_view.h"

class QTextBrowser;
class QTimer;
class QUrl;

namespace shardlens {

class ExplainPanel : public ReportView {
    Q_OBJECT
public:
    ExplainPanel(const Theme& theme, Interaction& interaction, QWidget* parent = nullptr);
    void retranslate() override;

    /// Path of the number in view; "" when none is.
    [[nodiscard]] QString path() const { return m_path; }
    /// Answers explanationWanted().
    void setExplanation(const QString& path, const Explanation& explanation);
    /// Says in one line why there is no explanation.
    void setProblem(const QString& path, const QString& line);
    /// Plain text of what is shown, for tests and the clipboard.
    [[nodiscard]] QString shownText() const;
    [[nodiscard]] bool pending() const;
    /// Asks at once instead of after a pause.
    void askNow();

signals:
    /// The hand has paused over a number.
    void explanationWanted(const QString& path);

protected:
    void reportChanged() override;
    void themeChanged() override;
    [[nodiscard]] QSize sizeHint() const override;

private:
    void follow();
    void openLink(const QUrl& link);
    void show();
    [[nodiscard]] const Explanation* current() const;

    QTextBrowser* m_text;
    QTimer* m_pause;
    QString m_path, m_problem;
    Explanation m_explanation;
    bool m_have = false;
    std::vector<std::size_t> m_trail; ///< parts clicked into, from the number down
};

} // namespace shardlens
