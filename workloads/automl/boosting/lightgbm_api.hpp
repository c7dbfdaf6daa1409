#pragma once

#include <cstdint>
#include <string>

#include "workloads/automl/boosting/library.hpp"

namespace retrial::automl::inline boosting {

/// The functions of LightGBM's C interface that are used, as its documentation declares them. Each returns 0, or -1
/// with the text of `last_error`. Parameters are "name=value" separated by blanks.
struct LightgbmApi {
  using DataHandle = void*;
  using Booster = void*;
  static constexpr int float32 = 0, int32 = 2;  ///< kinds of numbers
  static constexpr int row_by_row = 1;
  static constexpr int probabilities = 0;  ///< kind of prediction

  Library library;
  const char* (*last_error)();
  int (*data_create)(const void* cells, int kind, std::int32_t rows, std::int32_t columns, int order,
                     const char* parameters, DataHandle reference, DataHandle* out);
  int (*data_set)(DataHandle data, const char* field, const void* values, int count, int kind);
  int (*data_free)(DataHandle data);
  int (*booster_create)(DataHandle training, const char* parameters, Booster* out);
  int (*booster_free)(Booster booster);
  int (*booster_update)(Booster booster, int* finished);
  int (*booster_predict)(Booster booster, const void* cells, int kind, std::int32_t rows, std::int32_t columns,
                         int order, int prediction, int first_round, int rounds, const char* parameters,
                         std::int64_t* count, double* out);
  int (*booster_save)(Booster booster, int first_round, int rounds, int importance, std::int64_t space,
                      std::int64_t* size, char* out);

  LightgbmApi();
};

/// Opened at the first call.
[[nodiscard]] const LightgbmApi& lightgbm_api();

}  // namespace retrial::automl::inline boosting
