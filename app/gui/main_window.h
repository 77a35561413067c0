// SPDX-License-Identifier: GPL-3.0-or-later
// The window: plan on the left, views in the centre, the answer on the right. Wires the document to what
// shows it.
#pragma once

#include <QHash>
#include <QMainWindow>
#include <functional>
#include <memory>

#include "document.h"
#include "interaction.h"
#include "language.h"
#include "theme/theme.h"

class QActionGroup;
class QDockWidget;
class QLabel;
class QMenu;
class QSettings;
class QTabWidget;
class QTimer;
class QToolButton;

namespace shardlens {

class ExplainPanel;
class ExportPage;
class ImportDialog;
class ImportNotesDialog;
struct ImportAccount;
class LessonProgress;
class LessonsPage;
class MessagesPanel;
class Page;
class PlanPanel;
class PresentationBar;
class PresetBar;
class VerdictPanel;

class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    /// `settings` null: nothing is remembered between runs.
    MainWindow(std::shared_ptr<const Catalog> catalog, std::unique_ptr<QSettings> settings,
               QWidget* parent = nullptr);
    ~MainWindow() override;

    [[nodiscard]] Document& document() { return m_document; }
    [[nodiscard]] Interaction& interaction() { return m_interaction; }
    [[nodiscard]] PlanPanel* planPanel() const { return m_plan; }
    [[nodiscard]] MessagesPanel* messagesPanel() const { return m_messages; }
    [[nodiscard]] VerdictPanel* verdictPanel() const { return m_verdict; }
    [[nodiscard]] ExplainPanel* explainPanel() const { return m_explain; }
    [[nodiscard]] PresetBar* presetBar() const { return m_bar; }
    /// The page of a view name ("overview", "memory" …), built when it is not there yet.
    Page* page(const QString& view);
    /// Also the views that stand beside lessons: "matrix", "sgd", "collective".
    void showView(const QString& view);
    [[nodiscard]] QString currentView() const;

    /// The page of the lessons, built when it is not there yet.
    LessonsPage& lessonsPage();
    /// Opens a lesson by its id in the library at hand, or a file or folder of lessons. The error is empty
    /// when done.
    [[nodiscard]] Error openLesson(const QString& idOrPath);
    /// The open lesson as a PDF handout; false and a banner when that fails.
    bool exportLessonAs(const QString& path);
    /// A folder with a lesson about the pinned plan and the plan at hand.
    bool writeLesson(const QString& folder, const QString& title);

    /// Large type, projector contrast, few controls; leaving brings everything back as it was.
    void startPresentation(bool fullScreen = true);
    void stopPresentation();
    [[nodiscard]] bool presenting() const { return m_presenting != nullptr; }
    [[nodiscard]] PresentationBar* presentationBar() const { return m_presentationBar; }

    void setTheme(ThemeKind kind);
    [[nodiscard]] const Theme& theme() const { return m_theme; }
    void setLanguage(const QString& code);
    [[nodiscard]] const QString& language() const { return m_language.code(); }

    /// Opens a plan file; when it is bad everything stays and the banner says why in one line.
    bool openFile(const QString& path);
    /// A plan is opened; any other file whose kind is known by its look is shown in the import dialog. True
    /// when one of both is under way.
    bool openOrImport(const QString& path);
    bool saveFile(const QString& path);
    /// A picture of the view in sight: of the pipeline also as shapes (.svg, .pdf), else .png.
    bool savePictureAs(const QString& path);
    /// The step as Chrome trace events. Like every file: whole, or not there and the banner says why.
    bool saveTraceAs(const QString& path);
    /// The line shown at the top of the centre; "" when none is.
    [[nodiscard]] QString bannerText() const;
    /// No evaluation, explanation or preview is outstanding; settle() makes it so.
    [[nodiscard]] bool settled() const;
    void settle();

    /// Every action that has a shortcut or stands in a menu.
    [[nodiscard]] QList<QAction*> allActions() const;

    enum class Unsaved { Save, Discard, Cancel };
    /// Asks what to do with unsaved changes; tests answer in place of the dialog.
    std::function<Unsaved()> askUnsaved;

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Actions;
    struct Presenting;

    void buildPanels();
    void buildActions();
    void buildMenus();
    void connectAll();
    /// A page of a view, by whoever takes it; null for an unknown view.
    Page* makePage(const QString& view);
    void applyTheme(ThemeKind kind);
    /// Its check mark in the menu, and icons in its ink.
    void markTheme();
    /// Lessons need the room of the panels on the right in a narrow window; other views give it back.
    void arrangePanels();
    Error loadShippedLessons(LessonsPage& lessons);
    void showPresentationStep();
    bool presentationKey(int key, const QWidget* focus);
    void chooseLessonFolder();
    void exportLesson();
    void newLesson();
    void afterFirstPaint();
    void retranslate();
    void retranslateActions();
    void updateTitle();

    void showReports();
    void showPlan();
    void updateFamily();
    void explain(const QString& path);
    void say(const QString& line, bool bad = true);
    void report(const Error& error);
    void scaleModel(double parameters, const QString& id, int gesture);

    bool confirmDiscard();
    void chooseOpen();
    bool save();
    bool saveAs();
    void saveExport();
    /// Says that a file was saved, or why not; was it?
    bool savedAs(const QString& path, const Error& error, const QString& done);
    void savePicture();
    void saveTrace();
    void fillRecent();
    void fillPresets(QMenu* menu);
    void fillBaselines(QMenu* menu);
    void remember(const QString& path);
    void showCalibrate();
    ImportDialog* showImport();
    void showImportNotes();
    void keepAccount(const ImportAccount& account);
    void pastePlan();
    void saveExportFile(const QString& name);
    void revealField(const QString& path);
    void showKeys();
    void showAbout();

    Document m_document;
    Interaction m_interaction;
    Theme m_theme;
    Language m_language;
    std::unique_ptr<QSettings> m_settings;
    std::unique_ptr<Actions> m_actions;
    std::unique_ptr<ImportAccount> m_account; ///< of the last import; null: none yet
    ImportNotesDialog* m_importNotes = nullptr;

    PresetBar* m_bar = nullptr;
    PlanPanel* m_plan = nullptr;
    VerdictPanel* m_verdict = nullptr;
    MessagesPanel* m_messages = nullptr;
    ExplainPanel* m_explain = nullptr;
    QDockWidget *m_planDock = nullptr, *m_verdictDock = nullptr, *m_messagesDock = nullptr,
                *m_explainDock = nullptr;
    QTabWidget* m_tabs = nullptr;
    QHash<QString, Page*> m_pages;
    std::unique_ptr<LessonProgress> m_progress;
    PresentationBar* m_presentationBar = nullptr;
    std::unique_ptr<Presenting> m_presenting; ///< what to bring back; null: not presenting
    QList<QDockWidget*> m_setAside;           ///< panels that the lessons took the room of
    QWidget* m_banner = nullptr;
    QLabel* m_bannerText = nullptr;
    QToolButton* m_bannerClose = nullptr;
    QTimer* m_rest = nullptr; ///< the hand rests: sliders get fresh scales, the family follows
    std::string m_familyOf;   ///< model whose family the size slider steps through
    QByteArray m_defaultState;
    bool m_painted = false;
};

} // namespace shardlens
