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
class MessagesPanel;
class Page;
class PlanPanel;
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
    void showView(const QString& view);
    [[nodiscard]] QString currentView() const;

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

private:
    struct Actions;

    void buildPanels();
    void buildActions();
    void buildMenus();
    void connectAll();
    void afterFirstPaint();
    void retranslate();
    void retranslateActions();
    void updateTitle();
    void updateIcons();

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
    QWidget* m_banner = nullptr;
    QLabel* m_bannerText = nullptr;
    QToolButton* m_bannerClose = nullptr;
    QTimer* m_rest = nullptr; ///< the hand rests: sliders get fresh scales, the family follows
    std::string m_familyOf;   ///< model whose family the size slider steps through
    QByteArray m_defaultState;
    bool m_painted = false;
};

} // namespace shardlens
