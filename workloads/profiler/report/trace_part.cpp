#include "workloads/profiler/report/trace_part.hpp"

#include <algorithm>
#include <cstdio>
#include <map>

#include "results/json/json.hpp"
#include "results/report/drawing/numbers.hpp"
#include "workloads/profiler/analysis/critical_path.hpp"
#include "workloads/profiler/analysis/idle.hpp"
#include "workloads/profiler/analysis/launches.hpp"
#include "workloads/profiler/overlap/gpu.hpp"
#include "workloads/profiler/overlap/transitions.hpp"
#include "workloads/profiler/rules/profile_rules.hpp"

namespace retrial::profiler {
namespace {

using report::right;

std::string decimal(double value, int digits) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}
std::string milliseconds(double ns) {
  return decimal(ns / 1e6, 3);
}
std::string milliseconds(std::uint64_t ns) {
  return milliseconds(static_cast<double>(ns));
}
std::string share(std::uint64_t ns, std::uint64_t of) {
  return of == 0 ? "-" : decimal(100 * static_cast<double>(ns) / static_cast<double>(of), 1);
}

/// Both forms of one page, filled section by section.
class Page {
 public:
  Page(const Timeline& timeline, const TraceQuestions& questions)
      : t_(timeline), questions_(questions), threads_(thread_times(timeline)), table_(table_of(timeline, threads_)) {}

  report::Part made() {
    section_ = {.id = "trace", .title = "Trace " + questions_.file};
    data_ = {{"schema", "retrial.trace_analysis/1"}, {"file", questions_.file}, {"corrected", false}};
    facts();
    warnings();
    operations();
    cells("Operations by layer and device", table_, "cells");
    if (questions_.by_thread)
      for (const ThreadTime& thread : threads_)
        cells("Operations of " + t_.lanes[thread.lane].name, table_of_thread(t_, thread), "thread_cells");
    changes();
    if (!t_.gpu.empty()) gpu();
    path();
    rules();
    return {.section = std::move(section_), .data = std::move(data_)};
  }

 private:
  void add(report::Table table) {
    if (!table.rows.empty()) section_.blocks.emplace_back(std::move(table));
  }

  void facts() {
    const Resources r = resources_of(table_);
    const std::uint64_t wall = t_.wall();
    std::string phases;
    for (const Region& region : t_.regions) phases += (phases.empty() ? "" : ", ") + region.phase;
    report::Facts facts;
    const auto fact = [&](const char* name, std::string value, std::string detail = "") {
      facts.rows.push_back({.name = name, .value = std::move(value), .detail = std::move(detail)});
    };
    fact("program", t_.process.empty() ? "not named" : t_.process, t_.host);
    fact("measured", milliseconds(wall) + " ms", phases);
    fact("CPU", milliseconds(r.cpu()) + " ms", share(r.cpu(), wall) + " % of the time");
    fact("GPU", milliseconds(r.gpu()) + " ms", share(r.gpu(), wall) + " % of the time");
    fact("both at once", milliseconds(r.both) + " ms", share(r.both, wall) + " % of the time");
    fact("neither", milliseconds(r.idle) + " ms", share(r.idle, wall) + " % of the time");
    section_.blocks.emplace_back(std::move(facts));
    data_["process"] = t_.process;
    data_["wall_ns"] = wall;
    data_["metadata"] = t_.metadata;
    data_["resources"] = {
        {"cpu_only_ns", r.cpu_only}, {"gpu_only_ns", r.gpu_only}, {"both_ns", r.both}, {"idle_ns", r.idle}};
  }

  void warn(std::uint64_t count, const std::string& noun, const std::string& problem) {
    if (count == 0) return;
    section_.blocks.emplace_back(
        report::Warning{report::counted(static_cast<std::int64_t>(count), noun) + " " + problem, "warning"});
  }
  void warnings() {
    section_.blocks.emplace_back(
        report::Warning{"Not corrected: the time that profiling itself took is part of these numbers."});
    const Faults& f = t_.faults;
    if (f.salvaged)
      section_.blocks.emplace_back(report::Warning{"The file is damaged; this is what it still holds.", "warning"});
    warn(f.dropped, "event", "dropped: the recording is incomplete.");
    warn(f.clamped, "time", "of a thread went backwards and was moved to the one before.");
    warn(f.open, "interval", "without an end: closed where the trace ends.");
    warn(f.clipped, "operation", "cut at a region: only the part inside counts.");
    warn(f.unmatched, "begin or end", "without a partner: left out.");
    warn(f.ignored, "interval", "of an unknown category: left out.");
    data_["faults"] = {{"dropped", f.dropped},  {"clamped", f.clamped}, {"open", f.open},
                       {"clipped", f.clipped},  {"ignored", f.ignored}, {"unmatched", f.unmatched},
                       {"salvaged", f.salvaged}};
  }

  void operations() {
    const std::map<std::string, GpuTime> launched = gpu_by_operation(t_, threads_);
    auto by_operation = resources_by_operation(table_);
    for (const auto& [name, time] : launched) by_operation[name];  // one that only launched
    std::vector<std::pair<std::string, Resources>> rows(by_operation.begin(), by_operation.end());
    std::ranges::stable_sort(rows, std::greater{}, [](const auto& row) { return row.second.busy() + row.second.idle; });
    report::Table table{
        .caption = "Time of each operation, without that of operations inside it",
        .columns = {"operation", right("ms"), right("%"), right("CPU alone (ms)"), right("CPU and GPU (ms)"),
                    right("GPU alone (ms)"), right("launched on the GPU (ms)")}};
    Json list = Json::array();
    bool asynchronous = false;
    for (const auto& [name, r] : rows) {
      const auto found = launched.find(name);
      const GpuTime gpu = found == launched.end() ? GpuTime{} : found->second;
      asynchronous = asynchronous || gpu.asynchronous();
      const std::uint64_t all = r.busy() + r.idle;
      table.rows.push_back({name, milliseconds(all), share(all, t_.wall()), milliseconds(r.cpu_only),
                            milliseconds(r.both), milliseconds(r.gpu_only), milliseconds(gpu.by_correlation)});
      list.push_back({{"operation", name},
                      {"ns", all},
                      {"cpu_only_ns", r.cpu_only},
                      {"both_ns", r.both},
                      {"gpu_only_ns", r.gpu_only},
                      {"gpu_by_overlap_ns", gpu.by_overlap},
                      {"gpu_by_correlation_ns", gpu.by_correlation}});
    }
    add(std::move(table));
    if (asynchronous)
      section_.blocks.emplace_back(
          report::Warning{"Launches are asynchronous: the GPU works for an operation after it has ended on the CPU."});
    data_["operations"] = std::move(list);
  }

  void cells(const std::string& caption, const profiler::Table& from, const char* key) {
    constexpr std::size_t most = 30;
    std::vector<std::pair<CellKey, std::uint64_t>> rows(from.begin(), from.end());
    std::ranges::stable_sort(rows, std::greater{}, [](const auto& row) { return row.second; });
    report::Table table{.caption = caption, .columns = {"operation", "active at once", right("ms"), right("%")}};
    Json list = Json::array();
    std::uint64_t rest = 0;
    const std::uint64_t all = profiler::total(from);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto& [cell, ns] = rows[i];
      list.push_back({{"operations", cell.operations}, {"active", text_of_categories(cell.categories)}, {"ns", ns}});
      if (i < most)
        table.rows.push_back(
            {cell.operation_text(), text_of_categories(cell.categories), milliseconds(ns), share(ns, all)});
      else
        rest += ns;
    }
    if (rows.size() > most)
      table.rows.push_back({report::counted(std::int64_t(rows.size() - most), "smaller cell"), "", milliseconds(rest),
                            share(rest, all)});
    add(std::move(table));
    data_[key].push_back({{"caption", caption}, {"cells", std::move(list)}});
  }

  void changes() {
    const Transitions all = transitions(t_, threads_);
    const auto by_iteration = transitions_by_iteration(t_, threads_);
    report::Table table{.caption = "Changes of layer", .columns = {"operation", "from", "to", right("count")}};
    Json list = Json::array();
    for (const auto& [change, count] : all) {
      table.rows.push_back({change.operation, std::string(name_of(change.from)), std::string(name_of(change.to)),
                            std::to_string(count)});
      list.push_back({{"operation", change.operation},
                      {"from", name_of(change.from)},
                      {"to", name_of(change.to)},
                      {"count", count}});
    }
    add(std::move(table));
    data_["transitions"] = std::move(list);
    data_["transitions_by_iteration"] = by_iteration;
    if (by_iteration.empty()) return;
    double sum = 0;
    for (const std::uint64_t n : by_iteration) sum += static_cast<double>(n);
    section_.blocks.emplace_back(report::Paragraph{report::short_text(sum / static_cast<double>(by_iteration.size())) +
                                                   " changes of layer an iteration, mean of " +
                                                   report::counted(std::int64_t(by_iteration.size()), "iteration") +
                                                   "."});
  }

  void gpu() {
    const std::vector<Interval> kernels = kernels_of(t_), regions = intervals_of(t_.regions);
    const double busy = true_busy(kernels, regions),
                 sampled = sampled_utilization(kernels, regions, questions_.period_ns);
    const Breakdown b = gpu_breakdown(t_);
    section_.blocks.emplace_back(report::Facts{
        {{.name = "kernels run", .value = decimal(100 * busy, 2) + " %", .detail = "of the time: true busy"},
         {.name = "sampled utilization",
          .value = decimal(100 * sampled, 2) + " %",
          .detail =
              "of periods of " + milliseconds(static_cast<double>(questions_.period_ns)) + " ms, as nvidia-smi counts"},
         {.name = "computing", .value = milliseconds(b.compute) + " ms"},
         {.name = "copies and communication",
          .value = milliseconds(b.non_compute()) + " ms",
          .detail = "not hidden under computing"},
         {.name = "idle", .value = milliseconds(b.idle()) + " ms"}}});
    data_["gpu"] = {{"true_busy", busy},
                    {"sampled_utilization", sampled},
                    {"period_ns", questions_.period_ns},
                    {"compute_ns", b.compute},
                    {"busy_ns", b.busy},
                    {"idle_ns", b.idle()},
                    {"communication_ns", b.communication},
                    {"hidden_communication_ns", b.hidden_communication}};
    streams();
    launches();
  }

  void streams() {
    const auto queues = longest_queues(t_);
    report::Table table{.caption = "Why streams waited between two intervals",
                        .columns = {"stream", right("for the host (ms)"), right("for the next kernel (ms)"),
                                    right("other (ms)"), right("longest queue")}};
    Json list = Json::array();
    for (const IdleCauses& c : idle_causes(t_)) {
      const auto queue = queues.find(c.lane);
      const std::uint64_t length = queue == queues.end() ? 0 : queue->second;
      table.rows.push_back({t_.lanes[c.lane].name, milliseconds(c.host_wait), milliseconds(c.kernel_wait),
                            milliseconds(c.other),
                            std::to_string(length) + (length >= blocking_queue ? " (blocks the CPU)" : "")});
      list.push_back({{"stream", t_.lanes[c.lane].name},
                      {"host_wait_ns", c.host_wait},
                      {"kernel_wait_ns", c.kernel_wait},
                      {"other_ns", c.other},
                      {"longest_queue", length}});
    }
    add(std::move(table));
    data_["streams"] = std::move(list);
  }

  void launches() {
    report::Table table{
        .caption = "Launches, means in us",
        .columns = {"call", right("launches"), right("call"), right("work"), right("delay"),
                    right("work shorter than its call"), right("calls above 50 us"), right("delays above 100 us")}};
    Json list = Json::array();
    for (const auto& [call, s] : launch_statistics(t_)) {
      const auto mean = [n = static_cast<double>(s.launches)](double sum) { return decimal(sum / n / 1e3, 2); };
      table.rows.push_back({call, std::to_string(s.launches), mean(static_cast<double>(s.call_ns)),
                            mean(static_cast<double>(s.work_ns)), mean(static_cast<double>(s.delay_ns)),
                            std::to_string(s.short_work), std::to_string(s.slow_calls), std::to_string(s.slow_starts)});
      list.push_back({{"call", call},
                      {"launches", s.launches},
                      {"call_ns", s.call_ns},
                      {"work_ns", s.work_ns},
                      {"delay_ns", s.delay_ns},
                      {"short_work", s.short_work},
                      {"slow_calls", s.slow_calls},
                      {"slow_starts", s.slow_starts}});
    }
    add(std::move(table));
    data_["launches"] = std::move(list);
  }

  void path() {
    const CriticalPath path = critical_path(t_);
    if (path.steps.empty()) return;
    std::map<std::string, std::uint64_t> by_name;
    for (const PathStep& step : path.steps) {
      const char* kind = step.kind == PathStep::Kind::cpu   ? " (CPU)"
                         : step.kind == PathStep::Kind::gpu ? " (GPU)"
                                                            : " (delay)";
      by_name[step.name + kind] += step.length();
    }
    std::vector<std::pair<std::string, std::uint64_t>> rows(by_name.begin(), by_name.end());
    std::ranges::stable_sort(rows, std::greater{}, [](const auto& row) { return row.second; });
    report::Table table{.caption = "The critical path: what to shorten first",
                        .columns = {"work", right("ms"), right("%")}};
    Json list = Json::array();
    for (const auto& [name, ns] : rows) {
      if (table.rows.size() < 10) table.rows.push_back({name, milliseconds(ns), share(ns, path.length())});
      list.push_back({{"work", name}, {"ns", ns}});
    }
    add(std::move(table));
    data_["critical_path"] = {
        {"cpu_ns", path.cpu_ns}, {"gpu_ns", path.gpu_ns}, {"delay_ns", path.delay_ns}, {"work", list}};
  }

  void rules() {
    report::Table table{.caption = "Rules", .columns = {"rule", "fired", "finding"}};
    Json list = Json::array();
    for (const RuleResult& r : evaluate_rules(t_, questions_.rules)) {
      const char* fired = !r.fired ? "not evaluated" : *r.fired ? "yes" : "no";
      table.rows.push_back(
          {r.rule, report::Cell(fired, r.fired == true ? report::Tone::bad : report::Tone::plain), r.finding});
      list.push_back({{"rule", r.rule}, {"fired", r.fired ? Json(*r.fired) : Json(nullptr)}, {"finding", r.finding}});
    }
    add(std::move(table));
    data_["rules"] = std::move(list);
  }

  const Timeline& t_;
  const TraceQuestions& questions_;
  std::vector<ThreadTime> threads_;
  profiler::Table table_;
  report::Section section_;
  Json data_;
};

}  // namespace

report::Part trace_part(const Timeline& timeline, const TraceQuestions& questions) {
  return Page(timeline, questions).made();
}

report::Part against_part(const Timeline& first, const Timeline& second, const std::string& first_file,
                          const std::string& second_file) {
  const profiler::Table a = table_of(first, thread_times(first)), b = table_of(second, thread_times(second));
  std::map<CellKey, std::pair<std::uint64_t, std::uint64_t>> both;
  for (const auto& [cell, ns] : a) both[cell].first = ns;
  for (const auto& [cell, ns] : b) both[cell].second = ns;
  report::Table table{.caption = "First: " + first_file + "; second: " + second_file,
                      .columns = {"operation", "active at once", right("first (ms)"), right("second (ms)"),
                                  right("difference (ms)"), right("ratio")}};
  Json list = Json::array();
  const auto row = [&](const std::string& operation, const std::string& active, std::uint64_t x, std::uint64_t y) {
    const double difference = static_cast<double>(y) - static_cast<double>(x);
    table.rows.push_back({operation, active, milliseconds(x), milliseconds(y),
                          (difference > 0 ? "+" : "") + milliseconds(difference),
                          x == 0 ? "-" : decimal(static_cast<double>(y) / static_cast<double>(x), 3)});
  };
  for (const auto& [cell, ns] : both) {
    row(cell.operation_text(), text_of_categories(cell.categories), ns.first, ns.second);
    list.push_back({{"operations", cell.operations},
                    {"active", text_of_categories(cell.categories)},
                    {"first_ns", ns.first},
                    {"second_ns", ns.second}});
  }
  row("whole", "", first.wall(), second.wall());
  report::Section section{.id = "traces", .title = "Two traces, cell by cell"};
  section.blocks.emplace_back(std::move(table));
  return {
      .section = std::move(section),
      .data = {
          {"schema", "retrial.trace_comparison/1"}, {"first", first_file}, {"second", second_file}, {"cells", list}}};
}

bool any_rule_fires(const Timeline& timeline, const std::vector<std::string>& rules) {
  return std::ranges::any_of(evaluate_rules(timeline, rules), [](const RuleResult& r) { return r.fired == true; });
}

}  // namespace retrial::profiler
