#include <algorithm>
#include <csignal>
#include <cstring>
#include <istream>
#include <ostream>

#include "results/json/json.hpp"
#include "results/text/text.hpp"
#include "workloads/command/line/command_line.hpp"
#include "workloads/command/line/copies.hpp"
#include "workloads/command/line/environment.hpp"
#include "workloads/command/line/launched.hpp"
#include "workloads/command/line/results_place.hpp"
#include "workloads/command/process/busy.hpp"
#include "workloads/command/process/folder_lock.hpp"
#include "workloads/command/process/instructions.hpp"
#include "workloads/command/process/out_folder.hpp"
#include "workloads/command/process/process.hpp"
#include "workloads/command/reading/lists.hpp"
#include "workloads/command/reading/log_file.hpp"
#include "workloads/command/reading/plain_text.hpp"
#include "workloads/command/reading/written_file.hpp"
#include "workloads/command/trial/recorded_metrics.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::workloads::command::inline trial {

namespace {

/// "`python3 train.py --seed 5`", shortened for a message.
std::string quoted(const std::vector<std::string>& argv) {
  std::string text(1, '`');
  text += results::one_line(results::joined(argv, " "), 300);
  return text += '`';
}

std::string signal_text(int signal) {
  const auto text = std::to_string(signal) + " (" + ::strsignal(signal) + ")";
  return signal == SIGKILL ? text + ", perhaps out of memory" : text;
}

/// The files of results that the program must write.
struct ResultFiles {
  ResultFiles(const Trial& trial, const std::filesystem::path& out) {
    if (const auto& name = trial.text("read_json"); !name.empty() && name != "-")
      json.emplace(places_of(name, trial, out), "command.no_json");
    if (const auto& name = trial.text("read_file"); !name.empty())
      text.emplace(places_of(name, trial, out), "command.no_file_to_read");
    if (const auto& name = trial.text("read_google_benchmark"); !name.empty())
      benchmarks.emplace(places_of(name, trial, out), "command.no_json");
  }
  std::optional<WrittenFile> json, text, benchmarks;
};

class CommandRun : public Run {
 public:
  CommandRun(Trial trial, Place place) : trial_(std::move(trial)), place_(std::move(place)) {}

  /// Runs the whole program: there is no boundary within it.
  bool advance(Recorder& recorder) override {
    for (std::int64_t i = 1; i <= trial_.integer("warm_up"); ++i) warm_up(i, recorder);
    const auto& out = out_.emplace(place_.out, trial_.flag("keep_out"));
    copy_files(trial_.values, out.path());
    prepare(out.path(), recorder);
    const auto kept = kept_folders(recorder, out.path());
    const ResultFiles files(trial_, out.path());
    const auto argv = argv_of(trial_, out.path());
    std::optional<OutFolder> counts;
    if (trial_.text("count") == "instructions") counts.emplace(std::filesystem::path(), false);
    const auto metrics = metric_reads(trial_.values);
    const auto finished = counts ? run_counted(argv, out.path(), recorder, counts->path())
                                 : run_unthrottled(argv, out.path(), recorder, metrics);
    const auto printed = without_escapes(finished.output.text());
    // Before anything can fail: the output of a failed trial is kept too.
    recorder.artifact("output", "text", printable_end(printed));
    if (!place_.launcher.empty()) record_starts(recorder, finished);
    check_end(finished, argv, "");
    if (const auto slow = throttled(metrics, printed)) throw TrialFailure("command.throttled", *slow);
    record_metrics(recorder, metrics, readable(printed, finished.output.whole(), files, out.path(), metrics));
    if (files.benchmarks)
      record_benchmarks(recorder, files.benchmarks->text(), files.benchmarks->found().filename().string());
    for (const auto& digest : file_digests(out.path(), trial_.text("digest")))
      recorder.digest(digest.name, digest.step, digest.algo, digest.hex);
    if (counts)
      record_count(recorder, counts->path());
    else
      record_costs(recorder, finished, slowed_down(finished));
    if (trial_.flag("keep_out")) recorder.artifact("out", "path", out.path().string());
    recorder.progress(1.0);
    return false;
  }

  // A run has no state before the program and none after it.
  void save(std::ostream& to) const override { to << "command\n"; }
  void load(std::istream& from) override {
    std::string word;
    if (!(from >> word) || word != "command") throw TrialFailure("command.checkpoint", "not a checkpoint of command");
  }

 private:
  /// Held while the program runs and its results are read, if they are where other trials leave theirs.
  std::vector<FolderLock> kept_folders(Recorder& recorder, const std::filesystem::path& out) const {
    std::vector<FolderLock> kept;
    for (const auto& folder : folders_to_keep(trial_, out))
      kept.emplace_back(folder, [&] {
        recorder.standing("waits for another run in " + folder.string());
        recorder.progress(0.0);
      });
    return kept;
  }

  /// Output is a sign of life, and its last line says how far the program is.
  static std::function<void(std::string_view)> signs_of_life(Recorder& recorder) {
    return [&recorder](std::string_view printed) {
      if (!trimmed(std::string(printed)).empty()) recorder.standing(trimmed(last_lines(printed, 1)));
      recorder.progress(0);
    };
  }

  Finished run(const std::vector<std::string>& argv, const std::filesystem::path& out, Recorder& recorder,
               const std::vector<std::string>& launcher = {}) const {
    const auto folder = start_folder(trial_, out);
    const auto line = launched(launcher, argv, folder);
    return run_program({.argv = line.argv,
                        .environment = assigned(environment_of(trial_, out), line.assignments),
                        .workdir = folder,
                        .heard = signs_of_life(recorder),
                        .collect_orphans = true,
                        .notice_starts = !launcher.empty()});
  }

  /// A sample of a GPU that ran far below its clock is no measurement: the program is run again, three times at most.
  Finished run_unthrottled(const std::vector<std::string>& argv, const std::filesystem::path& out, Recorder& recorder,
                           const std::vector<MetricRead>& metrics) const {
    if (!reads_clocks(metrics)) return run(argv, out, recorder, place_.launcher);
    for (int again = 0;; ++again) {
      auto finished = run(argv, out, recorder, place_.launcher);
      const auto slow = throttled(metrics, without_escapes(finished.output.text()));
      if (again == 3 || !slow || finished.signal || finished.exit_code != 0) return finished;
      recorder.warning(*slow + "; measured again");
      prepare(out, recorder);
    }
  }

  /// Python's hashes are those of one seed, unless the user chose another: they move counts.
  Finished run_counted(const std::vector<std::string>& argv, const std::filesystem::path& out, Recorder& recorder,
                       const std::filesystem::path& counts) const {
    auto environment = environment_of(trial_, out);
    const auto sets = [](const std::string& variable) { return variable.starts_with("PYTHONHASHSEED="); };
    if (std::ranges::none_of(environment, sets)) environment.emplace_back("PYTHONHASHSEED=0");
    return run_program({.argv = counted(argv, counts),
                        .environment = std::move(environment),
                        .workdir = start_folder(trial_, out),
                        .heard = signs_of_life(recorder),
                        .collect_orphans = true});
  }

  static void record_count(Recorder& recorder, const std::filesystem::path& counts) {
    recorder.metric("instructions", static_cast<double>(counted_instructions(counts)));
    recorder.artifact("counted_by", "json", results::canonical(Json("cachegrind")));
  }

  void prepare(const std::filesystem::path& out, Recorder& recorder) const {
    if (trial_.text("prepare").empty()) return;
    const auto argv = argv_of(trial_, out, "prepare");
    check_end(run(argv, out, recorder), argv, " (--prepare)");
  }

  /// A start that is neither timed nor read, in a folder of its own.
  void warm_up(std::int64_t number, Recorder& recorder) const {
    const OutFolder out({}, false);
    copy_files(trial_.values, out.path());
    prepare(out.path(), recorder);
    const auto argv = argv_of(trial_, out.path());
    check_end(run(argv, out.path(), recorder, place_.launcher), argv,
              " (warm-up " + std::to_string(number) + " of " + std::to_string(trial_.integer("warm_up")) + ")");
  }

  /// `which`: words for a start other than the one that is read.
  static void check_end(const Finished& finished, const std::vector<std::string>& argv, const std::string& which) {
    if (!finished.signal && finished.exit_code == 0) return;
    const auto how = finished.signal ? " was ended by signal " + signal_text(*finished.signal)
                                     : " exited with " + std::to_string(finished.exit_code);
    throw TrialFailure(
        finished.signal ? "command.signal" : "command.exit",
        quoted(argv) + which + how + "; last lines:" + last_lines(without_escapes(finished.output.text())));
  }

  Readable readable(const std::string& printed, bool whole, const ResultFiles& files, const std::filesystem::path& out,
                    const std::vector<MetricRead>& metrics) const {
    Readable made{.output = printed, .whole = whole};
    if (files.text) made.output += "\n" + files.text->text();
    std::vector<std::string> names;
    for (const auto& metric : metrics) names.push_back(metric.name);
    if (files.json) {
      made.json = values_in_file(files.json->text(), files.json->found().string(), names);
      made.json_name = "its JSON";
    } else if (trial_.text("read_json") == "-") {
      made.json = values_in_output(printed, names);
      made.json_name = "its JSON";
    } else if (auto text = log_text(out)) {
      made.json = values_in_file(*text, "the file TRIAL_LOG", names);
      made.json_name = "the file TRIAL_LOG";
      made.logged = true;
    }
    return made;
  }

  /// Programs that the launcher did not run: a JSON array of paths, or null if that is not known.
  static void record_starts(Recorder& recorder, const Finished& finished) {
    recorder.artifact("started", "json", results::canonical(finished.started ? Json(*finished.started) : Json()));
  }

  /// Work that makes the run longer, where `slow_down` asks for it.
  Work slowed_down(const Finished& finished) const {
    const double share = trial_.number("slow_down") / 100.0;
    return share > 0 ? busy_work(share * std::min(finished.wall_s, finished.cpu_s)) : Work{};
  }

  static void record_costs(Recorder& recorder, const Finished& finished, const Work& more) {
    recorder.metric("wall_s", finished.wall_s + more.wall_s);
    recorder.metric("cpu_s", finished.cpu_s + more.cpu_s);
    if (finished.peak_rss_mib) recorder.metric("peak_rss_mib", *finished.peak_rss_mib);
    if (!finished.instructions || more.cpu_s > 0) return;  // our own work is not counted
    recorder.metric("instructions", static_cast<double>(*finished.instructions));
    recorder.artifact("counted_by", "json", results::canonical(Json("perf")));
  }

  Trial trial_;
  Place place_;
  std::optional<OutFolder> out_;  ///< removed with the run: until then, processes in the background may write into it
};

const RegisterStart starts{"command", [](const Trial& trial, const Place& place) -> std::unique_ptr<Run> {
                             return std::make_unique<CommandRun>(trial, place);
                           }};

}  // namespace

}  // namespace retrial::workloads::command::inline trial
