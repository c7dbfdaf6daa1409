#pragma once

#include <cstdint>
#include <string>

#include "workloads/automl/boosting/library.hpp"

namespace retrial::automl::inline boosting {

/// The functions of XGBoost's C interface that are used, as its documentation declares them. Each returns 0, or -1 with
/// the text of `last_error`.
struct XgboostApi {
  using Matrix = void*;
  using Booster = void*;

  Library library;
  void (*version)(int* major, int* minor, int* patch);
  const char* (*last_error)();
  int (*matrix_create)(const float* cells, std::uint64_t rows, std::uint64_t columns, float missing, Matrix* out);
  int (*matrix_set_floats)(Matrix matrix, const char* field, const float* values, std::uint64_t count);
  int (*matrix_free)(Matrix matrix);
  int (*booster_create)(const Matrix* matrices, std::uint64_t count, Booster* out);
  int (*booster_free)(Booster booster);
  int (*booster_set)(Booster booster, const char* name, const char* value);
  int (*booster_update)(Booster booster, int iteration, Matrix training);
  int (*booster_predict)(Booster booster, Matrix matrix, int options, unsigned trees, int training,
                         std::uint64_t* count, const float** out);
  int (*booster_save)(Booster booster, const char* format, std::uint64_t* size, const char** out);

  XgboostApi();
};

/// Opened at the first call.
[[nodiscard]] const XgboostApi& xgboost_api();

}  // namespace retrial::automl::inline boosting
