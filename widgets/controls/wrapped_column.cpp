// SPDX-License-Identifier: GPL-3.0-or-later
#include "controls/wrapped_column.h"

#include <QHeaderView>
#include <QRegularExpression>
#include <QStyledItemDelegate>
#include <QTimer>
#include <QTreeView>

namespace shardlens {

using namespace Qt::StringLiterals;

namespace {

/// Names of programs and options are longer than a narrow list: they may break behind their signs, and the
/// longest before a capital.
QString breakable(const QString& text) {
    constexpr QChar kBreak(0x200B);
    constexpr qsizetype kLong = 20;
    QStringList words = text.split(u' ');
    for (QString& word : words) {
        if (word.size() >= kLong) word.replace(QRegularExpression(u"(?<=[a-z])(?=[A-Z])"_s), kBreak);
        for (const QChar sign : {u'.', u'_', u'(', u'='}) word.replace(sign, QString(sign) + kBreak);
    }
    return words.join(u' ');
}

/// A tree asks for the height of a row without saying how wide its column is.
class WrappedDelegate : public QStyledItemDelegate {
public:
    WrappedDelegate(QTreeView& list, int wrapped)
        : QStyledItemDelegate(&list), m_list(list), m_wrapped(wrapped) {}

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        if (index.column() != m_wrapped) return QStyledItemDelegate::sizeHint(option, index);
        constexpr int kTall = 1000;
        QStyleOptionViewItem wrapped = option;
        initStyleOption(&wrapped, index);
        wrapped.features |= QStyleOptionViewItem::WrapText;
        wrapped.rect = QRect(0, 0, m_list.columnWidth(m_wrapped), kTall);
        const QSize size =
            m_list.style()->sizeFromContents(QStyle::CT_ItemViewItem, &wrapped, QSize(), &m_list);
        return {size.width(), size.height() + kBetweenRows};
    }

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
        QStyledItemDelegate::initStyleOption(option, index);
        option->displayAlignment = Qt::AlignLeft | Qt::AlignTop;
        if (index.column() != m_wrapped) return;
        option->text = breakable(option->text);
    }

private:
    static constexpr int kBetweenRows = 4;

    QTreeView& m_list;
    int m_wrapped;
};

} // namespace

void wrapLastColumn(QTreeView& list) {
    QHeaderView* header = list.header();
    const int last = header->count() - 1;
    constexpr int kNarrowest = 40;        // a narrow list wraps more, and does not scroll
    header->setStretchLastSection(false); // Stretch, below, is that by itself
    header->setSectionResizeMode(QHeaderView::ResizeToContents);
    header->setSectionResizeMode(last, QHeaderView::Stretch);
    header->setMinimumSectionSize(kNarrowest);
    list.setWordWrap(true);
    list.setUniformRowHeights(false);
    list.setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list.setVerticalScrollMode(QAbstractItemView::ScrollPerPixel); // a row may be higher than the list
    list.setItemDelegate(new WrappedDelegate(list, last));
    // Later, and once: heights may show a scroll bar, which takes from the width.
    auto* later = new QTimer(&list);
    later->setSingleShot(true);
    QObject::connect(later, &QTimer::timeout, &list, [&list] { list.doItemsLayout(); });
    QObject::connect(header, &QHeaderView::sectionResized, later, [later, last](int section) {
        if (section == last) later->start(0);
    });
}

} // namespace shardlens
