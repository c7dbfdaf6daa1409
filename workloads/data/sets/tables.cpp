#include "workloads/data/sets/tables.hpp"

#include <algorithm>

namespace retrial::data::inline sets {
namespace {

// Not std::string: workloads register themselves before main, possibly before the strings of this file are made.
constexpr auto from_collection =
    "copy the file from the repository jbrownlee/Datasets on GitHub (commit d20fcb64) into the folder that data_dir "
    "names";
constexpr auto uci = "CC BY 4.0 (UCI Machine Learning Repository)";

}  // namespace

const std::vector<KnownTable>& known_tables() {
  static const std::vector<KnownTable> tables{
      {.name = "breast_cancer",
       .summary = "cells of breast tumors, malignant or benign",
       .who = "Wolberg, Street, Mangasarian 1995",
       .licence = uci,
       .file = "breast_cancer.csv",
       .sha256 = "fed3eb72d0575ef6192293f5093c6e801b1476b577d0386bf4455504522172ed",
       .format = {.header = TableHeader::counts},
       .task = "binary",
       .rows = 569,
       .features = 30,
       .how_to_get =
           "scripts/setup fetches it; elsewhere, copy sklearn/datasets/data/breast_cancer.csv of scikit-learn "
           "into the folder that data_dir names"},
      {.name = "credit-g",
       .summary = "German credit: good (1) or bad (2) risk",
       .who = "Hofmann 1994",
       .licence = uci,
       .file = "german.csv",
       .sha256 = "ec12a88b9fc14d74ba646ea0410cf7ff4533bec2eb61652f8ad76796bbfec017",
       .task = "binary",
       .rows = 1000,
       .features = 20,
       .how_to_get = from_collection},
      {.name = "pima",
       .summary = "diabetes among Pima women",
       .who = "Smith et al. 1988",
       .licence = "CC0 (Kaggle's copy); the original's terms are unknown",
       .file = "pima-indians-diabetes.csv",
       .sha256 = "6bfe5d0f379d17a0e0819b996407e3c09bf80febd4287f2ed212190dfff154af",
       .task = "binary",
       .rows = 768,
       .features = 8,
       .how_to_get = from_collection},
      {.name = "phoneme",
       .summary = "nasal or oral vowels",
       .who = "ESPRIT project ROARS, ELENA 1995",
       .licence = "unknown",
       .file = "phoneme.csv",
       .sha256 = "eacbb9f7a2b2135d067bff28ed7b9adb760f61f5e91f375f91e22e7e42ace24d",
       .task = "binary",
       .rows = 5404,
       .features = 5,
       .how_to_get = from_collection},
      {.name = "adult",
       .summary = "income above 50,000 dollars a year, the training part of the census",
       .who = "Becker and Kohavi 1996",
       .licence = uci,
       .file = "adult-train.csv",
       .sha256 = "5b00264637dbfec36bdeaab5676b0b309ff9eb788d63554ca0a249491c86603d",
       .task = "binary",
       .rows = 32561,
       .features = 14,
       .how_to_get = from_collection},
      {.name = "abalone",
       .summary = "rings of abalones, their age less 1.5 years",
       .who = "Nash et al. 1994",
       .licence = uci,
       .file = "abalone.csv",
       .sha256 = "eb2de13be807e9bb9ec4128b9c89b98ab23d7739121cfd17b7dde69b46ba7bf6",
       .task = "regression",
       .rows = 4177,
       .features = 8,
       .how_to_get = from_collection},
      {.name = "wine-white",
       .summary = "quality of white wines, 3 to 9",
       .who = "Cortez et al. 2009",
       .licence = uci,
       .file = "winequality-white.csv",
       .sha256 = "659d419fff887f225bf977d20520bb64a64cae203e460087f809721d4430ba27",
       .task = "regression",
       .rows = 4898,
       .features = 11,
       .how_to_get = from_collection},
      {.name = "digits",
       .summary = "handwritten digits, 8x8 pixels as columns",
       .who = "Alpaydin and Kaynak 1998",
       .licence = uci,
       .task = "multiclass",
       .rows = 1797,
       .features = 64,
       .how_to_get = "compiled into the program"},
  };
  return tables;
}

const KnownTable* find_known_table(const std::string& name) {
  const auto& tables = known_tables();
  const auto found =
      std::find_if(tables.begin(), tables.end(), [&](const KnownTable& table) { return table.name == name; });
  return found == tables.end() ? nullptr : &*found;
}

}  // namespace retrial::data::inline sets
