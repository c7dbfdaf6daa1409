// Tables of other tools: none is judged column against column by a guess, each is refused with the --columns that reads
// it, and read by that. The files are those that the tools wrote (tests/golden/scores/exports). W&B exports on its own
// server only; its header lines were compared with the columns of random_search_benchmark_numerical.csv
// (LeoGrin/tabular-benchmark) as a public script lists them: Name, Agent (of sweeps), State, Notes, User, Tags,
// Created, Runtime, Sweep, then keys and metrics.
#include "harness/scores/formats/columns.hpp"

#include <algorithm>
#include <array>
#include <sstream>

#include "tests/harness/scores/formats/exported_tables.hpp"

namespace retrial::tests::columns_tests {

using namespace retrial;
using namespace retrial::harness;
using namespace exported_tables;
using fixture::Folder;

namespace {

/// W&B: "Export > CSV" of the table of runs; every field is quoted.
std::string wandb() {
  std::string text =
      R"("Name","State","Notes","User","Tags","Created","Runtime","Sweep","seed","lr","val/acc","val/loss")"
      "\n";
  for (const auto& [name, seed, acc] : std::vector<std::array<const char*, 3>>{{"kd", "0", "0.91"},
                                                                               {"base", "0", "0.89"},
                                                                               {"kd", "1", "0.92"},
                                                                               {"base", "1", "0.9"},
                                                                               {"kd", "2", "0.93"},
                                                                               {"base", "2", "0.88"}})
    text += "\"" + std::string(name) + R"(","finished","-","ann","","2024-05-01T10:00:00.000Z","61","",")" + seed +
            R"(","0.1",")" + acc + "\",\"0.3\"\n";
  return text;
}

struct Tool {
  const char* name;
  std::string table, columns;
};

std::vector<Tool> tools() {
  std::vector<Tool> all{{"W&B", wandb(), "variant=Name,pair=seed,score=val/acc"}};
  for (const auto& [file, columns] : std::vector<std::pair<const char*, const char*>>{
           {"pandas.csv", "variant=model,pair=seed,score=acc"},
           {"pandas-index.csv", "variant=model,pair=seed,score=acc"},
           {"pandas-semicolon.csv", "variant=model,pair=seed,score=acc"},
           {"mlflow-experiments.csv", "variant=params.model,pair=params.seed,score=metrics.acc"},
           {"mlflow-page.csv", "variant=model,pair=seed,score=acc"},
           {"sacred-runs.csv", "variant=optimizer,pair=seed,score=result"},
           {"sacred-normalized.csv", "variant=config.optimizer,pair=config.seed,score=result"},
           {"optuna-trials.csv", "variant=params_model,pair=params_seed,score=value"}})
    all.push_back({file, exported(file), columns});
  return all;
}

/// Tools write runs in their own order, such as the newest first.
std::vector<std::string> sorted_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream from(text);
  for (std::string line; std::getline(from, line);) lines.push_back(line);
  std::ranges::sort(lines);
  return lines;
}

const std::vector<std::string> long_form{"base,0,,,,0.89",
                                         "base,1,,,,0.9",
                                         "base,2,,,,0.88",
                                         "kd,0,,,,0.91",
                                         "kd,1,,,,0.92",
                                         "kd,2,,,,0.93",
                                         "variant,pair,cluster,task,metric,score"};

}  // namespace

TEST_CASE("a table of another tool is refused with the columns that read it", "[cli][scores]") {
  const Folder here;
  for (const Tool& tool : tools()) {
    CAPTURE(tool.name);
    CHECK_THAT(refusal(tool.table), has_text("--columns " + tool.columns));
    const auto imported = asked({"import", "t.csv"});
    CHECK(imported.exit == 2);
    CHECK(imported.out.empty());
    CHECK_THAT(imported.err, has_text("--columns " + tool.columns));
  }
}

TEST_CASE("with the columns that were offered, the table is read and judged", "[cli][scores]") {
  const Folder here;
  for (const Tool& tool : tools()) {
    CAPTURE(tool.name);
    write_file("t.csv", tool.table);
    const auto imported = asked({"import", "t.csv"}, tool.columns);
    CHECK(imported.exit == 0);
    CHECK(sorted_lines(imported.out) == long_form);
    const auto judged = asked({"compare", "--scores", "t.csv", "--higher", "--test", "sign"}, tool.columns);
    CHECK(judged.exit == 0);
    CHECK_THAT(judged.out, has_text("base"));
    CHECK_THAT(judged.out, has_text("3 pairs"));
  }
}

TEST_CASE("a number behind the quote of MLflow's page is a number", "[cli][scores]") {
  const Folder here;
  write_file("t.csv", exported("mlflow-page.csv"));
  const auto imported = asked({"import", "t.csv"}, "variant=model,pair=seed,score=log_prob");
  CHECK(imported.exit == 0);
  CHECK_THAT(imported.out, has_text("kd,0,,,,-0.91\n") && has_text("base,0,,,,-0.89\n"));
  write_file("t.csv", "a,b\n'0.5,1\n");
  CHECK_THAT(asked({"import", "t.csv"}).err, has_text("a = '0.5: not a number") || has_text("is text"));
}

TEST_CASE("a curve is not a table of runs", "[cli][scores]") {
  const Folder here;
  const auto history = exported("mlflow-history.csv");
  CHECK_THAT(refusal(history), has_text("keep one line per run"));
  write_file("t.csv", history);
  CHECK_THAT(asked({"import", "t.csv"}, "variant=Run,metric=metric,score=value").err,
             has_text("column = step: is not named by --columns and varies"));
  const auto tensorboard = exported("tensorboard-kd-0.csv");
  CHECK_THAT(refusal(tensorboard), has_text("column = Wall time") && has_text("keep one line per run"));
  CHECK_THAT(refusal(exported("pandas-epochs.csv")), has_text("keep one line per run"));
  // W&B: "Export > CSV" of a line plot.
  CHECK_THAT(refusal("\"Step\",\"kd-1 - val/acc\",\"kd-1 - val/acc__MIN\",\"kd-1 - val/acc__MAX\"\n"
                     "\"0\",\"0.5\",\"0.5\",\"0.5\"\n\"1\",\"0.6\",\"0.6\",\"0.6\"\n"),
             has_text("column = Step") && has_text("keep one line per run"));
  CHECK_THAT(refusal("epoch,val_acc,val_loss\n0,0.5,1\n1,0.6,0.9\n"), has_text("column = epoch"));
  // Its steps are not read as runs either when the score is named.
  write_file("a.csv", tensorboard);
  write_file("b.csv", tensorboard);
  const auto steps = asked({"compare", "--scores", "a=a.csv", "--scores", "b=b.csv", "--higher"}, "score=Value");
  CHECK(steps.exit == 2);
  CHECK_THAT(steps.err, has_text("column = Wall time: is not named by --columns and varies"));
  // The last line of each run is a table of runs: TensorBoard keeps scores in 32 bits.
  std::vector<std::string> import{"import"};
  for (const char* run : {"base-0", "base-1", "base-2", "kd-0", "kd-1", "kd-2"}) {
    const auto lines = sorted_lines(exported("tensorboard-" + std::string(run) + ".csv"));
    REQUIRE(lines.size() == 4);  // by time, and the header
    write_file(run, lines[3] + "\n" + lines[2] + "\n");
    import.push_back(std::string(run).substr(0, std::string(run).find('-')) + "=" + run);
  }
  CHECK_THAT(asked(import, "score=Value").out,
             has_text("base,,,,,0.88999998569488") && has_text("kd,,,,,0.930000007152"));
  write_file("metrics.json", exported("sacred-metrics.json"));
  const auto metrics = asked({"compare", "--scores", "metrics.json", "--higher"});
  CHECK(metrics.exit == 2);
  CHECK_THAT(metrics.err, has_text("metrics.json of sacred"));
}

TEST_CASE("a mistake in --columns names role, column and what is allowed", "[cli][scores]") {
  const Folder here;
  write_file("t.csv", exported("pandas.csv"));
  const auto error = [](const std::string& columns, const std::string& file = "t.csv") {
    const auto answer = asked({"compare", "--scores", file, "--higher"}, columns);
    CHECK(answer.exit == 2);
    return answer.err;
  };
  CHECK_THAT(error("varaint=model,score=acc"),
             has_text("--columns = varaint: unknown role") && has_text("did you mean variant?"));
  CHECK_THAT(error("variant=model,pair=seed"), has_text("the role score is missing"));
  CHECK_THAT(error("variant=model,score=acc,score=acc"), has_text("role score is given twice"));
  CHECK_THAT(error("variant=model,score"), has_text("is not ROLE=COLUMN"));
  CHECK_THAT(error("variant=model,score="), has_text("the name of the column is missing"));
  CHECK_THAT(error(","), has_text("names no column"));
  CHECK_THAT(error("variant=modle,score=acc"),
             has_text("variant = modle: no column has this name") && has_text("did you mean model?"));
  CHECK_THAT(error("pair=seed,score=acc"), has_text("variant: is missing"));
  CHECK_THAT(error("variant=model,pair=seed,score=acc", "kd=t.csv"), has_text("is given twice"));
  CHECK_THAT(error("variant=model,pair=model,score=acc"), has_text("model = kd: a second score"));
  CHECK_THAT(error("variant=model,score=model"), has_text("t.csv:2: model = kd: not a number"));
  write_file("h.json", R"({"results": [{"command": "a", "times": [1, 2]}]})");
  CHECK_THAT(error("variant=model,score=acc", "h.json"), has_text("applies only to CSV"));
  CHECK_THAT(asked({"compare", "none.db"}, "score=acc").err, has_text("--columns: needs --scores"));
  CHECK_THAT(asked({"variance", "none.db"}, "score=acc").err, has_text("--columns: needs --scores"));
}

TEST_CASE("roles are read back from their text", "[cli][scores]") {
  const ColumnRoles roles = roles_from("variant=model,\"score=acc, top \"\"1\"\"\"");
  CHECK(roles.names[score_role] == "acc, top \"1\"");
  CHECK(roles_from(roles.text()).names == roles.names);
  CHECK(roles_from("pair=a=b,score=s").names[pair_role] == "a=b");
}

TEST_CASE("pairs of other names are the same pairs in every file", "[cli][scores]") {
  const Folder here;
  const auto rows = [](const std::string& old_file, const std::string& new_file) {
    write_file("old.csv", old_file);
    write_file("new.csv", new_file);
    return asked({"import", "old=old.csv", "new=new.csv"}, "pair=fold,score=x").out;
  };
  const std::string header = "variant,pair,cluster,task,metric,score\n";
  CHECK(rows("fold,x\nf10,1\nf9,2\n", "fold,x\nf9,3\nf10,4\n") == header +
                                                                      "old,1,,,,1.0\nold,0,,,,2.0\n"
                                                                      "new,0,,,,3.0\nnew,1,,,,4.0\n");
  // pandas writes integers beside missing values with a point.
  CHECK(rows("fold,x\n20210403,1\n7,2\n", "fold,x\n7.0,3\n20210403.0,\n") ==
        header + "old,20210403,,,,1.0\nold,7,,,,2.0\nnew,7,,,,3.0\nnew,20210403,,,,\n");
  CHECK_THAT(rows("fold,x\n7,1\n", "fold,x\n7,3\n7.0,4\n"), !has_text("new"));
}

TEST_CASE("variance reads clusters by their column", "[cli][scores]") {
  const Folder here;
  write_file("t.csv", "search,run,acc\na,0,10\na,1,12\nb,0,20\nb,1,21\n");
  const auto judged = asked({"variance", "--scores", "t.csv", "--seed", "1"}, "cluster=search,score=acc");
  CHECK(judged.exit == 0);
  CHECK_THAT(judged.out, has_text("2 clusters"));
  const auto refused = asked({"variance", "--scores", "t.csv", "--seed", "1"});
  CHECK(refused.exit == 2);
  CHECK_THAT(refused.err, has_text("column = search: unknown column"));
}

TEST_CASE("files of other tools that are no tables are named as what they are", "[cli][scores]") {
  const Folder here;
  const auto said = [](const std::string& bytes) {
    write_file("f", bytes);
    const auto answer = asked({"compare", "--scores", "f", "--higher"});
    CHECK(answer.exit == 2);
    return answer.err;
  };
  // frame.to_csv("f.csv.gz"); the log of an offline run of wandb 0.31.0 begins with its name and version.
  CHECK_THAT(said(std::string("\x1f\x8b\x08\x08", 4)), has_text("compressed with gzip") && has_text("zcat"));
  CHECK_THAT(said(std::string(":W&B\xe1\xbe\0", 7)), has_text("the log of one run of W&B"));
  CHECK_THAT(said(exported("sacred-run.json")), has_text("run.json of sacred"));
}

TEST_CASE("archives and arrays of another shape are named as what they are", "[cli][scores]") {
  const Folder here;
  write_file("both.npz", std::string("PK\x03\x04\x14\0\0\0", 8));
  const auto archive = asked({"compare", "--scores", "both.npz", "--higher"});
  CHECK(archive.exit == 2);
  CHECK_THAT(archive.err, has_text("a zip archive") && has_text("np.save"));
  // NumPy's format 1.0: magic, version, length of the header, header padded with blanks to a multiple of 64 bytes.
  std::string head = "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }";
  head.resize(117, ' ');
  write_file("vec.npy",
             std::string("\x93NUMPY\x01\0", 8) + std::string("\x76\0", 2) + head + "\n" + std::string(16, '\0'));
  const std::string dqn = RETRIAL_SOURCE_DIR "/tests/golden/scores/dqn.npy";
  const auto mixed = asked({"compare", "--scores", dqn, "--scores", "vec.npy", "--higher"});
  CHECK(mixed.exit == 2);
  CHECK_THAT(mixed.err, has_text("vec.npy") && has_text("has 1 dimension"));
  CHECK_THAT(asked({"compare", "--scores", "vec.npy", "--scores", dqn, "--higher"}).err, has_text("has 2 dimensions"));
}

TEST_CASE("a file of no known format can be named in compare and variance too", "[cli][scores]") {
  const Folder here;
  write_file("t.csv", "base,kd\n1,2\n2,3\n3,5\n");
  CHECK(asked({"compare", "--scores", "t.csv", "--higher", "--format", "csv"}).exit == 0);
  CHECK(asked({"compare", "--scores", "t.csv", "--higher", "--format", "hyperfine"}).exit == 2);
  CHECK(asked({"compare", "none.db", "--format", "csv"}).exit == 2);
}

}  // namespace retrial::tests::columns_tests
