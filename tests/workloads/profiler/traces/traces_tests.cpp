// Files of traces: read back to the same timeline, the same bytes every time, refused where they are damaged.
#include <algorithm>
#include <limits>

#include "results/json/json.hpp"
#include "results/text/error.hpp"
#include "tests/catch.hpp"
#include "tests/workloads/profiler/overlap/example.hpp"
#include "workloads/profiler/overlap/table.hpp"
#include "workloads/profiler/overlap/transitions.hpp"
#include "workloads/profiler/traces/bytes.hpp"
#include "workloads/profiler/traces/chrome.hpp"
#include "workloads/profiler/traces/perfetto.hpp"
#include "workloads/profiler/traces/protobuf.hpp"
#include "workloads/profiler/traces/rtrace.hpp"

namespace retrial::tests::profiler_traces_tests {

using namespace retrial;
using namespace retrial::profiler;
using profiler_example::e2, profiler_example::span;

namespace {

/// Everything that is said about a timeline.
void demand_same(const Timeline& a, const Timeline& b) {
  const auto threads = thread_times(a), others = thread_times(b);
  CHECK(table_of(a, threads) == table_of(b, others));
  CHECK(transitions(a, threads) == transitions(b, others));
  CHECK(event_counts(a, threads) == event_counts(b, others));
  CHECK(gpu_by_operation(a, threads) == gpu_by_operation(b, others));
  CHECK(a.regions == b.regions);
  CHECK(a.process == b.process);
  CHECK(a.faults == b.faults);
  CHECK(a.progress.size() == b.progress.size());
}

/// With names that need escapes, a second region, open and zero intervals, streams, marks, times before the region.
Timeline rich() {
  Timeline t = e2();
  t.names[1] = "st\"ep\\\n\x01 \xC3\xA9";
  t.host = "machine", t.collector = "native", t.clock = "tsc";
  t.metadata = {{"algo", "ppo"}, {"env", "cart\"pole"}};
  t.regions.push_back({{1200, 1300}, "evaluate", 0});
  t.lanes.push_back({.name = "thread 1"});
  t.lanes.push_back({.gpu = true, .name = "GPU 1 stream 9", .group = 1, .number = 9});
  t.operations.insert(t.operations.begin(), span(-20, 2, 3, 2, Category::app));
  t.operations.push_back(span(110, 130, 2, 0, Category::app));
  t.operations.back().open = true;
  t.operations.push_back(span(120, 125, 0, 2, Category::app));
  t.operations.back().adopted = true;
  t.layers.push_back(span(115, 115, 5, 0, Category::backend));
  t.layers.push_back(span(121, 123, 5, 2, Category::backend, 4));
  t.calls.push_back(span(122, 123, 7, 2, Category::cuda_api, 9));
  t.gpu.push_back(span(123, 128, 8, 3, Category::gpu_memcpy, 9));
  t.gpu.push_back(span(125, 129, 8, 3, Category::gpu_kernel, 77));
  t.gpu.back().operation = 4;
  t.overhead.push_back(span(70, 71, 7, 0, Category::cupti_overhead));
  t.progress = {{500, 4, 0, 128}, {999, 4, 0, 256}};
  t.faults = {.dropped = 3, .clamped = 1, .open = 1};
  t.faults.clipped = clipped_operations(t);
  return t;
}

Recording recording(std::size_t events) {
  Recording r{.host = "machine",
              .process = "program",
              .source = ClockSource::tsc,
              .clock = {{1000, 500}, {9000, 4500}},
              .metadata = {{"algo", "ppo"}},
              .names = {"a", "b", "c"},
              .regions = {{.phase = "training", .begin = 1000, .end = 900'000, .lane = 0}},
              .lanes = {{.name = "thread 0", .dropped = 2}, {.gpu = true, .lane = 263, .name = "GPU 1 stream 7"}}};
  for (std::uint64_t i = 0; i < events; ++i) {
    const bool begin = i % 2 == 0;
    r.lanes[0].events.push_back({1000 + i * 70, begin ? 0 : i, static_cast<NameId>(i / 2 % 3),
                                 begin ? EventKind::layer_begin : EventKind::layer_end, Category::backend, 0});
  }
  r.lanes[1].events = {{600, 5, 1, EventKind::gpu_begin, Category::gpu_kernel, 263},
                       {900, no_name, 1, EventKind::gpu_end, Category::gpu_kernel, 263}};
  return r;
}

std::string problem_of(const std::string& bytes) {
  try {
    static_cast<void>(read_rtrace(bytes, "a.rtrace"));
  } catch (const Error& e) {
    return e.what();
  }
  return "none";
}

}  // namespace

TEST_CASE("our own file is read back event by event, plain and compressed") {
  const Recording r = recording(10'000);
  for (const Packing packing : {Packing::plain, Packing::compressed}) {
    const std::string bytes = rtrace_bytes(r, packing);
    CHECK(bytes == rtrace_bytes(r, packing));
    const Recording back = read_rtrace(bytes, "a.rtrace");
    CHECK(back.lanes == r.lanes);
    CHECK(back.names == r.names);
    CHECK(back.clock.last.ns == r.clock.last.ns);
    CHECK_FALSE(back.salvaged);
    CHECK(rtrace_bytes(back, packing) == bytes);
    demand_same(timeline_of(r), timeline_of(back));
  }
  const double plain = double(rtrace_bytes(r).size()) / 10'002,
               packed = double(rtrace_bytes(r, Packing::compressed).size()) / 10'002;
  CHECK(plain < 24.3);
  CHECK(packed < 10);
}

TEST_CASE("a cut trace is refused with the byte, and its blocks before it are salvaged") {
  const Recording r = recording(10'000);
  const std::string bytes = rtrace_bytes(r);
  const std::size_t block = 8 + 4096 * sizeof(Event);
  const std::size_t header = bytes.find("\"source\"") == std::string::npos
                                 ? 0
                                 : 12 + std::size_t(bytes[8] & 0xFF) + 256 * std::size_t(bytes[9] & 0xFF);
  const std::string cut = bytes.substr(0, header + block + 1000);
  CHECK_THAT(problem_of(cut),
             has_text("byte " + std::to_string(header + block + 8)) && has_text("ends inside a block"));
  const Recording salvaged = read_rtrace(cut, "a.rtrace", Damage::salvaged);
  CHECK(salvaged.salvaged);
  CHECK(salvaged.events() == 4096);
  CHECK(timeline_of(salvaged).faults.salvaged);
  const std::string without_trailer = bytes.substr(0, bytes.size() - 3);
  CHECK_THAT(problem_of(without_trailer), has_text("trailer"));
  CHECK(read_rtrace(without_trailer, "a.rtrace", Damage::salvaged).events() == 10'002);
}

TEST_CASE("any cut and any changed byte of a trace is found") {
  const std::string bytes = rtrace_bytes(recording(40));
  for (std::size_t n = 0; n < bytes.size(); ++n) CHECK(problem_of(bytes.substr(0, n)) != "none");
  for (std::size_t n = 0; n < bytes.size(); ++n) {
    std::string changed = bytes;
    changed[n] = static_cast<char>(changed[n] ^ 0x11);
    CAPTURE(n);
    CHECK(problem_of(changed) != "none");
    try {  // whatever it is, it is refused or salvaged
      static_cast<void>(read_rtrace(changed, "a.rtrace", Damage::salvaged));
    } catch (const Error&) {
    }
  }
}

TEST_CASE("export and import give the same table, in Chrome JSON and in Perfetto") {
  for (const Timeline& t : {e2(), rich()}) {
    demand_same(t, read_chrome(chrome_json(t), "a.json"));
    demand_same(t, read_perfetto(perfetto_bytes(t), "a.perfetto"));
    CHECK(chrome_json(t) == chrome_json(t));
    CHECK(chrome_json(read_chrome(chrome_json(t), "a.json")) == chrome_json(t));
    CHECK(perfetto_bytes(t) == perfetto_bytes(t));
  }
}

TEST_CASE("Chrome JSON is JSON, with three decimals, Kineto's categories and a flow from launch to kernel") {
  const std::string text = chrome_json(rich());
  const Json document = results::parse_json(text, "chrome");
  CHECK(document.at("displayTimeUnit") == "ns");
  std::int64_t flows = 0, kernels = 0;
  double last = -1e300;
  for (const Json& e : document.at("traceEvents")) {
    if (e.at("ph") == "M") continue;
    CHECK(e.at("ts").get<double>() >= last);
    last = e.at("ts");
    flows += e.at("ph") == "s" || e.at("ph") == "f" ? 1 : 0;
    kernels += e.at("cat") == "kernel" ? 1 : 0;
  }
  CHECK(kernels == 3);
  CHECK(flows == 9);
  CHECK_THAT(text, has_text("\"ts\":0.120,\"dur\":0.160") && has_text("\"ts\":-0.200") && !has_text("nan"));
}

TEST_CASE("a trace of torch.profiler is read: operations, layers, GPU, steps; what is no interval is passed over") {
  const std::string text = R"({"schemaVersion": 1, "deviceProperties": [{"id": 0, "x": {"name": "A100"}}],
 "traceEvents": [
  {"ph": "M", "name": "process_name", "pid": 4242, "tid": 0, "args": {"name": "python"}},
  {"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#3", "pid": 4242, "tid": 4242, "ts": 1764000000000000.000, "dur": 100.000, "args": {"External id": 1}},
  {"ph": "X", "cat": "user_annotation", "name": "inference", "pid": 4242, "tid": 4242, "ts": 1764000000000010.001, "dur": 39.999},
  {"ph": "X", "cat": "cpu_op", "name": "aten::linear", "pid": 4242, "tid": 4242, "ts": 1764000000000012.000, "dur": 20, "args": {"Input Dims": [[8, 4], []], "x": {"name": "no"}}},
  {"ph": "X", "cat": "cpu_op", "name": "aten::addmm", "pid": 4242, "tid": 4242, "ts": 1764000000000014.000, "dur": 10},
  {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 4242, "tid": 4242, "ts": 1764000000000015.000, "dur": 2.5, "args": {"correlation": 17}},
  {"ph": "s", "id": 17, "pid": 4242, "tid": 4242, "ts": 1764000000000015.000, "cat": "ac2g", "name": "ac2g"},
  {"ph": "X", "cat": "kernel", "name": "sgemm", "pid": 0, "tid": 7, "ts": 1764000000000060.000, "dur": 5.250, "args": {"stream": 7, "correlation": 17}},
  {"ph": "X", "cat": "gpu_user_annotation", "name": "inference", "pid": 0, "tid": 7, "ts": 1764000000000060.000, "dur": 5.250},
  {"ph": "X", "cat": "python_function", "name": "f", "pid": 4242, "tid": 4242, "ts": 1764000000000000.000, "dur": 100.000},
  {"ph": "X", "cat": "surprise", "name": "f", "pid": 4242, "tid": 4242, "ts": 1764000000000000.000, "dur": 100.000},
  {"ph": "B", "cat": "cpu_op", "name": "aten::relu", "pid": 4242, "tid": 4242, "ts": 1764000000000070},
  {"ph": "E", "pid": 4242, "tid": 4242, "ts": 1764000000000080},
  {"ph": "E", "pid": 4242, "tid": 4242, "ts": 1764000000000081},
  {"ph": "B", "cat": "cpu_op", "name": "aten::cut", "pid": 4242, "tid": 4242, "ts": 1764000000000090},
  {"ph": "i", "s": "g", "name": "Record Window End", "pid": "Spans", "tid": "x", "ts": 1764000000000101}
 ], "traceName": "trace.json"})";
  const Timeline t = read_chrome(text, "trace.json");
  CHECK(t.collector == "foreign");
  CHECK(t.process == "python");
  CHECK(t.faults.unmatched == 2);
  CHECK(t.faults.ignored == 1);
  CHECK(t.wall() == 100'000);
  REQUIRE(t.progress.size() == 1);
  CHECK(t.progress[0].value == 3);
  const auto threads = thread_times(t);
  const Table table = table_of(t, threads);
  CHECK(total(table) == 100'000);
  const auto operations = resources_by_operation(table);
  CHECK(operations.at("inference").cpu() == 39'999);
  CHECK(operations.at("ProfilerStep").cpu() == 60'001);
  CHECK(gpu_by_operation(t, threads).at("inference") == GpuTime{0, 5'250});
  CHECK(gpu_by_operation(t, threads).at("ProfilerStep") == GpuTime{5'250, 0});
  const auto layers = category_totals(table);
  CHECK(layers.at(Category::backend) == 27'500);
  CHECK(layers.at(Category::cuda_api) == 2'500);
  CHECK(transitions(t, threads).at({"inference", Category::backend, Category::cuda_api}) == 1);
  CHECK(true_busy(kernels_of(t), intervals_of(t.regions)) == 0.0525);
  CHECK(read_chrome(R"([{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":1,"dur":2}])", "list").gpu.size() ==
        1);
}

TEST_CASE("a kernel that the autograd thread launched belongs to the operation of the thread that waits for it") {
  const Timeline t = read_chrome(R"({"traceEvents": [
  {"ph": "X", "cat": "user_annotation", "name": "backward", "pid": 3914, "tid": 3914, "ts": 1000, "dur": 500},
  {"ph": "X", "cat": "cpu_op", "name": "AddmmBackward0", "pid": 3914, "tid": 24922, "ts": 1100, "dur": 100},
  {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 3914, "tid": 24922, "ts": 1150, "dur": 10, "args": {"correlation": 2131433}},
  {"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 1600, "dur": 45, "args": {"correlation": 2131433}}
  ]})",
                                 "trace.json");
  const auto threads = thread_times(t);
  CHECK(gpu_by_operation(t, threads).at("backward").by_correlation == 45'000);
  CHECK(transitions(t, threads).at({"backward", Category::backend, Category::cuda_api}) == 1);
}

TEST_CASE("what is no trace is refused with its place") {
  CHECK_THROWS_WITH(read_chrome("{\"traceEvents\":[{\"ph\":\"X\",", "a.json"), has_text("a.json") && has_text("byte"));
  CHECK_THROWS_WITH(read_chrome("{\"a\":[1]}", "a.json"), has_text("no list of events"));
  CHECK_THROWS_WITH(read_chrome(R"({"traceEvents":[{"ph":"X","cat":"kernel","name":"k","ts":1,"dur":-2}]})", "a.json"),
                    has_text("dur") && has_text("-2"));
  CHECK_THROWS_WITH(read_chrome(R"({"traceEvents":[{"ph":"X","cat":"kernel","name":"k","dur":2}]})", "a.json"),
                    has_text("ts"));
  CHECK_THROWS_AS(read_perfetto("\x0A\xFF", "a"), Error);
  CHECK_THROWS_AS(read_perfetto("\x10\x01", "a"), Error);
  const std::string perfetto = perfetto_bytes(e2());
  CHECK_THROWS_WITH(read_perfetto(perfetto.substr(0, perfetto.size() - 3), "a"), has_text("byte"));
  CHECK_THROWS_WITH(read_rtrace("RTRACE02", "a"), has_text("RTRACE01"));
}

TEST_CASE("varints: 300 is AC 02, and every number comes back") {
  std::string bytes;
  append_varint(bytes, 300);
  CHECK(bytes == "\xAC\x02");
  for (const std::uint64_t n : {std::uint64_t{0}, std::uint64_t{127}, std::uint64_t{128}, std::uint64_t{1} << 35U,
                                std::numeric_limits<std::uint64_t>::max()}) {
    bytes.clear();
    append_varint(bytes, n);
    CHECK(ByteReader(bytes, "").varint("n") == n);
    CHECK(from_zigzag(zigzag(n)) == n);
  }
  CHECK(zigzag(std::uint64_t(-1)) == 1);
  CHECK(zigzag(1) == 2);
}

TEST_CASE("intervals that do not nest get tracks of their own in Perfetto") {
  Timeline t = e2();
  t.gpu.push_back(span(20, 30, 8, 1, Category::gpu_kernel, 2));  // over the end of the first kernel
  demand_same(t, read_perfetto(perfetto_bytes(t), "a"));
  CHECK_THAT(perfetto_bytes(t), has_text("(overlapping)"));
}

}  // namespace retrial::tests::profiler_traces_tests
