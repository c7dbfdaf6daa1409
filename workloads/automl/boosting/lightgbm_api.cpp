#include "workloads/automl/boosting/lightgbm_api.hpp"

namespace retrial::automl::inline boosting {

LightgbmApi::LightgbmApi()
    : library("RETRIAL_LIGHTGBM", "learners/lightgbm/lib/lib_lightgbm.so",
              {"LGBM_GetLastError", "LGBM_DatasetCreateFromMat", "LGBM_DatasetSetField", "LGBM_DatasetFree",
               "LGBM_BoosterCreate", "LGBM_BoosterFree", "LGBM_BoosterUpdateOneIter", "LGBM_BoosterPredictForMat",
               "LGBM_BoosterSaveModelToString"}) {
  if (!library.absent().empty()) return;
  last_error = library.function<decltype(last_error)>("LGBM_GetLastError");
  data_create = library.function<decltype(data_create)>("LGBM_DatasetCreateFromMat");
  data_set = library.function<decltype(data_set)>("LGBM_DatasetSetField");
  data_free = library.function<decltype(data_free)>("LGBM_DatasetFree");
  booster_create = library.function<decltype(booster_create)>("LGBM_BoosterCreate");
  booster_free = library.function<decltype(booster_free)>("LGBM_BoosterFree");
  booster_update = library.function<decltype(booster_update)>("LGBM_BoosterUpdateOneIter");
  booster_predict = library.function<decltype(booster_predict)>("LGBM_BoosterPredictForMat");
  booster_save = library.function<decltype(booster_save)>("LGBM_BoosterSaveModelToString");
}

const LightgbmApi& lightgbm_api() {
  static const LightgbmApi api;
  return api;
}

}  // namespace retrial::automl::inline boosting
