// SPDX-License-Identifier: GPL-3.0-or-later
#include "handout.h"

#include <QAbstractTextDocumentLayout>
#include <QApplication>
#include <QBuffer>
#include <QLabel>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QScreen>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocument>
#include <QTextDocumentFragment>
#include <QTextFrame>
#include <QTextLayout>
#include <QTextTable>

#include "charts/memory_chart.h"
#include "charts/step_bar.h"
#include "collective/collective_view.h"
#include "controls/quantity.h"
#include "controls/step_controls.h"
#include "learn_pages.h"
#include "lessons/markdown_view.h"
#include "lessons/session.h"
#include "matrix/matrix_view.h"
#include "page.h"
#include "pipeline/gantt_view.h"
#include "report/evaluate.h"
#include "topology/topology_view.h"
#include "json/strict_json.h"

namespace shardlens {

using namespace Qt::StringLiterals;
using lessons::View;

namespace {

constexpr QSize kPicture(760, 420);   ///< of a view, in pixels of its own: its type stays readable
constexpr int kPictureScale = 2;      ///< pixels on paper for each of them
constexpr double kPictureWidth = 620; ///< on the page, in the document's pixels: A4 within its margins
constexpr double kPointSize = 10;
constexpr double kMargin = 76; ///< 2 cm, in the document's pixels

/// What a widget shows at the size of a picture, without a window.
QImage pictureOf(QWidget& widget, QSize size = kPicture) {
    widget.setAttribute(Qt::WA_DontShowOnScreen);
    widget.resize(size);
    widget.show(); // lays out and paints without a window
    QCoreApplication::sendPostedEvents();
    QImage image(size * kPictureScale, QImage::Format_RGB32);
    image.setDevicePixelRatio(kPictureScale);
    image.fill(Qt::white);
    widget.render(&image);
    return image;
}

class Handout {
    Q_DECLARE_TR_FUNCTIONS(shardlens::Handout)
public:
    Handout(const std::shared_ptr<const lessons::Lesson>& lesson, const Catalog& catalog)
        : m_lesson(*lesson), m_catalog(catalog), m_session(lesson, catalog),
          m_document(std::make_unique<QTextDocument>()), m_cursor(m_document.get()) {
        QFont font = QApplication::font();
        font.setPointSizeF(kPointSize);
        m_document->setDefaultFont(font);
        m_document->setUndoRedoEnabled(false);
    }

    Result<std::unique_ptr<QTextDocument>> make() {
        const auto plan = m_session.opening_plan();
        if (!plan) return plan.error();
        const auto report = evaluate(*plan, m_catalog);
        if (!report) return report.error();
        m_report = *report;
        m_session.set_report(m_report);
        heading(toQString(m_lesson.title), 1.9);
        paragraph(toQString(m_lesson.summary), true);
        bool first = true;
        for (const lessons::Step& step : m_lesson.steps) {
            if (!step.heading.empty()) heading(filled(step.heading), 1.35);
            for (const lessons::Block& block : step.blocks) {
                if (const auto* prose = std::get_if<lessons::Prose>(&block))
                    markdown(filled(prose->markdown));
                if (const auto* question = std::get_if<lessons::Question>(&block)) ask(*question);
                if (const auto* action = std::get_if<lessons::Action>(&block)) act(*action);
            }
            // The lesson's views as they open, behind the introduction.
            if (std::exchange(first, false))
                for (const View view : m_lesson.views) picture(view, nullptr);
        }
        if (!m_answers.isEmpty()) {
            heading(tr("Answers"), 1.35);
            for (const QString& answer : m_answers) together(answer);
        }
        return std::move(m_document);
    }

private:
    QString filled(const std::string& text) {
        return toQString(m_session.fill(text, localeNumberFormat()).text);
    }

    void block(double above, double below) {
        QTextBlockFormat format;
        format.setTopMargin(above);
        format.setBottomMargin(below);
        if (m_document->isEmpty())
            m_cursor.setBlockFormat(format);
        else
            m_cursor.insertBlock(format, QTextCharFormat());
    }

    void heading(const QString& text, double scale) {
        block(14, 6);
        QTextCharFormat format;
        format.setFontPointSize(kPointSize * scale);
        format.setFontWeight(QFont::DemiBold);
        m_cursor.insertText(text, format);
        QTextBlockFormat keep = m_cursor.blockFormat();
        keep.setHeadingLevel(scale > 1.5 ? 1 : 2);
        m_cursor.setBlockFormat(keep);
    }

    void paragraph(const QString& text, bool muted = false) {
        block(2, 6);
        QTextCharFormat format;
        if (muted) format.setForeground(QColor(0x50, 0x50, 0x58));
        m_cursor.insertText(text, format);
    }

    /// A question with its line of answer, which no page break parts.
    void together(const QString& text) {
        const int from = m_cursor.position();
        markdown(text);
        QTextCursor blocks(m_document.get());
        blocks.setPosition(from + 1); // behind the block that stood there already
        blocks.setPosition(m_cursor.position(), QTextCursor::KeepAnchor);
        QTextBlockFormat mark;
        mark.setProperty(kHandoutPiece, ++m_pieces);
        blocks.mergeBlockFormat(mark);
    }

    void markdown(const QString& text) {
        QTextDocument part;
        part.setDefaultFont(m_document->defaultFont());
        setLessonMarkdown(part, text, QColor(0x90, 0x90, 0x98));
        block(2, 4);
        m_cursor.insertFragment(QTextDocumentFragment(&part));
        m_cursor.movePosition(QTextCursor::End);
    }

    void ask(const lessons::Question& question) {
        ++m_questions;
        const QString number = u"**%1.** "_s.arg(tr("Question %1").arg(m_questions));
        QString text = number + filled(question.ask);
        QString answer;
        if (question.kind == lessons::QuestionKind::choice) {
            text += u"\n\n"_s;
            for (const lessons::Option& option : question.options) {
                text += u"☐ %1\n\n"_s.arg(filled(option.text).trimmed());
                if (option.right) answer = filled(option.text).trimmed();
            }
        } else if (question.kind == lessons::QuestionKind::number) {
            text += u"\n\n"_s + tr("Answer:") + u" ______________ "_s +
                    (question.unit == "1" || question.unit == "int" ? QString() : toQString(question.unit));
            if (const auto shown = m_session.answer_text(question, localeNumberFormat()))
                answer = toQString(*shown);
        } else {
            text += u"\n\n"_s + tr("Done at the screen: ☐");
        }
        // Escaped: a line of answer must not become a rule of Markdown.
        together(text.replace(u"______________"_s, u"\\_\\_\\_\\_\\_\\_\\_\\_\\_\\_\\_\\_\\_\\_"_s));
        QString line = number + answer;
        if (!question.explain.empty())
            line += (answer.isEmpty() ? u""_s : u"\n\n"_s) + filled(question.explain);
        m_answers << line;
    }

    /// What a button plays is a figure of its own.
    void act(const lessons::Action& action) {
        if (action.play) picture(View::collective, &action);
        if (action.sgd) picture(View::sgd, &action);
        if (action.matrix_tensor) picture(View::matrix, &action);
    }

    void picture(View view, const lessons::Action* action) {
        const Theme theme = Theme::make(ThemeKind::Light);
        Interaction interaction;
        QImage image;
        const auto draw = [&](auto&& widget) {
            widget.setReport(m_report);
            image = pictureOf(widget);
        };
        switch (view) {
        case View::overview: {
            const std::unique_ptr<ViewPage> page(makeOverviewPage(theme, interaction));
            page->showReports(m_report, nullptr);
            image = pictureOf(*page, kPicture * 1.3);
            break;
        }
        case View::memory: draw(MemoryChart(theme, interaction)); break;
        case View::time: draw(StepBar(theme, interaction)); break;
        case View::pipeline: draw(GanttView(theme, interaction)); break;
        case View::topology: draw(TopologyView(theme, interaction)); break;
        case View::compare: return; // two plans; on paper there is one
        case View::matrix: {
            MatrixView matrix(theme, interaction);
            if (action && action->matrix_tensor) matrix.setTensor(*action->matrix_tensor);
            draw(matrix);
            break;
        }
        case View::sgd: {
            SgdPage page(theme);
            if (action && action->sgd) page.setSpec(*action->sgd);
            page.setAttribute(Qt::WA_DontShowOnScreen);
            page.resize(kPicture * 1.3);
            page.show();
            page.settle();
            image = pictureOf(page, kPicture * 1.3);
            break;
        }
        case View::collective: {
            CollectiveView collective(theme);
            if (action && action->play)
                if (const auto bytes = m_session.number(action->play->bytes))
                    collective.setSpec(
                        {action->play->kind, action->play->ranks, action->play->per_node, *bytes});
            collective.controls().setStep(0);
            // Nothing on paper can be pressed.
            collective.controls().hide();
            for (auto* field : collective.findChildren<QWidget*>(Qt::FindDirectChildrenOnly))
                if (field != &collective.canvas() && !qobject_cast<QLabel*>(field)) field->hide();
            for (auto* label : collective.findChildren<QLabel*>())
                if (label->buddy()) label->hide();
            image = pictureOf(collective);
            break;
        }
        }
        const QString name = u"figure-%1"_s.arg(++m_figures);
        m_document->addResource(QTextDocument::ImageResource, QUrl(name), image);
        block(6, 8);
        QTextImageFormat format;
        format.setName(name);
        format.setWidth(kPictureWidth);
        format.setHeight(kPictureWidth * image.height() / image.width());
        m_cursor.insertImage(format);
    }

    const lessons::Lesson& m_lesson;
    const Catalog& m_catalog;
    lessons::Session m_session;
    std::shared_ptr<const Report> m_report;
    std::unique_ptr<QTextDocument> m_document;
    QTextCursor m_cursor;
    QStringList m_answers;
    int m_questions = 0, m_figures = 0, m_pieces = 0;
};

int pieceOf(const QTextBlock& block) { return block.blockFormat().intProperty(kHandoutPiece); }

/// The last block of the piece that this one begins or belongs to.
QTextBlock endOfPiece(QTextBlock block) {
    const int piece = pieceOf(block);
    while (piece > 0 && block.next().isValid() && pieceOf(block.next()) == piece) block = block.next();
    return block;
}

/// The page that the first or last line of a block stands on.
int pageOf(const QTextDocument& document, const QTextBlock& block, bool last) {
    const QRectF rect = document.documentLayout()->blockBoundingRect(block); // lays it out
    const QTextLayout& layout = *block.layout();
    const int line = last ? layout.lineCount() - 1 : 0;
    const double y = layout.lineCount() > 0 ? layout.lineAt(line).rect().center().y() : 0;
    return int((rect.top() + y) / document.pageSize().height());
}

/// A copy laid out on A4 pages. A layout that follows changes does not move later pages reliably: each change
/// takes a new one.
std::unique_ptr<QTextDocument> laidOut(const QTextDocument& document, QPdfWriter& writer) {
    std::unique_ptr<QTextDocument> pages(document.clone());
    pages->documentLayout()->setPaintDevice(&writer);
    QTextFrameFormat frame = pages->rootFrame()->frameFormat();
    frame.setMargin(kMargin);
    pages->rootFrame()->setFrameFormat(frame);
    pages->setPageSize(QSizeF(writer.width(), writer.height()));
    return pages;
}

/// Begins a new page before whatever the end of one would part: pieces, and a heading from what follows it.
void keepTogether(QTextDocument& document, QPdfWriter& writer) {
    QTextBlockFormat onNewPage;
    onNewPage.setPageBreakPolicy(QTextFormat::PageBreak_AlwaysBefore);
    auto pages = laidOut(document, writer);
    for (int number = 0; number < document.blockCount(); ++number) {
        const QTextBlock first = pages->findBlockByNumber(number);
        const bool heading = first.blockFormat().headingLevel() > 0 && first.next().isValid();
        if (!heading && pieceOf(first) == 0) continue;
        const QTextBlock last = endOfPiece(heading ? first.next() : first);
        const int end = last.blockNumber();
        if (pageOf(*pages, first, false) != pageOf(*pages, last, pieceOf(last) > 0)) {
            QTextCursor(document.findBlockByNumber(number)).mergeBlockFormat(onNewPage);
            pages = laidOut(document, writer);
        }
        if (!heading) number = end;
    }
}

/// Page by page, numbered below.
void paintPages(const QTextDocument& document, QPdfWriter& writer) {
    QPainter painter(&writer);
    const QSizeF size = document.pageSize();
    const double scale = writer.logicalDpiY() / QGuiApplication::primaryScreen()->logicalDotsPerInchY();
    const double margin = kMargin * scale;
    QAbstractTextDocumentLayout::PaintContext context;
    context.palette.setColor(QPalette::Text, Qt::black);
    for (int page = 0; page < document.pageCount(); ++page) {
        if (page > 0) writer.newPage();
        context.clip = QRectF(QPointF(0, page * size.height()), size);
        painter.save();
        painter.translate(0, -context.clip.top());
        painter.setClipRect(context.clip);
        document.documentLayout()->draw(&painter, context);
        painter.restore();
        painter.setFont(document.defaultFont());
        painter.drawText(QRectF(margin, size.height() - 0.8 * margin, size.width() - 2 * margin, margin / 2),
                         Qt::AlignRight | Qt::AlignTop, QString::number(page + 1));
    }
}

} // namespace

Result<std::unique_ptr<QTextDocument>> handoutDocument(const std::shared_ptr<const lessons::Lesson>& lesson,
                                                       const Catalog& catalog) {
    // Widgets on paper are black on white, whatever the window is.
    const QPalette before = QApplication::palette();
    QApplication::setPalette(Theme::make(ThemeKind::Light).palette());
    auto made = Handout(lesson, catalog).make();
    QApplication::setPalette(before);
    return made;
}

QByteArray handoutPdf(QTextDocument& document, const QString& title) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    {
        QPdfWriter writer(&buffer);
        writer.setPageSize(QPageSize(QPageSize::A4));
        writer.setTitle(title);
        writer.setCreator(u"ShardLens"_s);
        writer.setResolution(300);
        keepTogether(document, writer);
        paintPages(*laidOut(document, writer), writer);
    }
    return bytes;
}

Error writeHandout(const std::shared_ptr<const lessons::Lesson>& lesson, const Catalog& catalog,
                   const QString& path) {
    auto document = handoutDocument(lesson, catalog);
    if (!document) return document.error();
    const QByteArray bytes = handoutPdf(**document, toQString(lesson->title));
    return write_text(path.toStdString(), {bytes.constData(), static_cast<std::size_t>(bytes.size())});
}

} // namespace shardlens
