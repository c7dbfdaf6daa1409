// Messages of front end and worker survive the way there and back bit by bit; anything else is refused.
#include "harness/worker/protocol.hpp"

#include <bit>
#include <fstream>
#include <iterator>

#include "harness/system/line_io.hpp"
#include "harness/worker/checkpoint.hpp"
#include "results/text/error.hpp"
#include "tests/catch.hpp"
#include "tests/harness/program/program.hpp"
#include "variance/random/rng.hpp"

namespace retrial::tests::protocol_tests {

using namespace retrial;
using namespace retrial::harness;

namespace {

WorkerEvent example() {
  return {.kind = WorkerEvent::Kind::finished,
          .defs = {{"sort:real_time", "ns", results::Direction::lower, results::Nature::cost, results::Scale::ratio,
                    results::Axis::repetition}},
          .metrics = {{"loss", 0, std::bit_cast<double>(std::uint64_t{0x7ff8000000000001})},
                      {"score", -1, -0.0},
                      {"loss", 1, 5e-324}},
          .digests = {{"weights", 29, "psum2", std::string(32, 'a')}},
          .artifacts = {{.name = "output", .kind = "text", .bytes = 3, .body = "a\nb"}},
          .diverged_at = 7,
          .boundaries = 30,
          .wall_ns = 1'250'000'000,
          .cpu_ns = 5,
          .peak_rss = 1 << 20};
}

}  // namespace

TEST_CASE("a finished trial travels bit by bit, NaN payloads and negative zero included") {
  const auto event = decode_event(encode(example()));
  CHECK(event.kind == WorkerEvent::Kind::finished);
  REQUIRE(event.metrics.size() == 3);
  for (std::size_t i = 0; i < 3; ++i)
    CHECK(std::bit_cast<std::uint64_t>(event.metrics[i].value) ==
          std::bit_cast<std::uint64_t>(example().metrics[i].value));
  CHECK(event.defs == example().defs);
  CHECK(event.digests == example().digests);
  CHECK(event.artifacts.front().body == "a\nb");
  CHECK(event.diverged_at == 7);
  CHECK(event.wall_ns == 1'250'000'000);
}

TEST_CASE("instructions of a trial are those of all its processes, or unknown") {
  WorkerEvent event = example();
  CHECK(!decode_event(encode(event)).instructions);
  add_costs(event, {.instructions = 100});
  CHECK(decode_event(encode(event)).instructions == 100);
  event.resumed = 1;  // by a process that was killed
  add_costs(event, {.instructions = 20});
  CHECK(event.instructions == 120);
  add_costs(event, {});
  CHECK(!event.instructions);
  add_costs(event, {.instructions = 20});
  CHECK(!event.instructions);
}

TEST_CASE("an order travels whole") {
  const RunOrder order{.trial = TrialBody(Json{{"identity", "00"}}),
                       .from = "/tmp/a b",
                       .stop_after = 3,
                       .probe = true,
                       .profile = profiler::ProfileOrder{.layers = true, .cap_bytes = 9, .trace = "t.rtrace"},
                       .place = {.data = "d",
                                 .cache = "c",
                                 .out = "o",
                                 .max_steps = 5,
                                 .checksum_every = 8,
                                 .folders = {{"frost_dir", "f"}},
                                 .scripts = {{"ab12", "net.pt"}},
                                 .launcher = {"q", "-c", "a b"}}};
  const auto back = decode_order(encode(order));
  CHECK(back.trial == order.trial);
  CHECK(back.from == order.from);
  CHECK(back.stop_after == 3);
  CHECK(back.place.out == "o");
  CHECK(back.place.checksum_every == 8);
  CHECK(back.place.max_steps == 5);
  CHECK(back.place.folders == order.place.folders);
  CHECK(back.place.scripts == order.place.scripts);
  CHECK(back.place.launcher == order.place.launcher);
  CHECK(back.probe);
  REQUIRE(back.profile);
  CHECK(profiler::json_of(*back.profile) == profiler::json_of(*order.profile));
  CHECK_FALSE(decode_order(encode(RunOrder{.trial = TrialBody(Json{{"identity", "00"}})})).probe);
}

TEST_CASE("the answer to a probe travels whole") {
  const WorkerEvent event{.kind = WorkerEvent::Kind::probed,
                          .report = {.findings = {{"dead-term", "loss term soft", "0 \n \"quoted\""}},
                                     .looked_at = {"loss term ce", "teacher"}}};
  const auto back = decode_event(encode(event));
  CHECK(back.kind == WorkerEvent::Kind::probed);
  REQUIRE(back.report.findings.size() == 1);
  CHECK(back.report.findings[0].kind == "dead-term");
  CHECK(back.report.findings[0].subject == "loss term soft");
  CHECK(back.report.findings[0].compared == "0 \n \"quoted\"");
  CHECK(back.report.looked_at == event.report.looked_at);
  CHECK_THROWS_AS(decode_event(R"({"v":1,"event":"probed","probed":{"findings":[["a"]],"looked_at":[]}})"), Error);
}

TEST_CASE("a profile travels whole, with what the run recorded") {
  const WorkerEvent event{.kind = WorkerEvent::Kind::profiled,
                          .profile = {.region_ns = 5, .clock = "tsc", .counts = {{"step", {.annotations = 2}}}},
                          .metrics = {{.name = "accuracy", .step = -1, .value = .5}}};
  const auto back = decode_event(encode(event));
  CHECK(back.kind == WorkerEvent::Kind::profiled);
  CHECK(profiler::json_of(back.profile) == profiler::json_of(event.profile));
  REQUIRE(back.metrics.size() == 1);
  CHECK_THROWS_AS(decode_event(R"({"v":1,"event":"profiled","profile":{}})"), Error);
}

TEST_CASE("a mutated line of the worker is an event or a refusal, never a crash") {
  const auto line = encode(example());
  const auto key = variance::derive(variance::derive(0, "fault-tests"), "protocol");
  for (std::uint64_t round = 0; round < 2000; ++round) {
    variance::Stream draws(key, round);
    auto text = line;
    text[variance::bounded(draws.next(), text.size())] = static_cast<char>(variance::bounded(draws.next(), 256));
    if (round % 3 == 0) text.resize(variance::bounded(draws.next(), text.size()));
    try {
      static_cast<void>(decode_event(text));
    } catch (const Error& error) {
      CHECK(error.text.exit == Exit::integrity);
    }
  }
  CHECK_THROWS_AS(decode_event("{}"), Error);
  CHECK_THROWS_AS(decode_event(R"({"v":2,"event":"started"})"), Error);
}

TEST_CASE("a checkpoint gives its state back, and a flipped byte anywhere is refused") {
  const tests::Folder folder;
  const std::filesystem::path file = folder / "checkpoint";
  const Checkpoint checkpoint{.identity = "ab", .recorded = {{"x", 1}}, .state = std::string("\0\n\xff state", 10)};
  write_checkpoint(file, checkpoint);
  const auto back = read_checkpoint(file);
  CHECK(back.identity == checkpoint.identity);
  CHECK(back.recorded == checkpoint.recorded);
  CHECK(back.state == checkpoint.state);

  std::string bytes;
  {
    std::ifstream in(file, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(in), {});
  }
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    auto damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 1);
    tests::write_file(file.string(), damaged);
    CHECK_THROWS_AS(read_checkpoint(file), Error);
  }
  tests::write_file(file.string(), bytes.substr(0, 20));
  CHECK_THROWS_AS(read_checkpoint(file), Error);
}

TEST_CASE("lines are found across pieces and the tail keeps the last of them") {
  LineSplitter lines(100);
  lines.add("one\ntw");
  CHECK(lines.next() == "one");
  CHECK_FALSE(lines.next());
  lines.add("o\n\nthree");
  CHECK(lines.next() == "two");
  CHECK(lines.next() == "");
  CHECK_FALSE(lines.next());
  lines.add(std::string(200, 'x'));
  CHECK(lines.overlong());

  OutputTail tail(16);
  for (int i = 0; i < 100; ++i) tail.add("line " + std::to_string(i) + "\n");
  CHECK(tail.last(2, 1000) == "line 98\nline 99");
  CHECK(tail.last(1, 3) == " 99");
}

TEST_CASE("an order to time steps and its times travel bit by bit") {
  RunOrder order{
      .trial = TrialBody(Json()),
      .price = determinism::PriceOrder{.layer = "linear", .batch = 7, .fill = false, .warmup = 3, .steps = 9}};
  const auto there = decode_order(encode(order));
  REQUIRE(there.price);
  CHECK((there.price->layer == "linear" && there.price->batch == 7 && !there.price->fill));
  CHECK((there.price->warmup == 3 && there.price->steps == 9));
  CHECK(there.trial.document().is_null());
  order.price.reset();
  CHECK_FALSE(decode_order(encode(order)).price);
  const auto back =
      decode_event(encode(WorkerEvent{.kind = WorkerEvent::Kind::priced,
                                      .times = {.wall = {1.5, 5e-324}, .kernel = {}, .no_kernel_times = "none here"}}));
  CHECK(back.kind == WorkerEvent::Kind::priced);
  CHECK(back.times.wall == std::vector<double>{1.5, 5e-324});
  CHECK(back.times.kernel.empty());
  CHECK(back.times.no_kernel_times == "none here");
}

}  // namespace retrial::tests::protocol_tests
