// SPDX-License-Identifier: GPL-3.0-or-later
// The lessons as text: their list, and the step at hand of the one that is open, with buttons and questions.
// Changes nothing itself; what a button or a task wants is a signal.
#pragma once

#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

#include "lessons/library.h"
#include "lessons/session.h"
#include "report_view.h"

class QKeyEvent;
class QLabel;
class QPushButton;
class QScrollArea;
class QStackedWidget;
class QToolButton;
class QVBoxLayout;

namespace shardlens {

class LessonEnd;
class LessonList;
class LessonProgress;
class MarkdownView;
class QuestionCard;

class LessonPanel : public QWidget {
    Q_OBJECT
public:
    /// Catalogue and progress must outlive the panel.
    LessonPanel(const Theme& theme, const Catalog& catalog, LessonProgress& progress,
                QWidget* parent = nullptr);
    ~LessonPanel() override;

    void setLibrary(std::shared_ptr<const lessons::Library> library);
    [[nodiscard]] const std::shared_ptr<const lessons::Library>& library() const { return m_library; }
    /// Opens a lesson of the library at its introduction; false when there is none of this id.
    bool open(const QString& id);
    /// Back to the list.
    void closeLesson();
    /// The lesson that is open, null when the list is shown.
    [[nodiscard]] const lessons::Session* session() const { return m_session ? &*m_session : nullptr; }
    [[nodiscard]] QString lessonId() const;

    [[nodiscard]] int stepCount() const;
    [[nodiscard]] int step() const { return m_step; }
    /// Clamped to the steps that there are.
    void setStep(int step);
    /// Scrolls the step by a share of what is in sight; false when there is no more that way.
    bool scrollBy(double share);
    /// Forward (1) or back (−1) by what is in sight, at the end of the step to the next one.
    void turn(int direction);
    /// Page Down and Page Up turn; true: it was one of them.
    bool pageKey(QKeyEvent* event);

    /// The plan at hand: fields and goals follow it.
    void setReport(const ReportPtr& report);
    /// Fills fields in and looks at goals once more.
    void refresh();
    void setTheme(const Theme& theme);
    /// Few controls: no list, no "back"; larger type and margins.
    void setPresenting(bool on);
    void retranslate();

    /// Presenter's notes of the step, filled in; "" when it has none.
    [[nodiscard]] QString notes() const;
    [[nodiscard]] QString heading() const;
    /// What the step says, as plain text (for tests and accessibility).
    [[nodiscard]] QString shownText() const;
    [[nodiscard]] const std::vector<QuestionCard*>& questions() const { return m_questions; }
    [[nodiscard]] const std::vector<QPushButton*>& actionButtons() const { return m_actionButtons; }
    [[nodiscard]] LessonList& list() const { return *m_list; }

signals:
    void opened();
    void closed();
    void stepChanged();
    void actionWanted(const shardlens::lessons::Action& action, const QString& label);
    void planWanted(const shardlens::Plan& plan, const QString& what);
    void viewWanted(shardlens::lessons::View view);
    void backWanted();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void buildStep();
    void addQuestion(const lessons::Question& question, QVBoxLayout* layout);
    void addEnd(QVBoxLayout* layout);
    void showEnd();
    /// The lesson that follows in the library; null: none.
    [[nodiscard]] std::shared_ptr<const lessons::Lesson> following() const;
    void bringIntoView(QuestionCard* card);
    void clearPage();
    void scaleHeadings();
    [[nodiscard]] QFont bodyFont() const;
    void startOver();
    void showNavigation();
    [[nodiscard]] const lessons::Step* current() const;
    [[nodiscard]] QString filled(const std::string& text) const;

    Theme m_theme;
    const Catalog& m_catalog;
    LessonProgress& m_progress;
    std::shared_ptr<const lessons::Library> m_library;
    std::optional<lessons::Session> m_session;
    ReportPtr m_report;
    QString m_language; ///< of the session
    int m_step = 0;
    bool m_presenting = false;
    bool m_presentedType = false; ///< the widgets of the page have it

    QStackedWidget* m_stack;
    QWidget* m_top = nullptr;
    LessonList* m_list;
    QLabel *m_listTitle = nullptr, *m_empty = nullptr, *m_title = nullptr, *m_heading = nullptr,
           *m_position = nullptr;
    QToolButton *m_toList = nullptr, *m_startOver = nullptr;
    QPushButton *m_back = nullptr, *m_previous = nullptr, *m_next = nullptr;
    QScrollArea* m_scroll = nullptr;
    QWidget* m_page = nullptr;
    LessonEnd* m_end = nullptr; ///< of the last step
    std::vector<MarkdownView*> m_texts;
    std::vector<QuestionCard*> m_questions;
    std::vector<QPushButton*> m_actionButtons;
    std::vector<const lessons::Action*> m_actions;
};

} // namespace shardlens
