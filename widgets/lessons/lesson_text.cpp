// SPDX-License-Identifier: GPL-3.0-or-later
#include "lessons/lesson_text.h"

#include <QCoreApplication>

#include "controls/core_text.h"
#include "controls/quantity.h"

namespace shardlens {

using namespace Qt::StringLiterals;

namespace {

/// Sentences that core says of lessons, whose values are put in when they reach us. The more general form of
/// two comes last.
constexpr const char* kSentences[] = {
    QT_TRANSLATE_NOOP("core", "there is no {0} with {1} pipeline stages; memory.stages.0 is right"),
    QT_TRANSLATE_NOOP("core",
                      "this plan has no {0}; one with training.tokens (and a price, a power) is right"),
    QT_TRANSLATE_NOOP("core", "a report has no number {0}; {1} is right"),
    QT_TRANSLATE_NOOP("core", "the plan leaves {0} out; a plan that gives it is right"),
    QT_TRANSLATE_NOOP("core", "a plan has no field {0}; {1} is right"),
    QT_TRANSLATE_NOOP("core", "preset {0} has no {1}; {2} is right"),
    QT_TRANSLATE_NOOP("core", "{0} of preset {1} is no number"),
    QT_TRANSLATE_NOOP("core", "there is no plan file {0} beside the lesson; a preset's id or a file there is "
                              "right"),
    QT_TRANSLATE_NOOP("core", "there is no plan '{0}' in the front matter; {1} is right"),
    QT_TRANSLATE_NOOP("core", "the name {0} stands for nothing; report.PATH, plan.PATH, PLAN.report.PATH, "
                              "PLAN.plan.PATH or preset.ID.PATH is right"),
    QT_TRANSLATE_NOOP("core", "there is no preset {0}; {1} is right"),
    QT_TRANSLATE_NOOP("core", "{0} is a text; the unit text is right"),
    QT_TRANSLATE_NOOP("core", "{0} is a text; a number is right"),
    QT_TRANSLATE_NOOP("core", "{0} is a number; a unit such as 1 or s is right"),
    QT_TRANSLATE_NOOP("core", "'{0}' is no number; one such as {1} or 4.2e23 is right"),
    QT_TRANSLATE_NOOP("core", "unit '{0}'; one of {1} is right"),
    QT_TRANSLATE_NOOP("core", "has no finite value"),
    QT_TRANSLATE_NOOP("core", "several values; one is right"),
    QT_TRANSLATE_NOOP("core", "an empty expression; one such as report.time.step_s is right"),
    QT_TRANSLATE_NOOP("core", "longer than 2000 characters"),
    QT_TRANSLATE_NOOP("core", "a text has no place in arithmetic; a number is right"),
    QT_TRANSLATE_NOOP("core", "there is no function {0}; {1} is right"),
    QT_TRANSLATE_NOOP("core", "'{0}' is no part of an expression"),
    QT_TRANSLATE_NOOP("core", "= stands alone; == compares"),
    QT_TRANSLATE_NOOP("core", "harmonic takes a whole number from 0 to 1e15"),
    QT_TRANSLATE_NOOP("core", "sgd_time: the {0} is none; k_sync and exponential are right"),
    QT_TRANSLATE_NOOP("core", "sgd_error: the {0} is none; k_sync and exponential are right"),
    QT_TRANSLATE_NOOP("core", "sgd_error: the time is from 0 to {0}"),
    QT_TRANSLATE_NOOP("core", "sgd_error takes a variant, P, K, a delay, its mean and a time"),
    QT_TRANSLATE_NOOP("core", "sgd_time takes a variant, P, K, a delay, its mean and, if wanted, the shape "
                              "(pareto) or the shift (shifted_exponential)"),
    // Of the plan, the catalogue, the steps of an all-reduce and SGD, as a lesson meets them.
    QT_TRANSLATE_NOOP("core", "no plan preset is called \"{0}\"; \"{1}\" is one of the {2} there are"),
    QT_TRANSLATE_NOOP("core", "is no field; {0} is"),
    QT_TRANSLATE_NOOP("core", "is no field of a plan"),
    QT_TRANSLATE_NOOP("core", "delay is '{0}'; {1}, {2}, {3} or {4} is right"),
    QT_TRANSLATE_NOOP("core", "only a shifted_exponential delay has a shift"),
    QT_TRANSLATE_NOOP("core", "only a pareto delay has a shape and a scale"),
    QT_TRANSLATE_NOOP("core", "mean and scale of a pareto delay fix each other; one of them is right"),
    QT_TRANSLATE_NOOP("core", "shift is {0}; a number from 0 to less than the mean, {1}, is right"),
    QT_TRANSLATE_NOOP("core", "shape is {0}; a number above 1 (a mean exists) and at most 1000 is right"),
    QT_TRANSLATE_NOOP("core", "workers is {0}; a whole number from 1 to {1} is right"),
    QT_TRANSLATE_NOOP("core", "wait_for is {0}; a whole number from 1 to workers, {1}, is right"),
    QT_TRANSLATE_NOOP("core", "{0} is {1}; a number from {2} to {3} is right"),
    QT_TRANSLATE_NOOP("core", "no plan preset is called \"{0}\"; did you mean \"{1}\"?"),
    QT_TRANSLATE_NOOP("core",
                      "two levels need as many members on every node; node {0} has {1}, node {2} has {3}"),
    QT_TRANSLATE_NOOP("core", "one such as parallel.tensor"),
    QT_TRANSLATE_NOOP("core", "one such as time.step_s"),
    QT_TRANSLATE_NOOP("core", "what presets show {0} prints"),
    QT_TRANSLATE_NOOP("core", "one of `plans`"),
    QT_TRANSLATE_NOOP("core", "an id that presets list prints"),
    QT_TRANSLATE_NOOP("core", "min, max, ceil, floor, sqrt …"),
    QT_TRANSLATE_NOOP("core", "no step; a line such as \"## First step\" begins one"),
    QT_TRANSLATE_NOOP("core",
                      "no front matter; a first line --- with id, order, title … and another --- below "
                      "are right"),
    QT_TRANSLATE_NOOP("core", "the front matter has no end; a line --- is right"),
    QT_TRANSLATE_NOOP("core", "the block has no end; a line {0} is right"),
    QT_TRANSLATE_NOOP("core", "a block of kind '{0}'; {1} is right"),
    QT_TRANSLATE_NOOP("core", "not UTF-8 text; UTF-8 is right"),
    QT_TRANSLATE_NOOP("core", "the field {{{0} has no end on its line; }} is right"),
    QT_TRANSLATE_NOOP("core", "the field {{{0}}} is not of the form {{ expression | unit | digits }}; {{ "
                              "report.time.step_s | s }} is right"),
    QT_TRANSLATE_NOOP("core", "'{0}' digits behind the point; a whole number from 0 to 9 is right"),
    QT_TRANSLATE_NOOP("core", "no lesson in this folder; files NAME.md, or en/NAME.md and zh_CN/NAME.md, are "
                              "right"),
    QT_TRANSLATE_NOOP("core", "no such file or folder; a lesson or a folder of lessons is right"),
    QT_TRANSLATE_NOOP("core", "id '{0}'; small letters, digits and - are right"),
    QT_TRANSLATE_NOOP("core",
                      "view '{0}'; overview, memory, time, pipeline, topology, compare, matrix, sgd or "
                      "collective is right"),
    QT_TRANSLATE_NOOP("core", "{0} of {1} options are right; at least one right and one wrong are right"),
    QT_TRANSLATE_NOOP("core", "a plan cannot be called '{0}'; a name such as zero3 is right"),
    QT_TRANSLATE_NOOP("core", "tolerance takes a number from 0 (exact) to less than 1"),
    QT_TRANSLATE_NOOP("core", "right is true or false"),
    QT_TRANSLATE_NOOP("core", "a wrong option says why it is wrong"),
    QT_TRANSLATE_NOOP("core", "solution is missing; {set: {PATH: VALUE}} is right"),
    QT_TRANSLATE_NOOP("core",
                      "wrong is missing; {set: {PATH: VALUE}} of an attempt that does not do is right"),
    QT_TRANSLATE_NOOP("core", "allow is a list of plan paths"),
    QT_TRANSLATE_NOOP("core", "views is missing; a list such as [memory] is right"),
    QT_TRANSLATE_NOOP("core", "matrix takes {tensor: 8}"),
    QT_TRANSLATE_NOOP("core",
                      "the button does nothing; set, plan, pin, view, highlight, play, sgd or matrix is "
                      "right"),
    QT_TRANSLATE_NOOP("core", "kind is missing; number, choice or goal is right"),
    QT_TRANSLATE_NOOP("core", "not YAML: {0}; a text with \": \" or that begins with { or [ is quoted"),
    QT_TRANSLATE_NOOP("core", "lines of the form \"key: value\" are right"),
    QT_TRANSLATE_NOOP("core", "{0} takes a value or a list of values"),
    QT_TRANSLATE_NOOP("core", "{0} is no mapping; {key: value} is right"),
    QT_TRANSLATE_NOOP("core", "{0} is empty; a text is right"),
    QT_TRANSLATE_NOOP("core", "{0} is no text; one that begins with { or [ is quoted"),
    QT_TRANSLATE_NOOP("core", "{0} takes a whole number from {1} to {2}"),
    QT_TRANSLATE_NOOP("core", "{0} is '{1}'; one of {2} is right"),
    QT_TRANSLATE_NOOP("core", "unknown key {0}; {1} is right"),
    QT_TRANSLATE_NOOP("core", "one of {0}"),
    QT_TRANSLATE_NOOP("core", "{0} has a key that is no text"),
    QT_TRANSLATE_NOOP("core", "{0} stands twice; once is right"),
    QT_TRANSLATE_NOOP("core", "{0} stands twice"),
    QT_TRANSLATE_NOOP("core", "{0} takes a number"),
    QT_TRANSLATE_NOOP("core", "{0} is missing"),
    QT_TRANSLATE_NOOP("core", "play.bytes is {0}; a number above 0 is right"),
    QT_TRANSLATE_NOOP("core", "the id {0} stands twice; another is right"),
    QT_TRANSLATE_NOOP("core", "the right answer is refused"),
    QT_TRANSLATE_NOOP("core", "{0} {1} passes although the answer is {2}"),
    QT_TRANSLATE_NOOP("core", "nobody types {0} {1} to the last digit; a tolerance such as 0.02 is right"),
    QT_TRANSLATE_NOOP("core", "goal at the {0}: {1}"),
    QT_TRANSLATE_NOOP("core", "the {0} moves {1}, which allow does not name"),
    QT_TRANSLATE_NOOP("core", "the {0} does not meet the goal {1}"),
    QT_TRANSLATE_NOOP("core", "the {0} meets the goal {1} already"),
    QT_TRANSLATE_NOOP("core", "start"),
    QT_TRANSLATE_NOOP("core", "solution"),
    QT_TRANSLATE_NOOP("core", "wrong attempt"),
    QT_TRANSLATE_NOOP("core", "allow: a plan has no field {0}"),
    QT_TRANSLATE_NOOP("core", "{0} takes no live fields"),
    QT_TRANSLATE_NOOP("core", "the figure {0} is typed; a live field that computes it is right"),
    QT_TRANSLATE_NOOP("core", "an image; the views show pictures, text alone is right"),
    QT_TRANSLATE_NOOP("core", "HTML; Markdown alone is right"),
    QT_TRANSLATE_NOOP("core", "{0} differs from {1}; the same is right"),
    QT_TRANSLATE_NOOP("core", "{0} steps, {1} in {2}; the same is right"),
    QT_TRANSLATE_NOOP("core", "{0} buttons, questions and notes in this step, {1} in {2}; the same is right"),
    QT_TRANSLATE_NOOP("core", "this block differs from the one at {0} in more than its words"),
    QT_TRANSLATE_NOOP("core", "the field {0} of {1} is missing in this step"),
    QT_TRANSLATE_NOOP("core", "the field {0} does not stand in this step of {1}"),
    QT_TRANSLATE_NOOP("core", "the id {0} is that of {1}; another is right"),
    QT_TRANSLATE_NOOP("core", "order {0} is that of {1}; another is right"),
    QT_TRANSLATE_NOOP("core", "the lesson stands in {0} alone; its translation of the same name is missing"),
};

QString translatedPart(const QString& english) {
    if (auto message = messageOfForm(kSentences, english)) {
        for (std::string& argument : message->arguments)
            argument = translatedPart(toQString(argument)).toStdString();
        return translated(*message);
    }
    // An expression, a key or a place stands before what is wrong with it.
    for (qsizetype at = english.indexOf(u": "_s); at >= 0; at = english.indexOf(u": "_s, at + 1)) {
        const QString behind = english.mid(at + 2), shown = translatedPart(behind);
        if (shown != behind) return english.left(at + 2) + shown;
    }
    return english;
}

} // namespace

QString translatedLesson(const Error& error) {
    const QString plain = toQString(error.what), own = translatedPart(plain);
    return own != plain ? own : translated(error); // the general forms of any error come last
}

QString translatedLessonLine(const Error& error) {
    const QString what = translatedLesson(error);
    return error.where.empty() ? what : toQString(error.where) + u": "_s + what;
}

} // namespace shardlens
