#include <csignal>
#include <cstring>
#include <istream>
#include <ostream>

#include "results/text/text.hpp"
#include "workloads/command/line/command_line.hpp"
#include "workloads/command/line/copies.hpp"
#include "workloads/command/line/environment.hpp"
#include "workloads/command/line/results_place.hpp"
#include "workloads/command/process/folder_lock.hpp"
#include "workloads/command/process/out_folder.hpp"
#include "workloads/command/process/process.hpp"
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
  }
  std::optional<WrittenFile> json, text;
};

class CommandRun : public Run {
 public:
  CommandRun(Trial trial, const Place& place) : trial_(std::move(trial)), place_(place.out) {}

  /// Runs the whole program: there is no boundary within it.
  bool advance(Recorder& recorder) override {
    const OutFolder out(place_, trial_.flag("keep_out"));
    copy_files(trial_.values, out.path());
    const auto kept = kept_folders(recorder, out.path());
    const ResultFiles files(trial_, out.path());
    const auto argv = argv_of(trial_, out.path());
    const auto finished = run_program({argv, environment_of(trial_, out.path()), start_folder(trial_, out.path())});
    check_end(finished, argv);
    const auto metrics = metric_reads(trial_.values);
    const auto from = readable(finished, files, out.path(), metrics);
    record_metrics(recorder, metrics, from);
    for (const auto& digest : file_digests(out.path(), trial_.text("digest")))
      recorder.digest(digest.name, digest.step, digest.algo, digest.hex);
    record_costs(recorder, finished);
    recorder.artifact("output", "text", printable_end(from.output));
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
  /// Held while the program runs and its results are read, if they lie where other trials leave theirs.
  std::vector<FolderLock> kept_folders(Recorder& recorder, const std::filesystem::path& out) const {
    std::vector<FolderLock> kept;
    for (const auto& folder : folders_to_keep(trial_, out))
      kept.emplace_back(folder, [&] {
        recorder.standing("waits for another run in " + folder.string());
        recorder.progress(0.0);
      });
    return kept;
  }

  static void check_end(const Finished& finished, const std::vector<std::string>& argv) {
    if (!finished.signal && finished.exit_code == 0) return;
    const auto how = finished.signal ? " was ended by signal " + signal_text(*finished.signal)
                                     : " exited with " + std::to_string(finished.exit_code);
    throw TrialFailure(finished.signal ? "command.signal" : "command.exit",
                       quoted(argv) + how + "; last lines:" + last_lines(without_escapes(finished.output.text())));
  }

  Readable readable(const Finished& finished, const ResultFiles& files, const std::filesystem::path& out,
                    const std::vector<MetricRead>& metrics) const {
    Readable made{.output = without_escapes(finished.output.text()), .whole = finished.output.whole()};
    if (files.text) made.output += "\n" + files.text->text();
    std::vector<std::string> names;
    for (const auto& metric : metrics) names.push_back(metric.name);
    if (files.json) {
      made.json = values_in_file(files.json->text(), files.json->found().string(), names);
      made.json_name = "its JSON";
    } else if (trial_.text("read_json") == "-") {
      made.json = values_in_output(made.output, names);
      made.json_name = "its JSON";
    } else if (auto text = log_text(out)) {
      made.json = values_in_file(*text, "the file TRIAL_LOG", names);
      made.json_name = "the file TRIAL_LOG";
      made.logged = true;
    }
    return made;
  }

  static void record_costs(Recorder& recorder, const Finished& finished) {
    recorder.metric("wall_s", finished.wall_s);
    recorder.metric("cpu_s", finished.cpu_s);
    if (finished.peak_rss_mib) recorder.metric("peak_rss_mib", *finished.peak_rss_mib);
  }

  Trial trial_;
  std::filesystem::path place_;
};

const RegisterStart starts{"command", [](const Trial& trial, const Place& place) -> std::unique_ptr<Run> {
                             return std::make_unique<CommandRun>(trial, place);
                           }};

}  // namespace

}  // namespace retrial::workloads::command::inline trial
