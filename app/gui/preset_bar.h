// SPDX-License-Identifier: GPL-3.0-or-later
// The toolbar: history, what is trained on what with which software, fidelity, pin.
#pragma once

#include <QToolBar>

#include "catalog/catalog.h"
#include "plan/fields.h"

class QAction;
class QComboBox;
class QLabel;

namespace shardlens {

class Document;

class PresetBar : public QToolBar {
    Q_OBJECT
public:
    PresetBar(Document& document, QAction* undo, QAction* redo, QAction* pin, QWidget* parent = nullptr);

    /// Fills the choices; only names are read. Called once the window stands.
    void populate();
    void showPlan();
    void retranslate();

    [[nodiscard]] QComboBox* model() const { return m_model; }
    [[nodiscard]] QComboBox* node() const { return m_node; }
    [[nodiscard]] QComboBox* stack() const { return m_stack; }
    [[nodiscard]] QComboBox* target() const { return m_target; }
    [[nodiscard]] QComboBox* fidelity() const { return m_fidelity; }

signals:
    void chosen(const QString& path, const shardlens::FieldValue& value);

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QComboBox* addChoice(QLabel*& label, const char* path, int characters);
    /// Shortens the choices where the window is narrow, so that none of them leaves the bar.
    void fitChoices();
    /// Selects `id`, adding it when it is not listed (a shape of one's own, a preset that is gone).
    static void select(QComboBox* combo, const QString& id, const QString& name);

    Document& m_document;
    QLabel *m_modelLabel, *m_nodeLabel, *m_stackLabel, *m_targetLabel, *m_fidelityLabel;
    QComboBox *m_model, *m_node, *m_stack, *m_target, *m_fidelity;
    std::vector<QComboBox*> m_choices;
};

} // namespace shardlens
