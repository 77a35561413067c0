// SPDX-License-Identifier: GPL-3.0-or-later
// Lessons at work: the text beside the live views that it names. Plans go through the document, so every
// button of a lesson can be undone.
#pragma once

#include <QHash>
#include <functional>
#include <map>
#include <optional>

#include "document.h"
#include "lessons/lesson.h"
#include "page.h"
#include "plan/plan.h"

class QLabel;
class QSplitter;
class QStackedWidget;
class QTabBar;

namespace shardlens {

class LessonPanel;
class LessonProgress;

namespace lessons {
struct Library;
}

/// Views that only lessons and their page have, by the names of the lesson format.
[[nodiscard]] const QStringList& learnViewNames();

class LessonsPage : public Page {
    Q_OBJECT
public:
    /// Makes a page of a view by its name; null for an unknown one.
    using MakePage = std::function<Page*(const QString& view)>;

    /// What `make` makes must live as long as the page.
    LessonsPage(Document& document, const Theme& theme, Interaction& interaction, LessonProgress& progress,
                MakePage make, QWidget* parent = nullptr);

    void showReports(const ReportPtr& report, const ReportPtr& pinned) override;
    void setTheme(const Theme& theme) override;
    void retranslate() override;
    [[nodiscard]] bool settled() const override;
    void settle() override;
    [[nodiscard]] std::vector<ReportView*> views() const override;

    void setLibrary(std::shared_ptr<const lessons::Library> library);
    /// Opens a lesson; false when the library has none of this id.
    bool open(const QString& id);
    [[nodiscard]] LessonPanel& panel() const { return *m_panel; }
    /// The view beside the text, by name.
    void showView(const QString& view);
    [[nodiscard]] QString currentView() const;
    [[nodiscard]] Page* view(const QString& name) const { return m_pages.value(name); }
    /// Few controls and more room for the text.
    void setPresenting(bool on);
    /// Has the document another plan than before the lesson?
    [[nodiscard]] bool hasOwnPlan() const { return m_before.has_value(); }

signals:
    void problem(const shardlens::Error& error);
    void stepChanged();

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void opened();
    void act(const lessons::Action& action, const QString& label);
    void pinAs(int letter);
    /// What the lesson pinned goes, what was pinned there before comes back.
    void takePinsOff();
    void take(const Plan& plan, const QString& what);
    void back();
    void light(const std::string& path);
    void showTabs(const QStringList& views);
    void showVerdict();

    Document& m_document;
    Theme m_theme;
    Interaction& m_interaction;
    MakePage m_make;
    LessonPanel* m_panel;
    QSplitter* m_splitter;
    QTabBar* m_tabs;
    QLabel* m_verdict;
    QStackedWidget* m_stack;
    QHash<QString, Page*> m_pages;
    QStringList m_views; ///< of the tabs
    ReportPtr m_report, m_pinned;
    std::optional<Plan> m_before; ///< the learner's plan, from before the lesson
    struct LessonPin {
        std::optional<Document::Pinned> before;
        Plan plan; ///< that the lesson pinned
    };
    std::map<int, LessonPin> m_lessonPins; ///< by letter, 0 = A
    int m_baselineBefore = 0;
};

} // namespace shardlens
