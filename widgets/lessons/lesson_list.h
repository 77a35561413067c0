// SPDX-License-Identifier: GPL-3.0-or-later
// The lessons of a library: number, title, summary, minutes, and what has been answered.
#pragma once

#include <QListView>
#include <memory>

#include "lessons/library.h"

class QStandardItemModel;

namespace shardlens {

class LessonProgress;

class LessonList : public QListView {
    Q_OBJECT
public:
    explicit LessonList(const LessonProgress& progress, QWidget* parent = nullptr);
    /// In the language of the locale. Called again when language or progress differ.
    void show(const std::shared_ptr<const lessons::Library>& library);
    void retranslate();

signals:
    void chosen(const QString& id);

private:
    const LessonProgress& m_progress;
    QStandardItemModel* m_model;
};

} // namespace shardlens
