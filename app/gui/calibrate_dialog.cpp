// SPDX-License-Identifier: GPL-3.0-or-later
#include "calibrate_dialog.h"

#include <QDialogButtonBox>
#include <QEvent>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>
#include <QTimer>
#include <QVBoxLayout>
#include <tuple>

#include "controls/core_text.h"
#include "controls/quantity.h"
#include "document.h"
#include "format.h"

namespace shardlens {

using namespace Qt::StringLiterals;
using calibrate::Comparison;

namespace {

constexpr int kPauseMilliseconds = 300;
constexpr double kGib = 1024.0 * 1024.0 * 1024.0;

struct ConstantName {
    const char* key;
    const char* english;
};
constexpr ConstantName kConstantNames[] = {
    {"gemm_efficiency", QT_TRANSLATE_NOOP("core", "matrix multiplication, efficiency")},
    {"attention_efficiency", QT_TRANSLATE_NOOP("core", "attention, efficiency")},
    {"elementwise_factor", QT_TRANSLATE_NOOP("core", "elementwise kernels, traffic")},
    {"tensor_exposed", QT_TRANSLATE_NOOP("core", "tensor communication, visible share")},
    {"data_exposed", QT_TRANSLATE_NOOP("core", "gradient reduction, visible share")},
    {"pipeline_exposed", QT_TRANSLATE_NOOP("core", "pipeline transfers, visible share")},
    {"context_exposed", QT_TRANSLATE_NOOP("core", "context exchange, visible share")},
    {"expert_exposed", QT_TRANSLATE_NOOP("core", "expert exchange, visible share")},
    {"expert_host_s", QT_TRANSLATE_NOOP("core", "host time of an expert layer")},
    {"host_s_per_layer", QT_TRANSLATE_NOOP("core", "host time of a layer")},
    {"micro_batch_overhead_s", QT_TRANSLATE_NOOP("core", "overhead of a micro-batch")},
    {"step_overhead_s", QT_TRANSLATE_NOOP("core", "overhead of a step")},
    {"nic_efficiency", QT_TRANSLATE_NOOP("core", "network cards, usable share")},
    {"base_bytes", QT_TRANSLATE_NOOP("core", "memory beside the ledger")},
    {"fragmentation_factor", QT_TRANSLATE_NOOP("core", "fragmentation, share")},
};

QString constantName(const std::string& key) {
    for (const ConstantName& name : kConstantNames)
        if (key == name.key) return translated(name.english);
    return toQString(key);
}

QString constantValue(const std::string& key, double value) {
    if (key.ends_with("_bytes")) return formatBytes(value);
    if (key.ends_with("_s") || key == "host_s_per_layer") return formatSeconds(value);
    return formatNumber(value);
}

QString signedPercent(double error) {
    const QString text = formatDelta(error, u"%"_s);
    return text.isEmpty() ? formatPercent(0) : text;
}

/// "" means that the field says nothing.
Error readField(const QLineEdit& field, std::optional<double> (*parse)(const QString&), const QString& label,
                const QString& example, std::optional<double>& out) {
    const QString text = field.text().trimmed();
    if (text.isEmpty()) return {};
    out = parse(text);
    if (out && *out > 0) return {};
    QString plain = label;
    return {plain.remove(u'&').toStdString(),
            CalibrateDialog::tr("not a positive number, for example %1").arg(example).toStdString()};
}

/// Never the plan's own stack: a profile does not stand on itself.
QString proposedName(const QString& stack) {
    const QString ending = u"-calibrated"_s;
    return stack.endsWith(ending) ? stack + u"-2"_s : stack + ending;
}

QLabel* smallHeading(QWidget* parent) {
    auto* label = new QLabel(parent);
    QFont bold = label->font();
    bold.setBold(true);
    label->setFont(bold);
    return label;
}

} // namespace

std::optional<double> parseSeconds(const QString& text) {
    QString number = text.trimmed().toLower();
    double factor = 1;
    for (const auto& [suffix, seconds] :
         {std::pair{u"ms"_s, 1e-3}, std::pair{u"min"_s, 60.0}, std::pair{u"s"_s, 1.0}})
        if (number.endsWith(suffix)) {
            number.chop(suffix.size());
            factor = seconds;
            break;
        }
    const auto value = parseQuantity(number, QuantityKind::Real);
    return value ? std::optional(*value * factor) : std::nullopt;
}

std::optional<double> parseMemory(const QString& text) {
    const auto value = parseQuantity(text, QuantityKind::Bytes);
    if (!value) return std::nullopt;
    for (const QChar c : text)
        if (c.isLetter() && c != u'e' && c != u'E') return value;
    return *value * kGib;
}

/// What comes back from the work beside.
struct CalibrateDialog::Fitted {
    std::optional<calibrate::TrainingLog> log; ///< null: none was read
    bool fromLog = false;
    std::optional<calibrate::Calibration> calibration;
    Error error;
};

CalibrateDialog::CalibrateDialog(Document& document, const Theme& theme, QWidget* parent)
    : QDialog(parent), m_document(document), m_theme(theme), m_readPause(new QTimer(this)),
      m_fitPause(new QTimer(this)), m_intro(new QLabel), m_fileLabel(new QLabel), m_account(new QLabel),
      m_stepLabel(new QLabel), m_allocatedLabel(new QLabel), m_reservedLabel(new QLabel),
      m_nameLabel(new QLabel), m_errorsLabel(smallHeading(this)), m_constantsLabel(smallHeading(this)),
      m_problem(new QLabel), m_file(new QLineEdit), m_step(new QLineEdit), m_allocated(new QLineEdit),
      m_reserved(new QLineEdit), m_name(new QLineEdit), m_choose(new QPushButton), m_save(new QPushButton),
      m_buttons(new QDialogButtonBox), m_errors(new TableModel(this)), m_constants(new TableModel(this)),
      m_errorTable(makeTableView(this)), m_constantTable(makeTableView(this)) {
    setObjectName(u"calibrateDialog"_s);
    for (QLabel* label : {m_intro, m_account, m_problem}) {
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
    }
    QSizePolicy wide(QSizePolicy::Expanding,
                     QSizePolicy::Preferred); // else the form leaves it half its width
    wide.setHeightForWidth(true);
    m_account->setSizePolicy(wide);
    m_account->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_problem->setTextInteractionFlags(Qt::TextSelectableByMouse);
    QPalette bad = m_problem->palette();
    bad.setColor(QPalette::WindowText, m_theme.color(Role::Bad));
    m_problem->setPalette(bad);

    auto* file = new QHBoxLayout;
    file->addWidget(m_file, 1);
    file->addWidget(m_choose);
    auto* form = new QFormLayout;
    form->setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);
    form->addRow(m_fileLabel, file);
    form->addRow(QString(), m_account);
    const auto row = [form](QLabel* label, QLineEdit* field) {
        label->setBuddy(field);
        form->addRow(label, field);
    };
    m_fileLabel->setBuddy(m_file);
    row(m_stepLabel, m_step);
    row(m_allocatedLabel, m_allocated);
    row(m_reservedLabel, m_reserved);
    row(m_nameLabel, m_name);
    m_name->setText(proposedName(toQString(m_document.plan().stack)));

    m_errorTable->setModel(m_errors);
    m_constantTable->setModel(m_constants);
    for (QTableView* table : {m_errorTable, m_constantTable}) {
        table->setSizeAdjustPolicy(QAbstractScrollArea::AdjustIgnored);
    }
    const auto rows = [](QTableView* table, int count) { // with the heading
        table->setMinimumHeight((count + 1) * table->verticalHeader()->defaultSectionSize() + 8);
    };
    rows(m_errorTable, 3);
    rows(m_constantTable, 5); // as many as a fit of time and memory moves
    m_save->setDefault(true);
    m_buttons->addButton(m_save, QDialogButtonBox::AcceptRole);
    m_buttons->addButton(QDialogButtonBox::Close);

    auto* layout = new QVBoxLayout(this);
    layout->addWidget(m_intro);
    layout->addLayout(form);
    layout->addWidget(m_errorsLabel);
    layout->addWidget(m_errorTable, 1);
    layout->addWidget(m_constantsLabel);
    layout->addWidget(m_constantTable, 1);
    layout->addWidget(m_problem);
    layout->addWidget(m_buttons);
    resize(700, 690);
    QWidget::setTabOrder(m_file, m_choose);
    QWidget::setTabOrder(m_choose, m_step);
    m_file->setFocus();

    for (QTimer* pause : {m_readPause, m_fitPause}) {
        pause->setSingleShot(true);
        pause->setInterval(kPauseMilliseconds);
    }
    connect(m_readPause, &QTimer::timeout, this, &CalibrateDialog::readLog);
    connect(m_fitPause, &QTimer::timeout, this, &CalibrateDialog::fit);
    connect(m_file, &QLineEdit::textChanged, this, [this] { m_readPause->start(); });
    for (QLineEdit* field : {m_step, m_allocated, m_reserved, m_name})
        connect(field, &QLineEdit::textChanged, this, [this] { m_fitPause->start(); });
    connect(m_choose, &QPushButton::clicked, this, &CalibrateDialog::choose);
    connect(m_save, &QPushButton::clicked, this, &CalibrateDialog::save);
    connect(m_buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    retranslate();
}

QString CalibrateDialog::account() const { return m_log ? m_account->text() : QString(); }
QString CalibrateDialog::problem() const { return m_problem->text(); }

void CalibrateDialog::choose() {
    const QString path =
        QFileDialog::getOpenFileName(this, tr("Log of a run"), QFileInfo(m_file->text()).path());
    if (!path.isEmpty()) m_file->setText(path);
}

void CalibrateDialog::readLog() {
    m_readPause->stop();
    m_log.reset();
    showResult();
    const QString path = m_file->text().trimmed();
    if (path.isEmpty()) return fit();
    m_calibration.reset();
    m_save->setEnabled(false);
    m_background.run(
        [this, path, batch = calibrate::step_batch(m_document.actingPlan())]() -> Background::Deliver {
            Fitted fitted;
            fitted.fromLog = true;
            QFile file(path);
            // Mapped, not read: a log may be larger than what one wants in memory.
            uchar* bytes = nullptr;
            if (!QFileInfo(path).isFile() || !file.open(QIODevice::ReadOnly))
                fitted.error = {path.toStdString(), "cannot be read; choose a log file"};
            else if (file.size() > 0 && !(bytes = file.map(0, file.size())))
                fitted.error = {path.toStdString(), "cannot be read; choose a log file"};
            else {
                const std::string_view text(reinterpret_cast<const char*>(bytes),
                                            std::size_t(bytes ? file.size() : 0));
                auto log = calibrate::read_training_log(text, path.toStdString(), batch);
                if (log)
                    fitted.log = std::move(log).value();
                else
                    fitted.error = log.error();
            }
            return [this, fitted] { take(fitted); };
        });
}

Result<calibrate::Observation> CalibrateDialog::observation() const {
    calibrate::Observation seen;
    seen.origin = m_log ? QFileInfo(m_file->text()).fileName().toStdString() : "figures typed in";
    for (const Error& error :
         {readField(*m_step, parseSeconds, m_stepLabel->text(), u"1.84 s"_s, seen.step_s),
          readField(*m_allocated, parseMemory, m_allocatedLabel->text(), u"61.5 GiB"_s, seen.allocated_bytes),
          readField(*m_reserved, parseMemory, m_reservedLabel->text(), u"68 GiB"_s, seen.reserved_bytes)})
        if (!error.what.empty()) return error;
    return seen;
}

void CalibrateDialog::fit() {
    m_fitPause->stop();
    m_calibration.reset();
    const auto seen = observation();
    if (!seen) {
        showResult();
        return say(translatedLine(seen.error()));
    }
    if (!seen->step_s && !seen->allocated_bytes && !seen->reserved_bytes) {
        showResult();
        return say({}); // nothing entered yet is no mistake
    }
    m_background.run([this, seen = *seen, plan = m_document.plan(),
                      id = m_name->text().trimmed().toStdString(),
                      catalog = m_document.sharedCatalog()]() -> Background::Deliver {
        Fitted fitted;
        auto calibration = calibrate::calibrate(plan, seen, *catalog, id);
        if (calibration)
            fitted.calibration = std::move(calibration).value();
        else
            fitted.error = calibration.error();
        return [this, fitted] { take(fitted); };
    });
}

void CalibrateDialog::take(const Fitted& fitted) {
    if (fitted.fromLog) {
        m_log = fitted.log;
        if (m_log) {
            const auto fill = [](QLineEdit* field, const std::optional<double>& value,
                                 QString (*text)(double)) {
                field->setText(value ? text(*value) : QString());
            };
            const auto peak = [](const std::optional<calibrate::MemoryPeak>& found) {
                return found ? std::optional(found->bytes) : std::nullopt;
            };
            // Finer than any log prints: the field is what is fitted.
            fill(m_step, m_log->step_s, [](double s) { return QString::number(s, 'g', 8) + u" s"_s; });
            const auto gib = [](double bytes) { return QString::number(bytes / kGib, 'g', 8) + u" GiB"_s; };
            fill(m_allocated, peak(m_log->allocated), gib);
            fill(m_reserved, peak(m_log->reserved), gib);
            fit();
        }
    } else {
        m_calibration = fitted.calibration;
    }
    if (!fitted.error.what.empty())
        say(translatedLine(fitted.error));
    else if (m_calibration && !m_calibration->doubt.empty())
        say(tr("Even with every constant as far as is plausible the prediction stays more than 10 % off: is "
               "this "
               "the plan that was measured (model, GPUs, batch, layout, recomputation)?"));
    else
        say({});
    showResult();
}

void CalibrateDialog::settle() {
    while (m_readPause->isActive() || m_fitPause->isActive() || !m_background.idle()) {
        if (m_readPause->isActive()) readLog();
        m_background.flush();
        if (m_fitPause->isActive()) fit();
        m_background.flush();
    }
}

void CalibrateDialog::save() {
    settle();
    if (!m_calibration) return;
    const calibrate::Calibration calibration = *m_calibration;
    const auto file = calibrate::save_stack(calibration, m_document.catalog());
    if (!file) return say(translatedLine(file.error()));
    Plan after = m_document.plan();
    after.stack = calibration.id;
    after.stack_version.clear();
    const QString id = toQString(calibration.id);
    if (const Error error = m_document.change(std::move(after), tr("Calibrated stack %1").arg(id));
        !error.what.empty())
        return say(translatedLine(error));
    emit saved(id, toQString(*file));
    accept();
}

void CalibrateDialog::say(const QString& problem) {
    m_problem->setText(problem);
    m_problem->setVisible(!problem.isEmpty());
}

void CalibrateDialog::showResult() {
    QStringList parts;
    if (m_log) {
        for (const Message& part : m_log->account()) parts << translated(part);
        if (m_log->allocated)
            parts << tr("allocated peak in line %1").arg(qulonglong(m_log->allocated->line));
        if (m_log->reserved) parts << tr("reserved peak in line %1").arg(qulonglong(m_log->reserved->line));
    }
    m_account->setText(m_log
                           ? parts.join(tr("; "))
                           : tr("Lines of Megatron-LM, NeMo, torchtitan, DeepSpeed, nanotron, InternEvo and "
                                "LLM Foundry are known."));

    TableContent errors;
    errors.columns << tr("Measured") << tr("Before") << tr("Error") << tr("After") << tr("Error");
    const auto add = [&errors](const QString& name, const std::optional<Comparison>& before,
                               const std::optional<Comparison>& after, QString (*text)(double)) {
        if (!before || !after) return;
        errors.rows << name;
        errors.cells.push_back({{text(before->measured), {}, false},
                                {text(before->predicted), {}, false},
                                {signedPercent(before->error()), {}, false},
                                {text(after->predicted), {}, true},
                                {signedPercent(after->error()), {}, true}});
    };
    TableContent constants;
    constants.columns << tr("Before") << tr("After") << tr("Change");
    if (m_calibration) {
        const auto& [before, after] = std::tie(m_calibration->before, m_calibration->after);
        add(tr("Step time"), before.step_s, after.step_s, formatSeconds);
        add(tr("Allocated memory"), before.allocated_bytes, after.allocated_bytes, formatBytes);
        add(tr("Reserved memory"), before.reserved_bytes, after.reserved_bytes, formatBytes);
        for (const calibrate::Change& change : m_calibration->changes) {
            constants.rows << constantName(change.key);
            constants.cells.push_back(
                {{constantValue(change.key, change.before), {}, false},
                 {constantValue(change.key, change.after), {}, true},
                 {change.before > 0 ? signedPercent(change.after / change.before - 1) : QString(),
                  {},
                  false}});
        }
    }
    m_errors->setContent(std::move(errors));
    m_constants->setContent(std::move(constants));
    m_save->setEnabled(m_calibration.has_value());
}

void CalibrateDialog::retranslate() {
    setWindowTitle(tr("Calibrate"));
    m_intro->setText(
        tr("One measured run of this plan sharpens its stack %1: the few constants that matter here "
           "move, none further than it is uncertain.")
            .arg(toQString(m_document.plan().stack)));
    m_fileLabel->setText(tr("&Log file"));
    m_choose->setText(tr("C&hoose…"));
    m_stepLabel->setText(tr("&Step time"));
    m_allocatedLabel->setText(tr("&Allocated memory"));
    m_reservedLabel->setText(tr("&Reserved memory"));
    m_nameLabel->setText(tr("&Name of the profile"));
    m_step->setPlaceholderText(tr("for example %1").arg(u"1.84 s"_s));
    m_allocated->setPlaceholderText(
        tr("peak of the allocator, worst rank, for example %1").arg(u"61.5 GiB"_s));
    m_reserved->setPlaceholderText(tr("peak reserved by the framework, for example %1").arg(u"68 GiB"_s));
    m_errorsLabel->setText(tr("Predicted against measured"));
    m_constantsLabel->setText(tr("Constants that moved"));
    m_errorTable->setAccessibleName(m_errorsLabel->text());
    m_constantTable->setAccessibleName(m_constantsLabel->text());
    m_save->setText(tr("Save and use"));
    m_save->setToolTip(
        tr("Stores the profile among your own presets and lets the plan use it; Undo takes the plan back"));
    say(m_problem->text());
    showResult();
}

void CalibrateDialog::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    QDialog::changeEvent(event);
}

} // namespace shardlens
