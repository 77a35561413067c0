// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QActionGroup>
#include <QFont>
#include <QList>
#include <QMenu>
#include <QPointer>
#include <QTableView>
#include <vector>

#include "main_window.h"

namespace shardlens {

struct MainWindow::Actions {
    QMenu *file, *edit, *view, *plan, *learn, *help, *fresh, *recent, *language, *theme, *panels, *presets,
        *baselines;
    QAction *open, *importFile, *importNotes, *save, *saveAs, *exportPlan, *picture, *trace, *quit;
    QAction *undo, *redo, *copy, *paste;
    QAction *resetLayout, *fullScreen;
    QAction *pin, *unpin;
    QAction *exportLesson, *openLessons, *shippedLessons, *newLesson, *matrix, *sgd, *collective, *present;
    QAction *calibrate, *keys, *about;
    QActionGroup *languages, *themes, *views;
};

/// What a presentation brings back when it ends.
struct MainWindow::Presenting {
    QByteArray state;
    Qt::WindowStates windowState;
    QSize size;
    ThemeKind theme;
    QFont font;
    QString view;
    int planWidth = 0;
    std::vector<std::pair<QPointer<QTableView>, int>> rows; ///< heights of table rows
};

} // namespace shardlens
