// Tables whose columns are not surely one per variant: each is refused with the column and, where lines are runs, with
// the --columns that read it.
#include "harness/scores/formats/columns.hpp"
#include "harness/scores/formats/formats.hpp"
#include "tests/harness/scores/formats/exported_tables.hpp"

namespace retrial::tests::variant_columns_tests {

using namespace retrial::harness;
using namespace exported_tables;
using fixture::Folder;

TEST_CASE("columns that no variant has are refused one by one", "[cli][scores]") {
  const Folder here;
  for (const char* name :
       {"seed",     "Seed",        "random_state", "data_seed",  "fold",   "lr",    "learning_rate", "epoch",
        "step",     "global_step", "run",          "run_id",     "id",     "pair",  "value",         "acc",
        "val_loss", "_step",       "time_s",       "train_time", "wall_s", "cpu_s", "elapsed",       "Duration (s)"}) {
    CAPTURE(name);
    CHECK_THAT(refusal("base," + std::string(name) + "\n1,2\n2,3\n3,1\n"),
               has_text("column = " + std::string(name) + ": is not a variant") && has_text("--columns"));
  }
  CHECK_THAT(refusal("variant,pair,value\na,0,1\nb,0,2\na,1,1\nb,1,2\n"),
             has_text("--columns variant=variant,pair=pair,score=value"));
  CHECK_THAT(refusal("model,x\na,1\nb,2\na,1\nb,3\n"), has_text("is text") && has_text("variant=model,score=x"));
  CHECK_THAT(refusal("model,x,y\na,1,2\nb,2,3\nc,1,4\n"), has_text("column = model: names the variants"));
  CHECK_THAT(refusal("kind,x,y\na,1,2\nb,2,3\na,1,4\nb,2,2\n"), has_text("holds the same text in several lines"));
  CHECK_THAT(refusal("n,x,y\n1,3,2\n2,2,3\n3,1,4\n4,2,2\n"), has_text("column = n: counts the lines"));
  CHECK_THAT(refusal("x,y,no\n3,2,10\n2,3,11\n1,4,12\n1,4,13\n"), has_text("column = no: counts the lines"));
  CHECK_THAT(refusal("seed,x\n0,1\n1,2\n2,3\n"), has_text("one file per variant") && has_text("pair=seed,score=x"));
}

TEST_CASE("parts of the data, spreads, answers and numbered runs are no variants", "[cli][scores]") {
  const Folder here;
  const std::string rows = "\n0.68,0.81\n0.72,0.8\n0.7,0.82\n0.69,0.79\n";
  for (const char* names : {"train,test", "mean,std", "min,max", "y_true,y_pred", "label,prediction",
                            "train_acc,test_acc", "lower,upper", "test_score,train_score"})
    CHECK_THAT(refusal(names + rows), has_text("is not a variant, by its name") &&
                                          has_text("if each column is a variant: --columns score=") &&
                                          has_text("; else name the columns"));
  CHECK_THAT(refusal("base,base_std,kd,kd_std\n.1,.02,.2,.01\n.3,.04,.4,.01\n"),
             has_text("column = base_std: is not a variant, by its name"));
  for (const char* names : {"seed1,seed2", "fold_0,fold_1", "run 1,run 2", "epoch1,epoch2", "Split0,Split1"})
    CHECK_THAT(refusal(names + rows), has_text("numbered like runs") && has_text("transpose the table") &&
                                          has_text("if each column is a variant: --columns"));
  CHECK_THAT(refusal("dataset,seed1,seed2\nmnist,.1,.2\ncifar,.2,.3\n"),
             has_text("column = seed1: and the columns after"));
  CHECK_THAT(refusal("subject,score_a\n1,.2\n2,.4\n3,.4\n4,.5\n"),
             has_text("column = subject: is not a variant, by its name"));
  for (const char* name : {"p_value", "gpu_hours", "Average"})
    CHECK_THAT(refusal("base,kd," + std::string(name) + "\n.5,.6,.01\n.7,.8,.02\n"),
               has_text("column = " + std::string(name) + ": is not a variant, by its name"));
  CHECK_THAT(refusal("sep=;\na;b\n1,5;2,5\n1,6;2,7\n"),
             has_text("t.csv:1 = sep=: a line for spreadsheets") && has_text("remove this line"));
  CHECK_THAT(refusal("base,kd\n0.91±0.01,0.92±0.02\n"), has_text("give one line per run"));
  // The line that was offered reads them.
  write_file("t.csv", "low,high" + rows);
  CHECK(asked({"compare", "--scores", "t.csv", "--higher"}, "score=low,score=high").exit == 0);
  write_file("t.csv", "seed1,seed2" + rows);
  CHECK(asked({"compare", "--scores", "t.csv", "--higher"}, "score=seed1,score=seed2").exit == 0);
}

TEST_CASE("keys, other metrics and counts beside scores are no variants", "[cli][scores]") {
  const Folder here;
  const std::string rows = "\n0.68,0.81,0.1\n0.72,0.8,0.2\n0.7,0.82,0.1\n0.69,0.79,0.2\n";
  for (const char* name : {"dropout", "batch_size", "layers", "hidden_dim", "gpu", "params", "temperature", "diff"}) {
    CAPTURE(name);
    CHECK_THAT(refusal("base,kd," + std::string(name) + rows),
               has_text("column = " + std::string(name) + ": is not a variant, by its name") &&
                   has_text(" is not one: --columns score=base,score=kd; if it is a variant: --columns "
                            "score=base,score=kd,score=" +
                            std::string(name)));
  }
  for (const char* names : {"recall,bleu,precision", "mae,r2,mse", "top1,top5,ppl"})
    CHECK_THAT(refusal(names + rows), has_text("is not a variant, by its name"));
  const std::string sizes = "size,kd\n64,0.81\n128,0.82\n64,0.8\n128,0.79\n";
  CHECK_THAT(refusal(sizes), has_text("column = size: holds whole numbers and column kd fractions") &&
                                 has_text("if it is a variant: --columns score=size,score=kd"));
  CHECK_THAT(refusal("size;kd\n64;0,81\n128;0,82\n64;0,8\n128;0,79\n"), has_text("column = size: holds whole numbers"));
  write_file("t.csv", sizes);
  CHECK(asked({"compare", "--scores", "t.csv", "--higher"}, "score=size,score=kd").exit == 0);
}

TEST_CASE("the offered columns keep pairs that are not whole, and leave out text", "[cli][scores]") {
  const Folder here;
  const std::string whole = "model,seed,acc\na,1,0.5\nb,1,0.6\na,2,0.4\nb,2,0.7\na,3,0.4\n";
  const std::string columns = "--columns variant=model,pair=seed,score=acc; some of its pairs are not whole";
  CHECK_THAT(refusal(whole), has_text(columns));
  CHECK_THAT(refusal(whole + "b,3,0.5\nb,3,0.5\n"), has_text(columns));
  CHECK_THAT(refusal("lr,seed,acc\n0.1,1,0.5\n0.2,1,0.6\n0.1,2,0.4\n0.2,2,0.7\n0.1,3,0.1\n0.2,3,0.9\n"),
             has_text("--columns variant=lr,pair=seed,score=acc"));
  CHECK_THAT(refusal(",seed,base,kd\n0,7,0.1,0.2\n1,8,0.2,0.3\n"),
             has_text("seed numbers the pairs: --columns pair=seed,score=base,score=kd"));
  CHECK_THAT(refusal("base,kd,notes\n0.1,0.2,\n0.2,0.3,restarted\n"),
             has_text("notes is not one: --columns score=base,score=kd"));
  CHECK_THAT(refusal("seed,base,kd\n7,1.5,2.5\n7,1.5,2.5\n9,1.1,2.1\n"),
             has_text("column = seed: holds the same number in several lines, so a line may be there twice"));
}

TEST_CASE("headings of several lines, a variant per line, and units are named as what they are", "[cli][scores]") {
  const Folder here;
  CHECK_THAT(refusal(exported("pandas-unstack.csv")),
             has_text("column = acc: two columns have this name") && has_text("keep one level"));
  CHECK_THAT(refusal(exported("pandas-pivot-models.csv")), has_text("transpose the table"));
  CHECK_THAT(refusal(exported("pandas-describe.csv")), has_text("each variant has one line"));
  CHECK_THAT(refusal(exported("sklearn-grid.csv")), has_text("is not a variant") || has_text("is text"));
  CHECK_THAT(refusal(exported("sklearn-folds.csv")), has_text("is not a variant"));
  CHECK_THAT(refusal("base,kd\n68.04%,81.0%\n72.1%,80%\n"), has_text("if % is a unit, write it in the heading"));
  CHECK_THAT(refusal("base,kd\n68.04 ms,81.0 ms\n72.1 ms,80 ms\n"), has_text("if ms is a unit"));
}

TEST_CASE("tables with one column per variant are read as before", "[cli][scores]") {
  const Folder here;
  const auto variants = [](const std::string& text) {
    write_file("t.csv", text);
    const std::vector<std::string> inputs{"t.csv"};
    return read_score_table(score_inputs(inputs)).variants();
  };
  const std::vector<std::string> two{"base", "kd"};
  CHECK(variants("base,kd\n1,2\n2,3\n") == two);
  CHECK(variants(exported("pandas-pivot.csv")) == two);
  CHECK(variants("seed,base,kd\n7,1,2\n9,2,3\n") == two);
  CHECK(variants(",base,kd\n0,1,2\n1,2,3\n") == two);            // to_csv with the index
  CHECK(variants("Unnamed: 0,base,kd\n0,1,2\n1,2,3\n") == two);  // read and written once more
  CHECK(variants("dataset,base,kd\nmnist,1,2\ncifar,2,3\n") == two);
  CHECK(variants(",variant,pair,score\n0,base,0,1\n1,kd,0,2\n") == two);
  CHECK(variants("lr-0.1,lr-0.01\n1,2\n2,3\n") == std::vector<std::string>{"lr-0.1", "lr-0.01"});
  CHECK(variants("one-time,cpu,two-min\n1,2,5\n2,3,4\n").size() == 3);
  // Made-up scores: two columns that count are two variants, and so is one of two.
  CHECK(variants("x,y,z\n1,2,9\n2,3,8\n3,4,8\n4,5,9\n").size() == 3);
  CHECK(variants("x,y\n1,2\n2,3\n3,4\n4,9\n").size() == 2);
  CHECK(variants("base,kd,,\n1,2,,\n2,3,,\n") == two);  // columns that were cleared
  CHECK(variants("model1,model2\n1,2\n2,3\n").size() == 2);
  CHECK(variants("base_mean,kd_mean\n1,2\n2,3\n").size() == 2);
  CHECK(variants("# base,kd\n1,2\n2,3\n") == two);  // np.savetxt(FILE, a, delimiter=",", header="base,kd")
  CHECK(variants("two-step,one-epoch,focal-loss\n1,2,3\n2,3,4\n").size() == 3);
}

}  // namespace retrial::tests::variant_columns_tests
