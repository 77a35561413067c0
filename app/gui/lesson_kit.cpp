// SPDX-License-Identifier: GPL-3.0-or-later
#include "lesson_kit.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>
#include <algorithm>
#include <array>

#include "controls/quantity.h"
#include "lessons/check.h"
#include "lessons/library.h"
#include "plan/plan_json.h"
#include "report/evaluate.h"
#include "json/strict_json.h"

namespace shardlens {

using namespace Qt::StringLiterals;

namespace {

constexpr std::size_t kMostPlans = 8;

struct LessonKit {
    Q_DECLARE_TR_FUNCTIONS(shardlens::LessonKit)
};

QString letter(std::size_t index) { return QString(QChar(u'a' + char16_t(index))); }
QString fileOf(std::size_t index) { return u"plan-%1.json"_s.arg(letter(index)); }

/// A YAML text in double quotes.
QString quoted(QString text) {
    text.replace(u'\\', u"\\\\"_s).replace(u'"', u"\\\""_s).replace(u'\n', u' ');
    return u'"' + text + u'"';
}

/// The title without figures of three digits and more: a lesson computes its figures.
QString withoutFigures(const QString& title) {
    static const QRegularExpression kFigure(u"\\d[\\d,.]*"_s);
    QString text = title;
    for (auto it = kFigure.globalMatch(title); it.hasNext();) {
        const QString figure = it.next().captured();
        if (figure.size() >= 3) text.replace(figure, u"…"_s);
    }
    return text.trimmed().isEmpty() ? LessonKit::tr("Plans compared") : text.trimmed();
}

/// A task between two plans: where it starts, what solves it, what has to hold.
struct Task {
    QString start, solution, goal, ask, hint, explain;
};

Task taskOf(const std::vector<Plan>& plans, const std::vector<std::shared_ptr<const Report>>& reports,
            const Catalog& catalog) {
    const auto source = [](std::size_t index) { return u"{plan: %1}"_s.arg(fileOf(index)); };
    const auto unfit = std::find_if(reports.begin(), reports.end(), [](const auto& r) { return !r->fits; });
    const auto fit = std::find_if(reports.begin(), reports.end(), [](const auto& r) { return r->fits; });
    if (unfit != reports.end() && fit != reports.end()) {
        const auto from = std::size_t(unfit - reports.begin()), to = std::size_t(fit - reports.begin());
        return {source(from),
                source(to),
                u"report.fits"_s,
                LessonKit::tr("Make this plan fit."),
                LessonKit::tr("Compare it with the plan that fits: which fields differ?"),
                LessonKit::tr("The plan of step %1 needs {{ %2.report.memory.need_bytes | GiB }} of "
                              "{{ %2.report.memory.usable_bytes | GiB }}.")
                    .arg(to + 1)
                    .arg(letter(to))};
    }
    const auto [fast, slow] =
        std::minmax_element(reports.begin(), reports.end(),
                            [](const auto& a, const auto& b) { return a->time.step_s < b->time.step_s; });
    if ((*slow)->time.step_s > (*fast)->time.step_s * 1.001) {
        const auto from = std::size_t(slow - reports.begin()), to = std::size_t(fast - reports.begin());
        return {source(from),
                source(to),
                u"report.time.step_s <= %1.report.time.step_s * 1.0005"_s.arg(letter(to)),
                LessonKit::tr("Make the step of this plan as short as {{ %1.report.time.step_s | s }}.")
                    .arg(letter(to)),
                LessonKit::tr("Compare it with the fastest plan: which fields differ?"),
                LessonKit::tr("From {{ %1.report.time.step_s | s }} to {{ %2.report.time.step_s | s }}.")
                    .arg(letter(from), letter(to))};
    }
    // One plan, or plans that are alike: recomputation turned the other way is the start.
    const bool full = plans.front().memory.recompute == Recompute::full;
    const QString start =
        u"{plan: %1, set: {memory.recompute: %2}}"_s.arg(fileOf(0), full ? u"none"_s : u"full"_s);
    Plan other = plans.front();
    other.memory.recompute = full ? Recompute::none : Recompute::full;
    const auto turned = evaluate(other, catalog, {.timeline = false, .traffic = false});
    const bool slower = turned && (*turned)->time.step_s > reports.front()->time.step_s * 1.001;
    if (slower)
        return {start,
                source(0),
                u"report.time.step_s <= a.report.time.step_s * 1.0005"_s,
                LessonKit::tr("Make the step of this plan as short as {{ a.report.time.step_s | s }}."),
                LessonKit::tr("Is something computed twice?"),
                LessonKit::tr("Recomputation saves memory and costs time: without it a step takes "
                              "{{ a.report.time.step_s | s }}.")};
    return {start,
            source(0),
            u"report.memory.peak_bytes <= a.report.memory.peak_bytes * 1.0005"_s,
            LessonKit::tr("Bring the memory of this plan down to {{ a.report.memory.peak_bytes | GiB }}."),
            LessonKit::tr("Which memory could be computed again instead of kept?"),
            LessonKit::tr("Recomputation brings the peak down to {{ a.report.memory.peak_bytes | GiB }}.")};
}

} // namespace

Result<std::string> lessonText(const std::vector<Plan>& plans, const QString& title, const Catalog& catalog) {
    if (plans.empty() || plans.size() > kMostPlans)
        return Error{"", LessonKit::tr("a lesson is made of one to eight plans").toStdString()};
    std::vector<std::shared_ptr<const Report>> reports;
    for (const Plan& plan : plans) {
        const auto report = evaluate(plan, catalog, {.timeline = false, .traffic = false});
        if (!report) return report.error();
        reports.push_back(*report);
    }
    const QString name = withoutFigures(title);
    QString id;
    for (const QChar c : name.toLower())
        if ((c >= u'a' && c <= u'z') || (c >= u'0' && c <= u'9'))
            id += c;
        else if (!id.isEmpty() && !id.endsWith(u'-'))
            id += u'-';
    while (id.endsWith(u'-')) id.chop(1);
    if (id.isEmpty()) id = u"my-lesson"_s;

    QString text = u"---\nid: %1\norder: 1\ntitle: %2\nsummary: %3\nplan: %4\nplans:\n"_s.arg(
        id, quoted(name), quoted(LessonKit::tr("The same task, planned in different ways.")), fileOf(0));
    for (std::size_t i = 0; i < plans.size(); ++i) text += u"  %1: {plan: %2}\n"_s.arg(letter(i), fileOf(i));
    text += u"views: [overview, memory, time]\nfocus: time.step_s\nminutes: %1\n---\n"_s.arg(
        3 + 3 * plans.size());
    text += LessonKit::tr("Look at every plan: does it fit, how long is a step, and why?") + u"\n\n"_s;
    for (std::size_t i = 0; i < plans.size(); ++i) {
        const QString l = letter(i);
        text += u"## "_s + LessonKit::tr("Plan %1").arg(l.toUpper()) + u"\n\n"_s;
        if (!plans[i].name.empty()) text += u"**{{ %1.plan.name | text }}**\n\n"_s.arg(l);
        text += u"| %1 | |\n| --- | --- |\n"_s.arg(LessonKit::tr("figure"));
        const std::array<std::pair<QString, QString>, 5> rows = {
            {{LessonKit::tr("verdict"), u"report.verdict | text"_s},
             {LessonKit::tr("memory needed"), u"report.memory.need_bytes | GiB"_s},
             {LessonKit::tr("memory usable"), u"report.memory.usable_bytes | GiB"_s},
             {LessonKit::tr("step"), u"report.time.step_s | s"_s},
             {LessonKit::tr("model FLOPs utilization"), u"report.time.mfu | %"_s}}};
        for (const auto& [what, field] : rows) text += u"| %1 | {{ %2.%3 }} |\n"_s.arg(what, l, field);
        text += u"\n```action\nlabel: %1\nplan: %2\nview: overview\n```\n"_s.arg(
            quoted(LessonKit::tr("Load plan %1").arg(l.toUpper())), l);
        text += u"```notes\n%1\n```\n\n"_s.arg(LessonKit::tr("Say here what to point at."));
    }
    const Task task = taskOf(plans, reports, catalog);
    text += u"## "_s + LessonKit::tr("Your turn") + u"\n\n"_s;
    text +=
        u"```question\nid: %1-task\nkind: goal\nask: %2\ngoal: %3\nstart: %4\nsolution: %5\nwrong: %4\nhint: "
        u"%6\nexplain: %7\n```\n"_s.arg(id, quoted(task.ask), quoted(task.goal), task.start, task.solution,
                                        quoted(task.hint), quoted(task.explain));
    return text.toStdString();
}

Error writeLessonFolder(const std::vector<Plan>& plans, const QString& title, const Catalog& catalog,
                        const QString& folder) {
    const auto text = lessonText(plans, title, catalog);
    if (!text) return text.error();
    QDir directory(folder);
    const QString lesson = directory.filePath(u"lesson.md"_s);
    QStringList files{lesson};
    for (std::size_t i = 0; i < plans.size(); ++i) files << directory.filePath(fileOf(i));
    for (const QString& file : files)
        if (QFileInfo::exists(file))
            return {file.toStdString(),
                    LessonKit::tr("is there already; an empty folder is right").toStdString()};
    if (!directory.mkpath(u"."_s))
        return {folder.toStdString(), LessonKit::tr("the folder cannot be made").toStdString()};
    for (std::size_t i = 0; i < plans.size(); ++i)
        if (Error error = write_text(files[qsizetype(i) + 1].toStdString(), plan_to_text(plans[i]));
            !error.what.empty())
            return error;
    if (Error error = write_text(lesson.toStdString(), *text); !error.what.empty()) return error;
    const auto library = lessons::load_lessons(folder.toStdString());
    if (!library) return library.error();
    const auto problems = lessons::check_library(*library, catalog);
    return problems.empty() ? Error{} : problems.front();
}

} // namespace shardlens
