// SPDX-License-Identifier: GPL-3.0-or-later
// The views beside lessons: matrices of a layer, SGD with stragglers, an all-reduce of its own.
#include "catch.h"

#include <QImage>
#include <QTest>
#include <cmath>
#include <set>

#include "catalog/setup.h"
#include "collective/collective_state.h"
#include "collective/collective_view.h"
#include "controls/step_controls.h"
#include "gui_support.h"
#include "learn_pages.h"
#include "matrix/matrix_geometry.h"
#include "matrix/matrix_view.h"
#include "report/evaluate.h"
#include "sgd/sgd_charts.h"
#include "view_support.h"

using namespace shardlens;
using namespace Qt::StringLiterals;
using placement::AllReduceKind;

namespace {

Setup setupOf(const char* preset) {
    const auto setup = resolve(presetPlan(preset), *testCatalog());
    REQUIRE(setup.ok());
    return *setup;
}

const MatrixBox* boxOf(const MatrixHalf& half, const std::string& name) {
    for (const MatrixPart& part : half.parts)
        if (const auto* box = std::get_if<MatrixBox>(&part); box && box->name == name) return box;
    return nullptr;
}

std::vector<model::OperatorKind> exchanges(const MatrixHalf& half) {
    std::vector<model::OperatorKind> kinds;
    for (const MatrixPart& part : half.parts)
        if (const auto* exchange = std::get_if<MatrixExchange>(&part)) kinds.push_back(exchange->kind);
    return kinds;
}

std::size_t colours(QWidget& widget) {
    const QImage image = widget.grab().toImage();
    std::set<QRgb> seen;
    for (int y = 0; y < image.height(); y += 3)
        for (int x = 0; x < image.width(); x += 3) seen.insert(image.pixel(x, y));
    return seen.size();
}

} // namespace

TEST_CASE("matrices of Llama 3 70B on eight ranks: columns in, rows out") {
    // arXiv 1909.08053 section 3; sizes of the model: h 8192, 64 heads and 8 key heads of 128, f 28672.
    const Setup setup = setupOf("llama3-70b-64xh100");
    const MatrixModel model = matrixModel(setup, 8, true, false);
    const MatrixBox* qkv = boxOf(model.attention, "qkv_projection");
    REQUIRE(qkv);
    CHECK(qkv->cut == MatrixCut::columns);
    CHECK(qkv->rows == 8192);
    CHECK(qkv->columns == (64 + 2 * 8) * 128);
    CHECK(qkv->rank_columns == (8 + 2) * 128);
    const MatrixBox* out = boxOf(model.attention, "attention_output");
    REQUIRE(out);
    CHECK(out->cut == MatrixCut::rows);
    CHECK(out->rank_rows == 1024);
    CHECK(out->rank_columns == 8192);
    const MatrixBox* up = boxOf(model.mlp, "mlp_up");
    REQUIRE(up);
    CHECK(up->cut == MatrixCut::columns);
    CHECK(up->rank_columns == 2 * 28672 / 8);
    const MatrixBox* down = boxOf(model.mlp, "mlp_down");
    REQUIRE(down);
    CHECK(down->cut == MatrixCut::rows);
    CHECK(down->rank_rows == 28672 / 8);
    // With sequence parallelism the residual stream is cut too, and a gather opens each half.
    CHECK(model.attention.tokens == 8192 / 8);
    const std::vector both{model::OperatorKind::all_gather, model::OperatorKind::reduce_scatter};
    CHECK(exchanges(model.attention) == both);
    CHECK(exchanges(model.mlp) == both);
    const MatrixModel without = matrixModel(setup, 8, false, false);
    CHECK(without.attention.tokens == 8192);
    CHECK(exchanges(without.attention) == std::vector{model::OperatorKind::all_reduce});
    CHECK(exchanges(matrixModel(setup, 1, true, false).mlp).empty());
    CHECK(boxOf(matrixModel(setup, 1, true, false).mlp, "mlp_up")->cut == MatrixCut::whole);
}

TEST_CASE("a layer of Mixtral 8x7B: an expert on each of eight ranks, tokens there and back") {
    // h 4096, 8 experts of 14336, two for each token; 4096 tokens on two tensor ranks.
    Setup setup = setupOf("mixtral-8x7b-64xh100");
    const MatrixModel model = matrixModel(setup, setup.tensor, true, true);
    CHECK(model.experts == 8);
    CHECK(model.local_experts() == 1);
    CHECK(model.shared.parts.empty());
    const MatrixBox* up = boxOf(model.mlp, "expert_up");
    REQUIRE(up);
    CHECK(up->rows == 4096);
    CHECK(up->columns == 2 * 14336);
    CHECK(up->copies == 1);
    CHECK(up->cut == MatrixCut::whole); // expert_tensor 1, whatever the tensor degree
    CHECK(up->tokens == 4096);          // 2048 tokens · 2 copies · 8 ranks / 8 experts
    const std::vector there_and_back{model::OperatorKind::all_to_all, model::OperatorKind::all_to_all};
    CHECK(exchanges(model.mlp) == there_and_back);
    REQUIRE(model.mlp.parts.size() == 5); // router, dispatch, up, down, combine
    const auto& dispatch = std::get<MatrixExchange>(model.mlp.parts[1]);
    const auto& combine = std::get<MatrixExchange>(model.mlp.parts[4]);
    CHECK(dispatch.bytes == 4096.0 * 4096 * 2);
    CHECK(dispatch.rows_in == 4096);
    CHECK(combine.rows_in == 4096);
    CHECK(combine.rows_out == 2048);
    // Two ranks for each expert: both have the tokens of both, and half of the matrices.
    setup.expert_tensor = 2;
    const MatrixModel cut = matrixModel(setup, setup.tensor, true, true);
    up = boxOf(cut.mlp, "expert_up");
    const MatrixBox* down = boxOf(cut.mlp, "expert_down");
    REQUIRE((up && down));
    CHECK(up->cut == MatrixCut::columns);
    CHECK(up->rank_columns == 14336);
    CHECK(down->cut == MatrixCut::rows);
    CHECK(down->rank_rows == 7168);
    CHECK(down->ranks == 2);
    CHECK(exchanges(cut.mlp) == std::vector{model::OperatorKind::all_to_all, model::OperatorKind::all_gather,
                                            model::OperatorKind::reduce_scatter,
                                            model::OperatorKind::all_to_all});
    CHECK(std::get<MatrixExchange>(cut.mlp.parts[2]).rows_in == 4096);
    CHECK(std::get<MatrixExchange>(cut.mlp.parts[2]).rows_out == 8192);
}

TEST_CASE("a layer of DeepSeek-V3: four of 256 experts on a rank, and one that all tokens share") {
    // arXiv 2412.19437 section 4.2: h 7168, experts of 2048, 64 expert ranks, the first three layers dense.
    const Setup setup = setupOf("deepseek-v3-2048xh800");
    const MatrixModel model = matrixModel(setup, setup.tensor, setup.sequence, true);
    CHECK(model.local_experts() == 4);
    const MatrixBox* up = boxOf(model.mlp, "expert_up");
    const MatrixBox* shared = boxOf(model.shared, "shared_expert_up");
    REQUIRE((up && shared));
    CHECK(up->copies == 4);
    CHECK(up->rows == 7168);
    CHECK(up->columns == 2 * 2048);
    CHECK(up->tokens == 4096.0 * 8 * 64 / 256);
    CHECK(shared->columns == 2 * 2048);
    Shown<MatrixView> shown(QSize(1000, 700));
    for (const auto& [plan, dense, experts] : {std::tuple("deepseek-v3-2048xh800", true, u"4 of 256"_s),
                                               std::tuple("mixtral-8x7b-64xh100", false, u"1 of 8"_s)}) {
        const auto report = evaluate(presetPlan(plan), *testCatalog());
        REQUIRE(report.ok());
        shown.set(*report);
        INFO(plan);
        CHECK(shown.view.hasDenseLayers() == dense);
        CHECK(shown.view.model().experts > 0); // without a choice: what most layers are
        CHECK(shown.view.accessibleDescription().contains(experts));
        shown.view.setExperts(false);
        CHECK((shown.view.model().experts == 0) == dense); // there is no other layer in Mixtral
        shown.view.setExperts(std::nullopt);
    }
    Plan plan = presetPlan("deepseek-v3-2048xh800");
    plan.parallel.expert = 96;
    if (const auto report = evaluate(plan, *testCatalog()); report.ok() && (*report)->setup) {
        shown.set(*report);
        CHECK(shown.view.uneven().contains(u"256"_s));
    }
}

TEST_CASE("28 heads on 8 ranks: every other border of two ranks runs through a head") {
    // 3.5 heads a rank: heads 3, 10, 17 and 24 lie on two ranks each.
    std::vector<std::int64_t> split;
    for (const HeadCell& cell : headCells(28, 4, 8))
        if (!cell.kv && cell.split) split.push_back(cell.index);
    CHECK(split == std::vector<std::int64_t>{3, 10, 17, 24});
    for (const HeadCell& cell : headCells(28, 4, 4)) {
        CHECK_FALSE(cell.split);
        CHECK(cell.first_rank == cell.last_rank);
        CHECK(cell.first_rank == (cell.kv ? cell.index : cell.index / 7));
    }
    // Four key heads on eight ranks: each is held twice.
    for (const HeadCell& cell : headCells(32, 4, 8))
        if (cell.kv) {
            CHECK(cell.copied);
            CHECK(cell.first_rank == 2 * cell.index);
            CHECK(cell.last_rank == 2 * cell.index + 1);
        }
    bool uneven_keys = false;
    for (const HeadCell& cell : headCells(24, 6, 4)) uneven_keys = uneven_keys || (cell.kv && cell.split);
    CHECK(uneven_keys);
}

TEST_CASE("the parts of all ranks tile their matrix, and nothing is drawn outside") {
    const QRectF matrix(10, 20, 120, 80);
    for (const MatrixCut cut : {MatrixCut::columns, MatrixCut::rows}) {
        double area = 0;
        for (std::int64_t rank = 0; rank < 8; ++rank) {
            const QRectF part = rankPart(matrix, cut, rank, 8);
            CHECK(matrix.adjusted(-1e-9, -1e-9, 1e-9, 1e-9).contains(part));
            area += part.width() * part.height();
        }
        CHECK(area == Approx(matrix.width() * matrix.height()));
    }
    const Setup setup = setupOf("llama3-70b-64xh100");
    const MatrixModel model = matrixModel(setup, 8, true, false);
    const QRectF area(0, 0, 700, 220);
    for (const MatrixHalf* half : {&model.attention, &model.mlp}) {
        const PlacedHalf placed = placeHalf(*half, area, 14);
        REQUIRE(placed.parts.size() == half->parts.size());
        double right = 0;
        for (const PlacedPart& part : placed.parts) {
            CHECK(area.contains(part.rect));
            CHECK(part.edge.left() >= right - 1e-9);
            CHECK(part.rect.left() >= part.edge.right() - 1e-9);
            right = part.rect.right();
        }
        CHECK(placed.out.right() <= area.right() + 1e-9);
    }
}

TEST_CASE("the matrix view fills the chosen rank and says what cannot be cut") {
    Shown<MatrixView> shown(QSize(800, 500));
    const auto report = evaluate(presetPlan("llama3-70b-64xh100"), *testCatalog());
    REQUIRE(report.ok());
    shown.set(*report);
    CHECK(shown.view.uneven().isEmpty());
    CHECK(colours(shown.view) > 8);
    const QImage first = shown.view.grab().toImage();
    QTest::keyClick(&shown.view, Qt::Key_Right);
    CHECK(shown.view.rank() == 1);
    CHECK(shown.view.grab().toImage() != first);
    shown.view.setTensor(24); // 64 heads
    CHECK(shown.view.uneven().contains(u"64"_s));
    CHECK(shown.view.uneven().contains(u"24"_s));
}

TEST_CASE("every all-reduce ends with the sum everywhere, with the bytes of its closed form") {
    for (const AllReduceKind kind : {AllReduceKind::ring, AllReduceKind::tree, AllReduceKind::two_level,
                                     AllReduceKind::parameter_server})
        for (const std::int64_t ranks : {2, 4, 8, 16}) {
            const CollectiveSpec spec{kind, ranks, ranks > 4 ? 4 : 2, 16e9};
            const auto steps = collectiveSteps(spec);
            REQUIRE(steps.ok());
            INFO(placement::to_string(kind) << " " << ranks);
            CHECK_FALSE(collectiveState(*steps, ranks, steps->count() - 1).complete());
            const CollectiveState last = collectiveState(*steps, ranks, steps->count());
            CHECK(last.complete());
            const double p = double(ranks), n = 16e9;
            // Patarasuk and Yuan 2009; all vectors in and out of one port; the root of a binomial tree.
            const double expected = kind == AllReduceKind::parameter_server ? 2 * n * (p - 1)
                                    : kind == AllReduceKind::tree           ? n * std::log2(p)
                                                                            : 2 * n * (p - 1) / p;
            CHECK(last.busiest(kind) == Approx(expected));
        }
}

TEST_CASE("the all-reduce plays step by step and counts") {
    CollectiveView view(Theme::make(ThemeKind::Light));
    view.resize(700, 460);
    view.setSpec({AllReduceKind::ring, 8, 4, 8e9});
    view.show();
    QApplication::processEvents();
    REQUIRE(view.controls().count() == 14);
    CHECK(view.countedBytes() == Approx(14e9));
    CHECK(view.expectedBytes() == Approx(14e9));
    view.controls().setStep(3);
    CHECK(view.caption().contains(u"Step 4 of 14"_s));
    const QImage before = view.canvas().grab().toImage();
    view.controls().advance(1);
    CHECK(view.caption().contains(u"Step 5 of 14"_s));
    CHECK(view.canvas().grab().toImage() != before);
    CHECK(colours(view.canvas()) > 8);
    for (std::int64_t a = 0; a < 8; ++a) {
        CHECK(QRectF(view.canvas().rect()).contains(view.canvas().rankRect(a)));
        for (std::int64_t b = 0; b < a; ++b)
            CHECK_FALSE(view.canvas().rankRect(a).intersects(view.canvas().rankRect(b)));
    }
    // What crosses from node to node, all ranks together: on the ring its two edges between the nodes carry
    // 2 (P − 1)/P N each, 28 GB of 8; in two levels four rings of two carry 2 (n − 1) N, 16 GB.
    view.controls().setStep(13);
    view.controls().advance(1);
    CHECK(view.caption().contains(u"Between the nodes: 28 GB of 28 GB."_s));
    view.setSpec({AllReduceKind::two_level, 8, 4, 8e9});
    CHECK(view.caption().contains(u"of 16 GB."_s));
    // Nobody is hidden by the legend.
    for (std::int64_t rank = 0; rank < 8; ++rank)
        CHECK(view.canvas().rankRect(rank).bottom() < view.canvas().height() - view.fontMetrics().height());
    view.setSpec({AllReduceKind::ring, 4, 8, 8e9}); // one node: nothing crosses
    CHECK_FALSE(view.caption().contains(u"Between the nodes"_s));
    // Two levels need as many on every node: a sentence, no picture.
    view.setSpec({AllReduceKind::two_level, 6, 4, 8e9});
    CHECK(view.controls().count() == 0);
    CHECK_FALSE(view.caption().isEmpty());
}

TEST_CASE("rows of workers: no overlap, waiting fills the gaps, nothing past the end") {
    for (const sync::Variant variant : kSgdVariants) {
        sync::Spec spec;
        spec.variant = variant;
        spec.workers = 6;
        spec.wait_for = 3;
        spec.delay = sync::Delay::exponential(1);
        const SgdResultPtr result = computeSgd(spec, 7);
        const auto bars = sgdBars(result->run, spec.workers, result->window_s);
        INFO(sync::to_string(variant));
        std::vector<double> covered(6, 0.0);
        bool cancelled = false, stale = false, waiting = false;
        for (const SgdBar& bar : bars) {
            CHECK(bar.end_s <= result->window_s + 1e-9);
            CHECK(bar.start_s == Approx(covered[std::size_t(bar.worker)]).margin(1e-9));
            covered[std::size_t(bar.worker)] = bar.end_s;
            cancelled = cancelled || bar.work == SgdWork::Cancelled;
            stale = stale || bar.work == SgdWork::Stale;
            waiting = waiting || bar.work == SgdWork::Waiting;
        }
        for (const double end : covered) CHECK(end == Approx(result->window_s));
        // Dutta et al., arXiv 1803.01113 section 2: who cancels, who is stale, who waits.
        using V = sync::Variant;
        CHECK(cancelled == (variant == V::k_sync || variant == V::k_batch_sync));
        CHECK(stale == (variant == V::async || variant == V::k_async || variant == V::k_batch_async));
        CHECK(waiting == (variant == V::sync || variant == V::k_sync || variant == V::k_async));
        REQUIRE(result->loss.size() == kSgdVariants.size());
    }
}

TEST_CASE("the page of SGD computes beside the window and draws") {
    SgdPage page(Theme::make(ThemeKind::Light));
    page.resize(900, 640);
    page.show();
    QApplication::processEvents();
    page.settle();
    REQUIRE(page.result());
    CHECK(page.result()->spec == page.spec());
    CHECK(colours(page.timeline()) > 8);
    CHECK(page.timeline().plot().replotCount() > 0);
    sync::Spec other = page.spec();
    other.variant = sync::Variant::async;
    page.setSpec(other);
    CHECK_FALSE(page.settled());
    page.settle();
    CHECK(page.settled());
    CHECK(page.result()->spec.variant == sync::Variant::async);
    CHECK(page.result()->run.dropped_share == 0);
}
