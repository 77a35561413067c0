// SPDX-License-Identifier: GPL-3.0-or-later
#include "controls/wrapped_column.h"

#include <QHeaderView>
#include <QStyledItemDelegate>
#include <QTimer>
#include <QTreeView>

namespace shardlens {

namespace {

/// A tree asks for the height of a row without saying how wide its column is.
class WrappedDelegate : public QStyledItemDelegate {
public:
    explicit WrappedDelegate(QTreeView& list) : QStyledItemDelegate(&list), m_list(list) {}

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        constexpr int kTall = 1000;
        QStyleOptionViewItem wrapped = option;
        initStyleOption(&wrapped, index);
        wrapped.features |= QStyleOptionViewItem::WrapText;
        wrapped.rect = QRect(0, 0, m_list.columnWidth(index.column()), kTall);
        return m_list.style()->sizeFromContents(QStyle::CT_ItemViewItem, &wrapped, QSize(), &m_list);
    }

private:
    QTreeView& m_list;
};

} // namespace

void wrapLastColumn(QTreeView& list) {
    QHeaderView* header = list.header();
    const int last = header->count() - 1;
    header->setSectionResizeMode(QHeaderView::ResizeToContents);
    header->setSectionResizeMode(last, QHeaderView::Stretch);
    list.setWordWrap(true);
    list.setUniformRowHeights(false);
    list.setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list.setVerticalScrollMode(QAbstractItemView::ScrollPerPixel); // a row may be higher than the list
    list.setItemDelegateForColumn(last, new WrappedDelegate(list));
    // Later, and once: heights may show a scroll bar, which takes from the width.
    auto* later = new QTimer(&list);
    later->setSingleShot(true);
    QObject::connect(later, &QTimer::timeout, &list, [&list] { list.doItemsLayout(); });
    QObject::connect(header, &QHeaderView::sectionResized, later, [later, last](int section) {
        if (section == last) later->start(0);
    });
}

} // namespace shardlens
