// SPDX-License-Identifier: GPL-3.0-or-later
// Geometry of the views: plain functions, no window.
#include "catch.h"

#include <array>
#include <map>
#include <rapidcheck.h>
#include <set>

#include "charts/scale.h"
#include "charts/stack_geometry.h"
#include "pipeline/gantt_geometry.h"
#include "sample_report.h"
#include "topology/topology_geometry.h"

using namespace shardlens;

TEST_CASE("a scale maps both ways, also downwards") {
    const LinearScale up{0, 80, 400, 0}; // values grow upwards, pixels downwards
    CHECK(up.toPixel(0) == 400);
    CHECK(up.toPixel(80) == 0);
    CHECK(up.toPixel(20) == 300);
    CHECK(up.toValue(300) == Approx(20));
    CHECK(up.pixelsPerUnit() == -5);
}

TEST_CASE("zooming keeps the time under the cursor and never leaves the step") {
    CHECK(rc::check("anchor stays", [] {
        const double end = *rc::gen::inRange(1, 1000);
        const double factor = *rc::gen::inRange(20, 95) / 100.0;
        const double share = *rc::gen::inRange(0, 100) / 100.0;
        const VisibleRange whole{0, end};
        const double anchor = share * end;
        const VisibleRange in = whole.zoomed(factor, anchor, end);
        RC_ASSERT(std::abs((anchor - in.from) / in.span() - share) < 1e-9);
        RC_ASSERT(in.from >= 0);
        RC_ASSERT(in.to <= end * (1 + 1e-12));
        const VisibleRange out = in.zoomed(100, anchor, end);
        RC_ASSERT(out == whole);
    }));
    CHECK(VisibleRange{2, 4}.moved(100, 10) == VisibleRange{8, 10});
    CHECK(VisibleRange{2, 4}.moved(-100, 10) == VisibleRange{0, 2});
}

TEST_CASE("labels are thinned to 1, 2, 5, 10, 20 …") {
    CHECK(labelStep(4, 400, 60) == 1);  // 4 · 60 = 240
    CHECK(labelStep(8, 400, 60) == 2);  // 8 · 60 = 480, 4 · 60 = 240
    CHECK(labelStep(16, 250, 60) == 5); // by two: 480; by five: 4 · 60 = 240
    CHECK(labelStep(128, 450, 30) == 10);
    CHECK(labelStep(128, 210, 30) == 20);
}

TEST_CASE("stacks have a block per part that is not zero and are hit where they are") {
    std::vector<StackBlock> blocks;
    appendStack(blocks, 0, std::array{4.0, 0.0, 2.0});
    appendStack(blocks, 1, std::array{1.0, 3.0, 0.01});
    REQUIRE(blocks.size() == 5);
    CHECK(blocks[1] == StackBlock{0, 2, 4, 6});
    CHECK(blockAt(blocks, 0, 3.9)->part == 0);
    CHECK(blockAt(blocks, 0, 4.0)->part == 2);
    CHECK_FALSE(blockAt(blocks, 0, 6.0));
    CHECK_FALSE(blockAt(blocks, 2, 1.0));
    // A sliver is found within the slack and does not hide its neighbour beyond it.
    CHECK(blockAt(blocks, 1, 3.95, 0.2)->part == 2);
    CHECK(blockAt(blocks, 1, 3.8, 0.2)->part == 1);
}

TEST_CASE("bars are slim with room and touch without") {
    CHECK(barHalfWidth(200, 110) == Approx(55.0 / 200)); // never wider than 110 pixels
    CHECK(barHalfWidth(60, 110) == Approx(0.34));
    CHECK(barHalfWidth(3, 110) == 0.5);
}

namespace {

/// Bands follow each other without gaps and fill the height; rows are equally high.
void checkBands(const std::vector<GanttBand>& bands, double height) {
    REQUIRE_FALSE(bands.empty());
    CHECK(bands.front().top == 0);
    CHECK(bands.back().bottom == Approx(height));
    double row = 0;
    for (std::size_t i = 0; i < bands.size(); ++i) {
        if (i > 0) CHECK(bands[i].top == Approx(bands[i - 1].bottom));
        CHECK(bands[i].height() > 0);
        if (bands[i].kind != GanttBand::Kind::Rank) continue;
        if (row == 0) row = bands[i].height();
        CHECK(bands[i].height() == Approx(row));
        CHECK(bandAt(bands, (bands[i].top + bands[i].bottom) / 2) == &bands[i]);
    }
}

std::vector<int> curvesOf(const std::vector<GanttBand>& bands, int track) {
    std::vector<int> ranks;
    for (const GanttBand& band : bands)
        if (band.kind == GanttBand::Kind::Memory && band.track == track) ranks.push_back(band.rank);
    return ranks;
}

} // namespace

TEST_CASE("rows of the timeline") {
    const auto bands = layOutBands(std::array{GanttTrackShape{4, false, false, 0}}, 200, 20);
    REQUIRE(bands.size() == 4);
    checkBands(bands, 200);
    CHECK(bands[1] == GanttBand{GanttBand::Kind::Rank, 0, 1, 50, 100});
    CHECK(bandAt(bands, 0) == &bands[0]);
    CHECK(bandAt(bands, 49.9) == &bands[0]);
    CHECK(bandAt(bands, 50) == &bands[1]);
    CHECK_FALSE(bandAt(bands, 200));
    CHECK_FALSE(bandAt(bands, -1));
    CHECK(rowGap(50) == 4.5);
    CHECK(rowGap(4) == 0);
}

TEST_CASE("the curve of memory stands below every row, below one, or nowhere") {
    const auto layOut = [](int ranks, double height) {
        auto bands = layOutBands(std::array{GanttTrackShape{ranks, false, true, ranks / 2}}, height, 20);
        checkBands(bands, height);
        return curvesOf(bands, 0);
    };
    CHECK(layOut(4, 600) == std::vector{0, 1, 2, 3});
    CHECK(layOut(8, 400) == std::vector{4});
    CHECK(layOut(64, 400) == std::vector{32}); // rows of five pixels
    CHECK(layOut(64, 200).empty());            // rows of three pixels need the room themselves
    // Below its own row.
    const auto bands = layOutBands(std::array{GanttTrackShape{8, false, true, 4}}, 400, 20);
    CHECK(bands[4].kind == GanttBand::Kind::Rank);
    CHECK(bands[5].kind == GanttBand::Kind::Memory);
    CHECK(bands[5].rank == 4);
}

TEST_CASE("two timelines share the height, each with its caption") {
    const auto bands = layOutBands(
        std::array{GanttTrackShape{8, true, true, 2}, GanttTrackShape{4, true, true, 3}}, 600, 20);
    checkBands(bands, 600);
    CHECK(bands[0] == GanttBand{GanttBand::Kind::Caption, 0, 0, 0, 20});
    CHECK(curvesOf(bands, 0) == std::vector{2});
    CHECK(curvesOf(bands, 1) == std::vector{3});
    CHECK(std::count_if(bands.begin(), bands.end(), [](const GanttBand& band) {
              return band.kind == GanttBand::Kind::Rank && band.track == 1;
          }) == 4);
}

TEST_CASE("a column of pixels shows the largest value in it") {
    const std::array times{0.0, 1.0, 1.25, 1.5, 3.0, 3.0};
    const std::array values{5.0, 1.0, 9.0, 2.0, 7.0, 4.0};
    // One pixel a second: the peak of 9 between 1.25 and 1.5 is not lost; of equal times the last holds.
    CHECK(columnMaxima(times, values, {0, 4, 0, 4}, 4) == std::vector{5.0, 9.0, 2.0, 4.0});
    // A window that begins between two points begins with what holds there.
    CHECK(columnMaxima(times, values, {1.3, 1.4, 0, 1}, 1) == std::vector{9.0});
    CHECK(columnMaxima({}, {}, {0, 1, 0, 2}, 2) == std::vector{0.0, 0.0});
}

TEST_CASE("blocks wide enough are drawn one by one") {
    const auto report = sampleReport({64, 8, 4, 8});
    const auto& timeline = *report->timeline;
    // 1F1B with F = 1 s and B = 2 s: (8 + 3) · 3 = 33 s.
    REQUIRE(timeline.makespan == Approx(33));
    std::vector<GanttSpan> spans;
    layOutRank(timeline, 0, {0, 33, 0, 660}, 1, spans);
    REQUIRE(spans.size() == 16);
    CHECK(spans[0].start == 0);
    CHECK(spans[0].end == 1);
    CHECK_FALSE(spans[0].merged);
    for (const GanttSpan& span : spans)
        CHECK(span.busy == Approx(span.kind == pipeline::OpKind::forward ? 1 : 2));

    SECTION("only what the window shows") {
        spans.clear();
        layOutRank(timeline, 0, {0.5, 2.5, 0, 100}, 1, spans);
        REQUIRE(spans.size() == 3); // F0 ends at 1, F1 and F2 begin before 2.5
        CHECK(spans[2].start == 2);
    }
    SECTION("operation under the cursor") {
        CHECK(opAt(timeline, 0, 0.5) == std::optional<std::size_t>(0));
        CHECK(opAt(timeline, 1, 1.5) == std::optional<std::size_t>(16)); // rank 1 begins a hop later
        CHECK_FALSE(opAt(timeline, 1, 0.5));                             // and waits before
        CHECK_FALSE(opAt(timeline, 0, 40));
        CHECK(rankOf(timeline, 16) == 1);
        CHECK(rankOf(timeline, 15) == 0);
    }
}

TEST_CASE("merging thin blocks keeps the busy time and the count of operations") {
    const auto check = [](int ranks, int microBatches, double pixels) {
        const auto report = sampleReport({8 * ranks, 8, ranks, microBatches});
        const auto& timeline = *report->timeline;
        for (int rank = 0; rank < ranks; ++rank) {
            std::vector<GanttSpan> spans;
            layOutRank(timeline, rank, {0, timeline.makespan, 0, pixels}, 1, spans);
            double busy = 0;
            std::size_t count = 0;
            double last = -1;
            for (const GanttSpan& span : spans) {
                busy += span.busy;
                count += span.count;
                CHECK(span.start >= last - 1e-9);
                CHECK(span.busy <= (span.end - span.start) * (1 + 1e-9));
                last = span.end;
            }
            CHECK(busy == Approx(3.0 * microBatches)); // 1 s forward and 2 s backward each
            CHECK(count == 2 * static_cast<std::size_t>(microBatches));
            CHECK(spans.size() <= 2 * pixels + 2); // never more than two per pixel
        }
    };
    check(4, 8, 1000);
    check(4, 8, 20);
    check(8, 1000, 300);
    check(2, 5000, 1);
}

TEST_CASE("a pair that runs together counts once") {
    pipeline::Timeline timeline;
    timeline.schedule.spec.ranks = 1;
    timeline.schedule.first = {0, 3};
    timeline.schedule.ops = {{pipeline::OpKind::forward, true, 0, 1},
                             {pipeline::OpKind::backward, false, 1, 0},
                             {pipeline::OpKind::forward, false, 0, 2}};
    timeline.start = {0, 0, 3};
    timeline.end = {3, 3, 4};
    timeline.makespan = 4;
    std::vector<GanttSpan> spans;
    layOutRank(timeline, 0, {0, 4, 0, 400}, 1, spans);
    REQUIRE(spans.size() == 2);
    CHECK(spans[0].overlapped);
    CHECK(spans[0].count == 2);
    CHECK(spans[0].busy == 3);
    CHECK(spans[1].first == 2);
}

TEST_CASE("arrows follow a micro-batch through all stages and never run backwards") {
    struct Case {
        ScheduleKind kind;
        int ranks, microBatches, chunks;
    };
    for (const Case& c : {Case{ScheduleKind::gpipe, 4, 8, 1}, Case{ScheduleKind::one_f_one_b, 4, 8, 1},
                          Case{ScheduleKind::interleaved, 4, 8, 2}, Case{ScheduleKind::zb_h1, 4, 8, 1},
                          Case{ScheduleKind::zb_v, 4, 8, 2}, Case{ScheduleKind::dualpipe, 4, 8, 0},
                          Case{ScheduleKind::chimera, 4, 8, 0}, Case{ScheduleKind::hanayo, 4, 8, 2}}) {
        auto schedule = pipeline::make_schedule({c.kind, c.ranks, c.microBatches, c.chunks, 0});
        INFO("schedule " << int(c.kind));
        REQUIRE(schedule);
        const auto timeline = pipeline::simulate(std::move(schedule).value(), {{{1, 1, 1, -1}}, 0.25}, true);
        REQUIRE(timeline);
        const auto& ops = timeline->schedule.ops;
        std::set<std::int64_t> ids;
        for (const auto& op : ops) ids.insert(microBatchId(timeline->schedule, op));
        CHECK(static_cast<int>(ids.size()) == c.microBatches); // directions are told apart
        std::size_t seen = 0;
        for (const std::int64_t id : ids) {
            const auto mine = opsOfMicroBatch(*timeline, id);
            seen += mine.size();
            const auto weights = std::count_if(mine.begin(), mine.end(), [&](std::size_t i) {
                return ops[i].kind == pipeline::OpKind::weight_grad;
            });
            const auto links = linksOfMicroBatch(*timeline, id);
            // S − 1 forward, the turn, S − 1 back, and one to each weight half.
            CHECK(static_cast<std::int64_t>(links.size()) == 2 * timeline->schedule.stages - 1 + weights);
            for (const GanttLink& link : links)
                CHECK(timeline->end[link.from] <= timeline->start[link.to] + 1e-9);
        }
        CHECK(seen == ops.size());
    }
}

TEST_CASE("shares of an area") {
    const auto report = sampleReport({64, 8, 4, 8}); // F = 1 s, B = 2 s, 33 s
    const auto& timeline = *report->timeline;
    const GanttShares whole = sharesOf(timeline, {0, 33, 0, 0, 3});
    CHECK(whole.kinds[0] == Approx(8.0 / 33));
    CHECK(whole.kinds[1] == Approx(16.0 / 33));
    CHECK(whole.idle == Approx(9.0 / 33));                             // (p − 1)(F + B)
    const GanttShares start = sharesOf(timeline, {0.5, 1.5, 0, 0, 1}); // stage 1 waits until 1 s
    CHECK(start.kinds[0] == Approx(0.75));
    CHECK(start.idle == Approx(0.25));
    CHECK(sharesOf(timeline, {2, 2, 0, 0, 3}).idle == 0);
    CHECK(rc::check("shares sum to one", [&] {
        const double from = *rc::gen::inRange(0, 320) / 10.0;
        const double to = from + *rc::gen::inRange(1, 100) / 10.0;
        const int first = *rc::gen::inRange(0, 4), last = *rc::gen::inRange(first, 4);
        const GanttShares shares = sharesOf(timeline, {from, to, 0, first, last});
        double sum = shares.together + shares.idle;
        for (const double share : shares.kinds) sum += share;
        RC_ASSERT(std::abs(sum - 1) < 1e-9);
    }));
}

namespace {

// Every GPU has a place of its own inside the area and is found again there.
void checkMap(const TopologyShape& shape, const TopologyLayout& map, double width, double height) {
    CHECK(map.width() <= width + 1e-6);
    CHECK(map.height() <= height + 1e-6);
    std::set<std::pair<std::int64_t, std::int64_t>> places;
    std::int64_t lost = 0, outside = 0;
    for (std::int64_t rank = 0; rank < shape.gpus; ++rank) {
        const CellRect cell = map.cell(rank);
        if (map.rankAt(cell.x + cell.width / 2, cell.y + cell.height / 2) !=
            std::optional<std::int64_t>(rank))
            ++lost;
        if (cell.x < 0 || cell.y < 0 || cell.x + cell.width > width + 1e-6 ||
            cell.y + cell.height > height + 1e-6)
            ++outside;
        places.emplace(map.gridColumn(rank), map.gridRow(rank));
        CHECK_FALSE(map.gridColumn(rank) >= map.gridColumns());
        CHECK_FALSE(map.gridRow(rank) >= map.gridRows());
    }
    CHECK(lost == 0);
    CHECK(outside == 0);
    CHECK(static_cast<std::int64_t>(places.size()) == shape.gpus);
}

} // namespace

TEST_CASE("the map holds every GPU once, with the detail that fits") {
    struct Case {
        TopologyShape shape;
        double width, height;
        TopologyDetail detail;
    };
    for (const Case& c : {Case{{8, 8, 0}, 400, 300, TopologyDetail::Labels},
                          Case{{64, 8, 0}, 480, 330, TopologyDetail::Labels},
                          Case{{1024, 8, 0}, 500, 330, TopologyDetail::Cells},
                          Case{{1024, 8, 32}, 500, 330, TopologyDetail::Cells},
                          Case{{16384, 8, 384}, 500, 330, TopologyDetail::Image},
                          Case{{100000, 8, 0}, 500, 330, TopologyDetail::Image},
                          Case{{576, 72, 0}, 400, 300, TopologyDetail::Cells},
                          Case{{20, 8, 0}, 300, 200, TopologyDetail::Labels}}) {
        INFO(c.shape.gpus << " GPUs, " << c.shape.nodesPerPod << " nodes per pod");
        const TopologyLayout map = layOutTopology(c.shape, c.width, c.height, {});
        CHECK(map.detail == c.detail);
        checkMap(c.shape, map, c.width, c.height);
    }
}

TEST_CASE("racks stand in their pods, and every GPU in its rack") {
    // NVL72: 4 GPUs on a tray, 18 trays in a rack; then pods of 3 racks, the last pod and rack not full.
    for (const TopologyShape& shape :
         {TopologyShape{576, 4, 0, 18}, TopologyShape{1000, 4, 54, 18}, TopologyShape{100008, 4, 0, 18}}) {
        INFO(shape.gpus << " GPUs");
        const TopologyLayout map = layOutTopology(shape, 900, 600, {});
        checkMap(shape, map, 900, 600);
        CHECK(shape.rackOf(17) == 0);
        CHECK(shape.rackOf(18) == 1);
        std::set<std::int64_t> seen;
        map.visitNodes({0, 0, 900, 600}, [&](std::int64_t node) { seen.insert(node); });
        CHECK(static_cast<std::int64_t>(seen.size()) == shape.nodes());
        for (std::int64_t node = 0; node < shape.nodes(); node += 7) {
            const CellRect box = map.node(node), rack = map.rack(shape.rackOf(node));
            const CellRect pod = map.pod(node / shape.podSize());
            CHECK(rack.contains(box.x, box.y));
            CHECK(rack.contains(box.x + box.width - 0.5, box.y + box.height - 0.5));
            CHECK(pod.contains(rack.x, rack.y));
        }
    }
    CHECK(TopologyShape{1000, 4, 54, 18}.racksPerPod() == 3);
    // 250 trays: 4 pods of 54 and one of 34, which are two racks.
    CHECK(TopologyShape{1000, 4, 54, 18}.racks() == 14);
    CHECK(TopologyShape{64, 8, 0, 0}.racks() == 1);
}

TEST_CASE("zooming keeps the order of nodes and reaches the labels") {
    const TopologyShape shape{4096, 8, 0};
    const TopologyLayout whole = layOutTopology(shape, 500, 330, {});
    CHECK(whole.detail == TopologyDetail::Cells);
    const TopologyLayout near = zoomTopology(whole, 500, 330, 8, {});
    CHECK(near.detail == TopologyDetail::Labels);
    CHECK(near.nodeColumns == whole.nodeColumns);
    checkMap(shape, near, 8 * 500, 8 * 330);
    CHECK(zoomTopology(whole, 500, 330, 1, {}) == whole);
}

TEST_CASE("between GPUs there is none") {
    const TopologyLayout map = layOutTopology({64, 8, 0}, 480, 330, {});
    const CellRect first = map.cell(0);
    CHECK(map.rankAt(first.x, first.y) == std::optional<std::int64_t>(0));
    CHECK_FALSE(map.rankAt(first.x + first.width + 1, first.y + 1));
    CHECK_FALSE(map.rankAt(first.x - 1, first.y + 1));
    CHECK_FALSE(map.rankAt(-5, 10));
    CHECK_FALSE(map.rankAt(5000, 10));
}

TEST_CASE("ranks in few characters") {
    using Ranks = std::vector<std::int64_t>;
    CHECK(shortenedRanks(Ranks{}).empty());
    CHECK(shortenedRanks(Ranks{5}) == "5");
    CHECK(shortenedRanks(Ranks{17, 25}) == "17, 25");
    CHECK(shortenedRanks(Ranks{16, 17, 18, 19}) == "16–19");
    CHECK(shortenedRanks(Ranks{0, 8, 16, 24, 32, 40, 48, 56}) == "0, 8, 16 … 56 (8)");
}
