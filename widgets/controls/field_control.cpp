// SPDX-License-Identifier: GPL-3.0-or-later
#include "controls/field_control.h"

#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QRegularExpression>
#include <QSignalBlocker>
#include <QSlider>
#include <QTimer>
#include <QToolButton>
#include <algorithm>
#include <cmath>
#include <utility>

#include "controls/choice_box.h"
#include "controls/core_text.h"
#include "controls/icons.h"
#include "controls/quantity.h"
#include "theme/theme.h"

namespace shardlens {

using namespace Qt::StringLiterals;

namespace {

constexpr int kMarkWidth = 14; ///< left of the label, free as long as nothing is wrong
constexpr int kLabelWidth = 104;
constexpr int kWideLabel = 170; ///< where no slider needs the room
constexpr int kEntryWidth = 76;
constexpr int kBytesWidth = 104;       ///< 84932978278
constexpr int kRestMilliseconds = 500; ///< a pause of the keyboard this long ends a gesture

/// Does a plan that says nothing about the field hold nothing (rather than a default value)?
bool holdsNothingByDefault(const Field& field) {
    Plan probe;
    probe.model = ModelShape{};
    return std::holds_alternative<std::monostate>(field.get(probe));
}

double numberOf(const FieldValue& value) {
    if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
    if (const auto* real = std::get_if<double>(&value)) return *real;
    return std::nan("");
}

QString textOf(const FieldValue& value) {
    const double number = numberOf(value);
    // Large round numbers in short: 4.5e11.
    if (const QString brief = QString::number(number, 'g', 6);
        std::fabs(number) >= 1e7 && brief.toDouble() == number)
        return QString(brief).replace(u"e+0"_s, u"e"_s).replace(u"e+"_s, u"e"_s);
    if (!std::isnan(number)) return editText(number);
    if (const auto* list = std::get_if<std::vector<std::int64_t>>(&value)) {
        QStringList parts;
        for (const auto entry : *list) parts << QString::number(entry);
        return parts.join(u", "_s);
    }
    if (const auto* list = std::get_if<std::vector<std::string>>(&value)) {
        QStringList parts;
        for (const auto& entry : *list) parts << toQString(entry);
        return parts.join(u", "_s);
    }
    return toQString(to_text(value));
}

QuantityKind kindOf(const Field& field) {
    if (field.type == FieldType::integer) return QuantityKind::Count;
    const std::string_view unit = field.unit;
    return unit == "B" || unit == "B/s" ? QuantityKind::Bytes : QuantityKind::Real;
}

} // namespace

std::vector<double> ladder(const Field& field) {
    std::vector<double> steps;
    if (field.type != FieldType::number) return steps;
    if (field.maximum <= 1.0) {
        for (int i = 1; i <= 100; ++i)
            if (i / 100.0 >= field.minimum && i / 100.0 <= field.maximum) steps.push_back(i / 100.0);
    } else if (std::string_view(field.path) == "training.tokens") {
        for (double decade = 1e9; decade < 1e14; decade *= 10)
            for (const double factor : {1.0, 2.0, 5.0}) steps.push_back(decade * factor);
        steps.push_back(1e14);
    }
    return steps;
}

QStringList splitList(const QString& text) {
    QString cleaned = text;
    cleaned.remove(u'[').remove(u']').remove(u'"');
    static const QRegularExpression kSeparator(uR"([\s,;]+)"_s);
    return cleaned.split(kSeparator, Qt::SkipEmptyParts);
}

FieldControl::FieldControl(const Field& field, QWidget* parent)
    : QWidget(parent), m_field(field), m_path(QString::fromUtf8(field.path)), m_englishLabel(field.label),
      m_optional(holdsNothingByDefault(field)), m_label(new QLabel(this)), m_lock(new QToolButton(this)),
      m_rest(new QTimer(this)) {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(kMarkWidth, 0, 0, 0);
    layout->setSpacing(4);
    m_label->setMinimumWidth(kLabelWidth);
    layout->addWidget(m_label);

    switch (field.type) {
    case FieldType::integer:
    case FieldType::number: buildNumber(); break;
    case FieldType::choice: buildChoice(); break;
    case FieldType::boolean:
        if (m_optional)
            buildChoice();
        else
            buildCheck();
        break;
    default: buildText(); break;
    }
    m_label->setBuddy(m_main);

    m_lock->setCheckable(true);
    m_lock->setAutoRaise(true);
    m_lock->setFixedSize(20, 20);
    m_lock->setIconSize(QSize(12, 12));
    m_lock->setIcon(tintedIcon(u"unlock"_s, palette().color(QPalette::PlaceholderText)));
    layout->addWidget(m_lock);
    connect(m_lock, &QToolButton::toggled, this, [this](bool on) {
        m_lock->setIcon(tintedIcon(on ? u"lock"_s : u"unlock"_s,
                                   palette().color(on ? QPalette::Text : QPalette::PlaceholderText)));
        retranslate();
        emit lockToggled(m_path, on);
    });

    m_rest->setSingleShot(true);
    m_rest->setInterval(kRestMilliseconds);
    connect(m_rest, &QTimer::timeout, this, &FieldControl::endGesture);
    // Label, slider, entry, lock, as they stand. No focus proxy: with one, Tab would pass the others by.
    if (m_slider) setTabOrder(m_slider, m_main);
    setTabOrder(m_main, m_lock);
    retranslate();
}

void FieldControl::buildNumber() {
    m_slider = new QSlider(Qt::Horizontal, this);
    m_slider->setFocusPolicy(Qt::StrongFocus);
    m_slider->setPageStep(1);
    m_slider->setVisible(false);
    m_slider->installEventFilter(this);
    m_entry = new QLineEdit(this);
    m_entry->setAlignment(Qt::AlignRight);
    m_entry->setMinimumWidth(kindOf(m_field) == QuantityKind::Bytes ? kBytesWidth : kEntryWidth);
    m_entry->installEventFilter(this);
    auto* row = static_cast<QHBoxLayout*>(layout());
    row->setStretchFactor(m_label, 3); // until there is a slider
    row->addWidget(m_slider, 3);
    row->addWidget(m_entry, 1);
    m_main = m_entry;
    connect(m_slider, &QSlider::valueChanged, this, &FieldControl::sliderMoved);
    connect(m_slider, &QSlider::sliderPressed, this, [this] { emit legalValuesWanted(m_path); });
    connect(m_slider, &QSlider::sliderReleased, this, &FieldControl::endGesture);
    connect(m_entry, &QLineEdit::editingFinished, this, &FieldControl::entryFinished);
    setLegalValues(ladder(m_field));
}

void FieldControl::buildChoice() {
    m_combo = new ChoiceBox(this);
    m_combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_combo->setMinimumContentsLength(8);
    m_combo->installEventFilter(this);
    m_combo->setFocusPolicy(Qt::StrongFocus);
    static_cast<QHBoxLayout*>(layout())->addWidget(m_combo, 1);
    m_main = m_combo;
    if (m_optional) m_combo->addItem(QString());
    if (m_field.type == FieldType::boolean) {
        m_combo->addItem(QString(), true);
        m_combo->addItem(QString(), false);
    } else {
        for (const auto choice : m_field.choices)
            m_combo->addItem(translatedChoice(toQString(choice)), toQString(choice));
    }
    connect(m_combo, &QComboBox::activated, this, [this](int index) {
        const QVariant chosen = m_combo->itemData(index);
        if (!chosen.isValid())
            emitEdit(std::monostate{});
        else if (m_field.type == FieldType::boolean)
            emitEdit(chosen.toBool());
        else
            emitEdit(chosen.toString().toStdString());
        endGesture();
    });
}

void FieldControl::buildCheck() {
    m_check = new QCheckBox(this);
    static_cast<QHBoxLayout*>(layout())->addWidget(m_check, 1);
    m_main = m_check;
    connect(m_check, &QCheckBox::clicked, this, [this](bool on) {
        emitEdit(on);
        endGesture();
    });
}

void FieldControl::buildText() {
    m_entry = new QLineEdit(this);
    m_entry->installEventFilter(this);
    static_cast<QHBoxLayout*>(layout())->addWidget(m_entry, 1);
    m_main = m_entry;
    connect(m_entry, &QLineEdit::editingFinished, this, &FieldControl::entryFinished);
}

bool FieldControl::isNumber() const {
    return m_field.type == FieldType::integer || m_field.type == FieldType::number;
}

FieldValue FieldControl::numberValue(double value) const {
    if (m_field.type == FieldType::integer && value == std::floor(value) && std::fabs(value) < 9e15)
        return static_cast<std::int64_t>(value);
    return value;
}

void FieldControl::setValue(const FieldValue& value, const FieldValue& acting) {
    if (m_value == value && m_acting == acting && m_entryError.isEmpty()) return;
    m_value = value;
    m_acting = acting;
    m_entryError.clear();
    showValue();
    applyMark();
}

void FieldControl::showValue() {
    const bool leftOut = std::holds_alternative<std::monostate>(m_value);
    const FieldValue& shown = leftOut ? m_acting : m_value;
    if (m_combo) {
        const QSignalBlocker blocker(m_combo);
        if (m_optional) {
            const auto* acts = std::get_if<bool>(&m_acting);
            const QString acting = acts ? (*acts ? tr("on") : tr("off")) : translatedChoice(textOf(m_acting));
            m_combo->setItemText(0, acting.isEmpty() ? tr("default") : tr("default (%1)").arg(acting));
        }
        QVariant wanted;
        if (const auto* on = std::get_if<bool>(&shown))
            wanted = *on;
        else if (const auto* text = std::get_if<std::string>(&shown))
            wanted = toQString(*text);
        m_combo->setCurrentIndex(leftOut && m_optional ? 0 : m_combo->findData(wanted));
    } else if (m_check) {
        const auto* on = std::get_if<bool>(&shown);
        m_check->setChecked(on && *on);
    } else {
        const QString text = leftOut && !isNumber() ? QString() : textOf(shown);
        if (m_entry->text() != text) m_entry->setText(text);
        m_entry->setCursorPosition(0);
        m_entry->setModified(false);
        QFont font = m_entry->font();
        if (font.italic() != (leftOut && isNumber())) {
            font.setItalic(leftOut && isNumber());
            m_entry->setFont(font);
        }
        if (leftOut && !isNumber()) m_entry->setPlaceholderText(textOf(m_acting));
        placeSlider();
    }
}

void FieldControl::setLegalValues(const std::vector<double>& values) {
    // A handle that the hand holds keeps its scale.
    if (!m_slider || values == m_steps || m_slider->isSliderDown()) return;
    m_steps = values;
    const QSignalBlocker blocker(m_slider);
    m_slider->setRange(0, std::max(0, static_cast<int>(m_steps.size()) - 1));
    if (!m_steps.empty()) m_keepSlider = true;
    showSlider();
    m_slider->setEnabled(m_steps.size() > 1);
    placeSlider();
}

void FieldControl::keepSlider() {
    m_keepSlider = m_slider != nullptr;
    if (m_slider) showSlider();
}

// A slider that has nothing to step through for now stays, disabled: the row must not jump.
void FieldControl::showSlider() {
    if (m_slider->isHidden() != m_keepSlider) return;
    m_slider->setVisible(m_keepSlider);
    // Without a slider the label takes its room, so that the entries stay in one column.
    static_cast<QHBoxLayout*>(layout())->setStretchFactor(m_label, m_keepSlider ? 0 : 3);
    showLabel();
}

void FieldControl::placeSlider() {
    if (!m_slider || m_steps.empty()) return;
    const double number = numberOf(std::holds_alternative<std::monostate>(m_value) ? m_acting : m_value);
    if (std::isnan(number)) return;
    // The step at or next to the value; an illegal value rests the slider at its nearest legal neighbour.
    auto next = std::lower_bound(m_steps.begin(), m_steps.end(), number);
    if (next == m_steps.end() || (next != m_steps.begin() && *next - number > number - *(next - 1))) --next;
    const QSignalBlocker blocker(m_slider);
    m_slider->setValue(static_cast<int>(next - m_steps.begin()));
}

void FieldControl::sliderMoved(int index) {
    if (index < 0 || index >= static_cast<int>(m_steps.size())) return;
    emitEdit(numberValue(m_steps[static_cast<std::size_t>(index)]));
    if (!m_slider->isSliderDown()) m_rest->start();
}

void FieldControl::entryFinished() {
    if (!m_entry->isModified()) return;
    m_entry->setModified(false);
    const QString text = m_entry->text().trimmed();
    FieldValue value;
    if (text.isEmpty() && (m_optional || !isNumber())) {
        if (m_field.type == FieldType::text && !m_optional)
            value = std::string();
        else if (m_field.type == FieldType::integer_list)
            value = std::vector<std::int64_t>();
        else if (!isNumber() && !m_optional)
            value = std::vector<std::string>();
    } else if (isNumber()) {
        const auto number = parseQuantity(text, kindOf(m_field));
        if (!number) {
            m_entryError = tr("“%1” is not a number; write 8192, 8k, 2^13 or 1e6.").arg(text);
            return applyMark();
        }
        value = numberValue(*number);
    } else if (m_field.type == FieldType::integer_list) {
        std::vector<std::int64_t> list;
        for (const QString& part : splitList(text)) {
            bool whole = false;
            list.push_back(part.toLongLong(&whole));
            if (whole) continue;
            m_entryError = tr("“%1” is not a whole number; write a list such as 20, 20, 20, 20.").arg(part);
            return applyMark();
        }
        value = std::move(list);
    } else if (m_field.type == FieldType::choice_list || m_field.type == FieldType::text_list) {
        std::vector<std::string> list;
        for (const QString& part : splitList(text)) list.push_back(part.toStdString());
        value = std::move(list);
    } else {
        value = text.toStdString();
    }
    // The table knows the bounds of the field alone; a value outside them stays in the entry, marked.
    Plan probe;
    probe.model = ModelShape{};
    if (const Error error = set_field(probe, m_field.path, value); !error.what.empty()) {
        m_entryError = translated(error);
        return applyMark();
    }
    m_entryError.clear();
    emitEdit(value);
    endGesture();
    // "8k" becomes 8192 also when the plan already had that value.
    showValue();
    applyMark();
}

void FieldControl::emitEdit(const FieldValue& value) { emit edited(m_path, value, m_gesture); }

void FieldControl::endGesture() {
    m_rest->stop();
    ++m_gesture;
}

void FieldControl::setMark(Severity severity, const QString& text) {
    if (m_mark == text && m_markSeverity == severity) return;
    m_mark = text;
    m_markSeverity = severity;
    applyMark();
}

void FieldControl::applyMark() {
    const QString text = markText();
    const bool bad = !text.isEmpty();
    if (bad != m_marked) {
        m_marked = bad;
        // A tint of the paper and a sign at the label: never colour alone.
        QPalette marked = palette();
        if (bad) {
            const QColor paper = marked.color(QPalette::Base), ink = marked.color(QPalette::BrightText);
            marked.setColor(QPalette::Base, mixed(paper, ink, 0.22));
            marked.setColor(QPalette::Button, mixed(paper, ink, 0.22));
        }
        m_main->setPalette(bad ? marked : QPalette());
        update();
    }
    const QString description = text.isEmpty() ? translatedTooltip(m_field) : text;
    m_main->setToolTip(description);
    m_main->setAccessibleDescription(description);
}

void FieldControl::showLabel() {
    const QString label = translated(m_englishLabel);
    const int room = m_slider && !m_slider->isHidden() ? kLabelWidth : kWideLabel;
    m_label->setText(m_label->fontMetrics().elidedText(label, Qt::ElideRight, room));
}

void FieldControl::paintEvent(QPaintEvent*) {
    if (!m_marked) return;
    QPainter painter(this);
    painter.setPen(palette().color(QPalette::WindowText));
    painter.drawText(QRect(0, 0, kMarkWidth, height()), Qt::AlignLeft | Qt::AlignVCenter, u"⚠"_s);
}

void FieldControl::setLockable(bool lockable) { m_lock->setVisible(lockable); }
bool FieldControl::locked() const { return m_lock->isChecked(); }
void FieldControl::setLocked(bool locked) { m_lock->setChecked(locked); }

void FieldControl::setLabel(const char* english) {
    m_englishLabel = english;
    retranslate();
}

void FieldControl::retranslate() {
    const QString label = translated(m_englishLabel);
    const QString unit = QString::fromUtf8(m_field.unit);
    showLabel();
    const QString tip = translatedTooltip(m_field);
    m_label->setToolTip(u"<b>%1</b>%2<br>%3<br><code>%4</code>"_s.arg(
        label.toHtmlEscaped(), unit.isEmpty() ? QString() : u" (%1)"_s.arg(unit.toHtmlEscaped()),
        tip.toHtmlEscaped(), m_path));
    for (QWidget* widget : {static_cast<QWidget*>(m_slider), static_cast<QWidget*>(m_entry),
                            static_cast<QWidget*>(m_combo), static_cast<QWidget*>(m_check)})
        if (widget) widget->setAccessibleName(label);
    if (m_slider) m_slider->setAccessibleName(tr("%1, slider").arg(label));
    if (m_combo && m_field.type == FieldType::boolean) {
        m_combo->setItemText(m_combo->count() - 2, tr("on"));
        m_combo->setItemText(m_combo->count() - 1, tr("off"));
    }
    if (m_combo && m_field.type == FieldType::choice)
        for (int i = 0; i < m_combo->count(); ++i)
            if (const QVariant value = m_combo->itemData(i); value.isValid())
                m_combo->setItemText(i, translatedChoice(value.toString()));
    const QString lock = m_lock->isChecked() ? tr("%1 is locked: a search leaves it alone").arg(label)
                                             : tr("Lock %1 for a search").arg(label);
    m_lock->setToolTip(lock);
    m_lock->setAccessibleName(lock);
    if (m_combo) showValue();
    applyMark();
}

void FieldControl::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    if (event->type() == QEvent::PaletteChange) {
        m_lock->setIcon(tintedIcon(locked() ? u"lock"_s : u"unlock"_s,
                                   palette().color(locked() ? QPalette::Text : QPalette::PlaceholderText)));
    }
    // The tint is mixed from the palette; behind its change.
    if (event->type() == QEvent::PaletteChange && m_marked)
        QTimer::singleShot(0, this, [this] {
            if (!std::exchange(m_marked, false)) return;
            m_main->setPalette(QPalette());
            applyMark();
        });
    QWidget::changeEvent(event);
}

bool FieldControl::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
    case QEvent::Wheel:
        // Scrolling the panel must not change the plan under the pointer.
        if (auto* widget = qobject_cast<QWidget*>(watched);
            widget && !widget->hasFocus() && widget != m_entry) {
            event->ignore();
            return true;
        }
        break;
    case QEvent::FocusIn:
        if (watched == m_slider) emit legalValuesWanted(m_path);
        break;
    case QEvent::FocusOut: endGesture(); break;
    case QEvent::KeyPress:
        if (watched == m_entry && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape &&
            m_entry->isModified()) {
            m_entryError.clear();
            showValue();
            applyMark();
            return true;
        }
        // Up and Down in the entry step through the legal values, as on the slider.
        if (watched == m_entry && m_slider && m_steps.size() > 1) {
            const int key = static_cast<QKeyEvent*>(event)->key();
            if (key == Qt::Key_Up || key == Qt::Key_Down) {
                emit legalValuesWanted(m_path);
                m_slider->setValue(m_slider->value() + (key == Qt::Key_Up ? 1 : -1));
                return true;
            }
        }
        break;
    default: break;
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace shardlens
