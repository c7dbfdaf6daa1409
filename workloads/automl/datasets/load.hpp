#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "workloads/automl/datasets/dataset.hpp"
#include "workloads/data/formats/table.hpp"

namespace retrial::automl::inline datasets {

/// What a user says of a table of their own; the rest is found.
struct TableChoice {
  std::string target = "";       ///< name or number (from 1) of a column; "": the last one
  std::string task = "auto";     ///< auto, binary, multiclass, regression
  std::string header = "auto";   ///< auto, none, names
  std::string categorical = "";  ///< names or numbers of columns, separated by commas
};

/// Reads an ARFF file (named .arff or .arff.gz), else a CSV file (separated by commas, else by semicolons or tabs,
/// whichever its first line holds). The first line is a header if none of its fields is a number or empty, all differ,
/// and below them a column is numeric or no field comes again in its own column. Text and at most 20 whole numbers are
/// classes, other targets values. Throws Error: usage naming the key and what is allowed, incomparable if there is no
/// file.
[[nodiscard]] DataSet load_table_file(const std::filesystem::path& file, const TableChoice& choice = {});

/// A known set from this folder, else from that of the set-up; a file with other bytes is called NAME-unofficial.
/// Throws Error{incomparable} saying how to get it, usage for an unknown name.
[[nodiscard]] DataSet load_known_set(const std::string& name, const std::filesystem::path& folder);

/// "1,000 rows, 20 columns (13 of categories), binary: 1 700, 2 300; target class": what was found, in one line.
[[nodiscard]] std::string description(const DataSet& data);

}  // namespace retrial::automl::inline datasets
