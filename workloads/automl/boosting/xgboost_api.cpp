#include "workloads/automl/boosting/xgboost_api.hpp"

namespace retrial::automl::inline boosting {

XgboostApi::XgboostApi()
    : library("RETRIAL_XGBOOST", "learners/xgboost/lib/libxgboost.so",
              {"XGBoostVersion", "XGBGetLastError", "XGDMatrixCreateFromMat", "XGDMatrixSetFloatInfo", "XGDMatrixFree",
               "XGBoosterCreate", "XGBoosterFree", "XGBoosterSetParam", "XGBoosterUpdateOneIter", "XGBoosterPredict",
               "XGBoosterSaveModelToBuffer"}) {
  if (!library.absent().empty()) return;
  version = library.function<decltype(version)>("XGBoostVersion");
  last_error = library.function<decltype(last_error)>("XGBGetLastError");
  matrix_create = library.function<decltype(matrix_create)>("XGDMatrixCreateFromMat");
  matrix_set_floats = library.function<decltype(matrix_set_floats)>("XGDMatrixSetFloatInfo");
  matrix_free = library.function<decltype(matrix_free)>("XGDMatrixFree");
  booster_create = library.function<decltype(booster_create)>("XGBoosterCreate");
  booster_free = library.function<decltype(booster_free)>("XGBoosterFree");
  booster_set = library.function<decltype(booster_set)>("XGBoosterSetParam");
  booster_update = library.function<decltype(booster_update)>("XGBoosterUpdateOneIter");
  booster_predict = library.function<decltype(booster_predict)>("XGBoosterPredict");
  booster_save = library.function<decltype(booster_save)>("XGBoosterSaveModelToBuffer");
}

const XgboostApi& xgboost_api() {
  static const XgboostApi api;
  return api;
}

}  // namespace retrial::automl::inline boosting
