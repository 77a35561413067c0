// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QActionGroup>
#include <QList>
#include <QMenu>

#include "main_window.h"

namespace shardlens {

struct MainWindow::Actions {
    QMenu *file, *edit, *view, *plan, *help, *fresh, *recent, *language, *theme, *panels, *presets;
    QAction *open, *importFile, *importNotes, *save, *saveAs, *exportPlan, *picture, *trace, *quit;
    QAction *undo, *redo, *copy, *paste;
    QAction *resetLayout, *fullScreen;
    QAction *pin, *unpin;
    QAction *calibrate, *keys, *about;
    QActionGroup *languages, *themes, *views;
};

} // namespace shardlens
