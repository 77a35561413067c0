// SPDX-License-Identifier: GPL-3.0-or-later
#include "text_diff.h"

#include <algorithm>

namespace shardlens {

namespace {

constexpr qsizetype kMostCells = 4'000'000; ///< of the table below: some 10 ms

using Lines = QList<QStringView>;

/// Lengths of the longest common subsequences of all ends of `a` and `b`.
class CommonLengths {
public:
    CommonLengths(const Lines& a, const Lines& b)
        : m_width(b.size() + 1), m_lengths(static_cast<std::size_t>((a.size() + 1) * m_width)) {
        for (qsizetype i = a.size() - 1; i >= 0; --i)
            for (qsizetype j = b.size() - 1; j >= 0; --j)
                cell(i, j) = a[i] == b[j] ? cell(i + 1, j + 1) + 1 : std::max(cell(i + 1, j), cell(i, j + 1));
    }
    [[nodiscard]] int at(qsizetype i, qsizetype j) const {
        return m_lengths[static_cast<std::size_t>(i * m_width + j)];
    }

private:
    int& cell(qsizetype i, qsizetype j) { return m_lengths[static_cast<std::size_t>(i * m_width + j)]; }

    qsizetype m_width;
    std::vector<int> m_lengths;
};

} // namespace

int LineChanges::count() const {
    return static_cast<int>(std::count(changed.begin(), changed.end(), true) +
                            std::count(removedBefore.begin(), removedBefore.end(), true));
}

LineChanges changedLines(const QString& before, const QString& after) {
    const Lines old = QStringView(before).split(u'\n'), now = QStringView(after).split(u'\n');
    LineChanges result{std::vector<bool>(static_cast<std::size_t>(now.size())),
                       std::vector<bool>(static_cast<std::size_t>(now.size() + 1))};
    qsizetype head = 0, tail = 0;
    const qsizetype shorter = std::min(old.size(), now.size());
    while (head < shorter && old[head] == now[head]) ++head;
    while (tail < shorter - head && old[old.size() - 1 - tail] == now[now.size() - 1 - tail]) ++tail;
    const Lines a = old.mid(head, old.size() - tail - head), b = now.mid(head, now.size() - tail - head);
    const auto mark = [](std::vector<bool>& marks, qsizetype line) {
        marks[static_cast<std::size_t>(line)] = true;
    };
    if (a.size() * b.size() > kMostCells) {
        for (qsizetype j = 0; j < b.size(); ++j) mark(result.changed, head + j);
        return result;
    }
    const CommonLengths lengths(a, b);
    qsizetype i = 0, j = 0;
    while (i < a.size() || j < b.size()) {
        // One stretch of lines gone and come, up to the next that both have.
        const qsizetype from = j;
        bool gone = false;
        while ((i < a.size() || j < b.size()) && !(i < a.size() && j < b.size() && a[i] == b[j])) {
            if (j == b.size() || (i < a.size() && lengths.at(i + 1, j) >= lengths.at(i, j + 1))) {
                gone = true;
                ++i;
            } else {
                mark(result.changed, head + j++);
            }
        }
        if (gone && j == from) mark(result.removedBefore, head + j);
        while (i < a.size() && j < b.size() && a[i] == b[j]) ++i, ++j;
    }
    return result;
}

} // namespace shardlens
