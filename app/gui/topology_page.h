// SPDX-License-Identifier: GPL-3.0-or-later
// The cluster with its tools: the map, the groups that cross tiers, links, collectives step by step,
// failures, the best rank order.
#pragma once

#include "background.h"
#include "page.h"
#include "report/best_order.h"
#include "report/failure.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;
class QSplitter;
class QTabWidget;
class QTableWidget;
class QTimer;
class QToolButton;

namespace shardlens {

class CollectivePlayer;
class Document;
class TopologyView;

class TopologyPage : public Page {
    Q_OBJECT
public:
    enum class Failing { Nothing, Node, Port };

    TopologyPage(Document& document, const Theme& theme, Interaction& interaction, QWidget* parent = nullptr);
    void showReports(const ReportPtr& report, const ReportPtr& pinned) override;
    void setTheme(const Theme& theme) override;
    void retranslate() override;
    [[nodiscard]] bool settled() const override;
    void settle() override;
    [[nodiscard]] std::vector<ReportView*> views() const override;

    [[nodiscard]] TopologyView& map() const { return *m_map; }
    [[nodiscard]] CollectivePlayer& player() const { return *m_player; }
    [[nodiscard]] QTableWidget& groups() const { return *m_groups; }
    [[nodiscard]] QTableWidget& links() const { return *m_links; }
    [[nodiscard]] QPushButton& orderButton() const { return *m_orderButton; }
    [[nodiscard]] QLineEdit& searchField() const { return *m_search; }
    /// "17" pins GPU 17, "node 3" the first GPU of node 3; false: there is no such one.
    bool find(const QString& text);
    /// Takes a node or a port of it out, or gives everything back.
    void setFailing(Failing what, qint64 node = 0, qint64 port = 0);
    [[nodiscard]] QString failureText() const;

signals:
    void problem(const shardlens::Error& error);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fillGroups();
    void arrange();
    void fitColumns();
    void fillLinks();
    void showMembers();
    void findOrder();
    void showOrder();
    void useOrder();
    void findFailure();
    void showFailure();
    void showSearch(bool found);

    Document& m_document;
    Interaction& m_interaction;
    Theme m_theme;
    TopologyView* m_map;
    CollectivePlayer* m_player;
    QSplitter* m_splitter;
    QTabWidget* m_tabs;
    QToolButton *m_nearer, *m_farther, *m_fit;
    QLineEdit* m_search;
    QPushButton* m_orderButton;
    QTableWidget *m_groups, *m_links;
    QLabel *m_members, *m_failure, *m_nodeLabel, *m_portLabel;
    QComboBox* m_failing;
    QSpinBox *m_failNode, *m_failPort;
    QTimer* m_pause;
    int m_crossingWidth = 0;       ///< of that column when it is shown
    ReportPtr m_report, m_orderOf; ///< the latest, and the one that the order belongs to
    std::vector<placement::GroupKind> m_rowKinds;
    std::optional<Result<BestOrder>> m_order;
    std::optional<Result<FailureEffect>> m_effect;
    Background m_orderWork, m_failureWork; ///< last: they wait for their work before the rest goes
};

} // namespace shardlens
