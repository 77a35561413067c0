// SPDX-License-Identifier: GPL-3.0-or-later
// The frame of a lesson: front matter, steps, blocks. What stands in the blocks is lessons/yaml_blocks.cpp's.
#include "lessons/lesson.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "lessons/yaml_blocks.h"
#include "json/strict_json.h"
#include "json/text.h"

namespace shardlens::lessons {
namespace {

constexpr std::array<std::string_view, 3> kBlockKinds = {"action", "question", "notes"};

std::string_view trimmed(std::string_view text) {
    const std::size_t from = text.find_first_not_of(" \t");
    if (from == std::string_view::npos) return {};
    return text.substr(from, text.find_last_not_of(" \t") - from + 1);
}

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        std::string_view line = text.substr(0, end);
        if (line.ends_with('\r')) line.remove_suffix(1);
        lines.push_back(line);
        if (end == std::string_view::npos) break;
        text.remove_prefix(end + 1);
    }
    return lines;
}

/// Length of the row of backquotes that opens a fence; 0 when the line opens none.
std::size_t fence(std::string_view line) {
    const std::string_view text = trimmed(line);
    const std::size_t length = std::min(text.find_first_not_of('`'), text.size());
    return length >= 3 && text.substr(length).find('`') == std::string_view::npos ? length : 0;
}

std::string joined(const std::vector<std::string_view>& lines, std::size_t from, std::size_t to) {
    std::string text;
    for (std::size_t i = from; i < to; ++i) {
        text += lines[i];
        text += '\n';
    }
    return text;
}

class Reader {
public:
    Reader(std::vector<std::string_view> lines, Parsed& parsed)
        : m_lines(std::move(lines)), m_parsed(parsed) {}

    void read() {
        std::size_t at = read_front_matter();
        begin_step("", at);
        for (m_prose_from = at; at < m_lines.size();) {
            if (const std::size_t length = fence(m_lines[at])) {
                at = read_fence(at, length);
                continue;
            }
            if (m_lines[at].starts_with("## ")) {
                flush(at);
                begin_step(std::string(trimmed(m_lines[at].substr(3))), at);
                m_prose_from = at + 1;
            }
            ++at;
        }
        flush(m_lines.size());
        if (m_parsed.lesson.steps.size() < 2)
            problem(m_lines.size(), "no step; a line such as \"## First step\" begins one");
    }

private:
    void problem(std::size_t line, std::string what) {
        m_parsed.problems.push_back(
            {fmt::format("{}:{}", m_parsed.lesson.file.string(), line + 1), std::move(what)});
    }
    [[nodiscard]] YamlSource source(std::size_t line) const {
        return {m_parsed.lesson.file.string(), static_cast<int>(line), &m_parsed.problems};
    }
    void begin_step(std::string heading, std::size_t line) {
        Step step;
        step.heading = std::move(heading);
        step.line = static_cast<int>(line) + 1;
        m_parsed.lesson.steps.push_back(std::move(step));
    }
    std::vector<Block>& blocks() { return m_parsed.lesson.steps.back().blocks; }

    /// Prose up to `end` becomes a block, without the empty lines around it.
    void flush(std::size_t end) {
        std::size_t from = m_prose_from;
        while (from < end && trimmed(m_lines[from]).empty()) ++from;
        while (end > from && trimmed(m_lines[end - 1]).empty()) --end;
        if (from < end) blocks().emplace_back(Prose{joined(m_lines, from, end), static_cast<int>(from) + 1});
    }

    std::size_t read_front_matter() {
        if (m_lines.empty() || trimmed(m_lines[0]) != "---") {
            problem(
                0,
                "no front matter; a first line --- with id, order, title … and another --- below are right");
            return 0;
        }
        std::size_t end = 1;
        while (end < m_lines.size() && trimmed(m_lines[end]) != "---") ++end;
        if (end == m_lines.size()) problem(0, "the front matter has no end; a line --- is right");
        read_front_matter_yaml(joined(m_lines, 1, end), source(1), m_parsed.lesson);
        return std::min(end + 1, m_lines.size());
    }

    /// Reads the fenced block that begins at `at`; returns the line behind it.
    std::size_t read_fence(std::size_t at, std::size_t length) {
        const std::string_view kind = trimmed(trimmed(m_lines[at]).substr(length));
        std::size_t end = at + 1;
        const auto closes = [&](std::string_view line) {
            const std::string_view text = trimmed(line);
            return text.size() >= length && text.find_first_not_of('`') == std::string_view::npos;
        };
        while (end < m_lines.size() && !closes(m_lines[end])) ++end;
        if (end == m_lines.size())
            problem(at, fmt::format("the block has no end; a line {} is right", std::string(length, '`')));
        const std::size_t next = std::min(end + 1, m_lines.size());
        if (std::find(kBlockKinds.begin(), kBlockKinds.end(), kind) == kBlockKinds.end()) {
            if (const std::string near = nearest(kind, kBlockKinds); !near.empty())
                problem(at, fmt::format("a block of kind '{}'; {} is right", one_line(kind), near));
            return next; // code: stays prose
        }
        flush(at);
        m_prose_from = next;
        const std::string body = joined(m_lines, at + 1, end);
        const int line = static_cast<int>(at) + 1;
        if (kind == "notes") {
            blocks().emplace_back(Notes{body, line + 1});
        } else if (kind == "action") {
            Action action = read_action_yaml(body, source(at + 1));
            action.line = line;
            blocks().emplace_back(std::move(action));
        } else {
            Question question = read_question_yaml(body, source(at + 1));
            question.line = line;
            blocks().emplace_back(std::move(question));
        }
        return next;
    }

    std::vector<std::string_view> m_lines;
    Parsed& m_parsed;
    std::size_t m_prose_from = 0;
};

template <class T> std::vector<const T*> all_of(const Lesson& lesson) {
    std::vector<const T*> found;
    for (const Step& step : lesson.steps)
        for (const Block& block : step.blocks)
            if (const T* is = std::get_if<T>(&block)) found.push_back(is);
    return found;
}

} // namespace

std::vector<const Question*> Lesson::questions() const { return all_of<Question>(*this); }
std::vector<const Action*> Lesson::actions() const { return all_of<Action>(*this); }

Parsed parse_lesson(std::string_view text, const std::filesystem::path& file) {
    Parsed parsed;
    parsed.lesson.file = file;
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    if (!valid_utf8(text) || text.find('\0') != std::string_view::npos) {
        parsed.problems.push_back({file.string() + ":1", "not UTF-8 text; UTF-8 is right"});
        return parsed;
    }
    Reader(lines_of(text), parsed).read();
    return parsed;
}

Result<std::vector<LiveField>> live_fields(std::string_view text) {
    std::vector<LiveField> fields;
    int line = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] == '\n') ++line;
        if (!text.substr(at).starts_with("{{")) continue;
        const std::size_t end = text.find("}}", at);
        const auto failed = [&](const std::string& what) { return Error{std::to_string(line), what}; };
        const std::string_view inside =
            text.substr(at + 2, end == std::string_view::npos ? 40 : end - at - 2);
        if (end == std::string_view::npos || inside.find('\n') != std::string_view::npos)
            return failed(
                fmt::format("the field {{{{{} has no end on its line; }}}} is right", one_line(inside, 40)));
        LiveField field;
        field.begin = at;
        field.end = end + 2;
        field.line = line;
        // "||" is an operator; one bar alone parts the field.
        std::vector<std::string_view> parts;
        std::size_t from = 0;
        for (std::size_t i = 0; i <= inside.size(); ++i) {
            if (i + 1 < inside.size() && inside.substr(i, 2) == "||") {
                ++i;
            } else if (i == inside.size() || inside[i] == '|') {
                parts.push_back(trimmed(inside.substr(from, i - from)));
                from = i + 1;
            }
        }
        if (parts.size() < 2 || parts.size() > 3 || parts[0].empty() || parts[1].empty())
            return failed(
                fmt::format("the field {{{{{}}}}} is not of the form {{{{ expression | unit | digits }}}}; "
                            "{{{{ report.time.step_s | s }}}} is right",
                            one_line(inside)));
        field.expression = parts[0];
        field.unit = parts[1];
        if (parts.size() == 3) {
            int digits = 0;
            const auto [stop, code] =
                std::from_chars(parts[2].data(), parts[2].data() + parts[2].size(), digits);
            if (code != std::errc() || stop != parts[2].data() + parts[2].size() || digits < 0 || digits > 9)
                return failed(fmt::format("'{}' digits behind the point; a whole number from 0 to 9 is right",
                                          one_line(parts[2])));
            field.digits = digits;
        }
        fields.push_back(std::move(field));
        at = end + 1;
    }
    return fields;
}

std::vector<TextPiece> texts(const Lesson& lesson) {
    std::vector<TextPiece> pieces;
    const auto add = [&](std::string_view text, int line) {
        if (!text.empty()) pieces.push_back({text, line});
    };
    for (const Step& step : lesson.steps) {
        add(step.heading, step.line);
        for (const Block& block : step.blocks) {
            if (const auto* prose = std::get_if<Prose>(&block)) add(prose->markdown, prose->line);
            if (const auto* notes = std::get_if<Notes>(&block)) add(notes->markdown, notes->line);
            if (const auto* action = std::get_if<Action>(&block)) add(action->label, action->line);
            if (const auto* question = std::get_if<Question>(&block)) {
                add(question->ask, question->line);
                for (const Option& option : question->options) {
                    add(option.text, question->line);
                    add(option.why, question->line);
                }
                add(question->hint, question->line);
                add(question->explain, question->line);
            }
        }
    }
    return pieces;
}

} // namespace shardlens::lessons
