// SPDX-License-Identifier: GPL-3.0-or-later
#include "lessons/lesson_list.h"

#include <QAbstractTextDocumentLayout>
#include <QPainter>
#include <QStandardItemModel>
#include <QStyledItemDelegate>
#include <QTextLayout>

#include "controls/quantity.h"
#include "lessons/lesson_progress.h"
#include "lessons/markdown_view.h"

namespace shardlens {

using namespace Qt::StringLiterals;

namespace {

enum ItemRole { IdRole = Qt::UserRole, SummaryRole, NoteRole };
constexpr int kMargin = 8;

/// Title in bold, the summary below it as wide as the list, minutes and progress in the last line.
class LessonDelegate : public QStyledItemDelegate {
public:
    explicit LessonDelegate(QListView& view) : QStyledItemDelegate(&view), m_view(view) {}

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const int width = m_view.viewport()->width();
        return {width, draw(nullptr, option, index, QRect(0, 0, width, 0))};
    }
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        QStyleOptionViewItem background = option;
        initStyleOption(&background, index);
        background.text.clear();
        m_view.style()->drawControl(QStyle::CE_ItemViewItem, &background, painter, &m_view);
        draw(painter, option, index, option.rect);
    }

private:
    int draw(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index,
             const QRect& area) const {
        const bool selected = option.state & QStyle::State_Selected;
        const QPalette& palette = option.palette;
        const QColor ink = palette.color(selected ? QPalette::HighlightedText : QPalette::Text);
        const QColor muted = selected ? ink : palette.color(QPalette::PlaceholderText);
        QFont bold = m_view.font();
        bold.setWeight(QFont::DemiBold);
        int y = area.top() + kMargin;
        const auto line = [&](const QString& text, const QFont& font, const QColor& color) {
            if (text.isEmpty()) return;
            const QRect room(area.left() + kMargin, y, area.width() - 2 * kMargin, 10000);
            const QRect used = QFontMetrics(font).boundingRect(room, Qt::TextWordWrap, text);
            if (painter) {
                painter->setFont(font);
                painter->setPen(color);
                painter->drawText(QRect(room.topLeft(), QSize(room.width(), used.height() + 2)),
                                  Qt::TextWordWrap, text);
            }
            y += used.height() + 2;
        };
        line(index.data(Qt::DisplayRole).toString(), bold, ink);
        line(index.data(SummaryRole).toString(), m_view.font(), ink);
        line(index.data(NoteRole).toString(), m_view.font(), muted);
        return y + kMargin - 2 - area.top();
    }

    QListView& m_view;
};

} // namespace

LessonList::LessonList(const LessonProgress& progress, QWidget* parent)
    : QListView(parent), m_progress(progress), m_model(new QStandardItemModel(this)) {
    setModel(m_model);
    setItemDelegate(new LessonDelegate(*this));
    setResizeMode(QListView::Adjust);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setAlternatingRowColors(true);
    setFrameShape(QFrame::NoFrame);
    const auto choose = [this](const QModelIndex& index) { emit chosen(index.data(IdRole).toString()); };
    connect(this, &QListView::activated, this, choose);
    connect(this, &QListView::clicked, this, [this, choose](const QModelIndex& index) {
        // Where a click activates already, once is enough.
        if (!style()->styleHint(QStyle::SH_ItemView_ActivateItemOnSingleClick, nullptr, this)) choose(index);
    });
    retranslate();
}

void LessonList::show(const std::shared_ptr<const lessons::Library>& library) {
    const int row = currentIndex().row();
    m_model->clear();
    if (!library) return;
    const std::string language = lessonLanguage().toStdString();
    for (const lessons::Entry& entry : library->entries) {
        const auto lesson = entry.in(language);
        const QString id = toQString(lesson->id);
        const QString number = lesson->order > 0 ? u"%1  "_s.arg(lesson->order) : QString();
        auto* item = new QStandardItem(number + toQString(lesson->title));
        const auto questions = lesson->questions();
        const QStringList answered = m_progress.answered(id);
        int done = 0;
        for (const auto* question : questions) done += answered.contains(toQString(question->id));
        QString note = tr("%n minute(s)", nullptr, int(lesson->minutes));
        if (!questions.empty())
            note += u" · "_s + tr("%1 of %2 questions answered").arg(done).arg(questions.size());
        QStringList open;
        for (const int step : m_progress.openSteps(*lesson)) open << QString::number(step);
        if (done > 0 && !open.isEmpty()) note += u" · "_s + tr("open: step %1").arg(open.join(tr(", ")));
        item->setData(id, IdRole);
        item->setData(toQString(lesson->summary), SummaryRole);
        item->setData(note, NoteRole);
        item->setData(u"%1. %2. %3"_s.arg(item->text(), toQString(lesson->summary), note),
                      Qt::AccessibleTextRole);
        m_model->appendRow(item);
    }
    setCurrentIndex(m_model->index(qBound(0, row, m_model->rowCount() - 1), 0));
}

void LessonList::retranslate() { setAccessibleName(tr("Lessons")); }

} // namespace shardlens
