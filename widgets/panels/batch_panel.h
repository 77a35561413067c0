// SPDX-License-Identifier: GPL-3.0-or-later
// Where the batch comes from: global = micro · accumulation · data, each number with its origin, the grid of
// ranks beside it, and what the launcher makes of it.
#pragma once

#include <QWidget>

#include "launchers/batch_arithmetic.h"

class QLabel;
class QToolButton;
class QVBoxLayout;

namespace shardlens {

class BatchPanel : public QWidget {
    Q_OBJECT
public:
    enum class Form {
        Folding, ///< one line; the rest opens below it
        Open,    ///< everything, in a scroll area of its own
    };
    explicit BatchPanel(Form form, QWidget* parent = nullptr);

    /// `launcher` names whose numbers launchers::BatchArithmetic::launcher are; "" when it is empty.
    void setNumbers(const launchers::BatchArithmetic& numbers, const QString& launcher);
    void retranslate();

    /// "Batch 128 = 1 × 64 × 2"
    [[nodiscard]] QString summary() const;
    /// All rows as plain text, a line each.
    [[nodiscard]] QString details() const;
    [[nodiscard]] QToolButton* fold() const { return m_fold; }

protected:
    void changeEvent(QEvent* event) override;

private:
    /// A row of the table; one without a value is a sentence over its whole width.
    struct Row {
        QString name, value, origin;
        bool heading = false;
    };
    [[nodiscard]] std::vector<Row> rows() const;
    [[nodiscard]] QString html() const;
    void refresh();
    void open(bool shown);

    launchers::BatchArithmetic m_numbers;
    QString m_launcher;
    QVBoxLayout* m_layout;
    QToolButton* m_fold = nullptr;
    QWidget* m_area = nullptr;
    QLabel* m_details = nullptr; ///< built when first opened
};

} // namespace shardlens
