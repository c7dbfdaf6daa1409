#pragma once

#include <cupti.h>

#include <map>
#include <string>
#include <vector>

#include "workloads/profiler/recording/recording.hpp"

/// CUPTI, the profiling interface of CUDA, whose library LibTorch brings. Starts without a GPU, and then sees nothing.
namespace retrial::profiler::inline collectors {

/// The functions that are used. Found in the libraries of the process, so that nothing more is linked.
struct CuptiApi {
  decltype(&cuptiGetVersion) version = nullptr;
  decltype(&cuptiGetTimestamp) timestamp = nullptr;
  decltype(&cuptiSubscribe_v2) subscribe = nullptr;
  decltype(&cuptiUnsubscribe) unsubscribe = nullptr;
  decltype(&cuptiEnableDomain) enable_domain = nullptr;
  decltype(&cuptiGetCallbackName) callback_name = nullptr;
  decltype(&cuptiActivityRegisterTimestampCallback) use_clock = nullptr;
  decltype(&cuptiActivityRegisterCallbacks) use_buffers = nullptr;
  decltype(&cuptiActivityEnable) enable = nullptr;
  decltype(&cuptiActivityDisable) disable = nullptr;
  decltype(&cuptiActivityEnableRuntimeApi) enable_call = nullptr;
  decltype(&cuptiActivityFlushAll) flush = nullptr;
  decltype(&cuptiActivityGetNextRecord) next_record = nullptr;
  decltype(&cuptiActivityGetNumDroppedRecords) dropped = nullptr;
  decltype(&cuptiActivityPushExternalCorrelationId) push_id = nullptr;
  decltype(&cuptiActivityPopExternalCorrelationId) pop_id = nullptr;

  /// All null in a process without the library.
  [[nodiscard]] static CuptiApi of_process();
};

/// What buffers of CUPTI held.
class CuptiRecords {
 public:
  explicit CuptiRecords(const CuptiApi& api) : api_(api) {}

  void read(std::uint8_t* buffer, std::size_t bytes);
  /// Work of the GPU in the order of its records, with the operation that launched it; `shift_ns` is added to each
  /// time.
  [[nodiscard]] std::vector<GpuInterval> gpu(std::int64_t shift_ns) const;
  /// Time that CUPTI says it took itself: its category is cupti_overhead.
  [[nodiscard]] std::vector<LayerInterval> overhead(std::int64_t shift_ns) const;

 private:
  template <typename Record>
  void add(const Record& record, NameId name, Category category);
  [[nodiscard]] std::uint8_t stream_index(std::uint32_t device, std::uint32_t stream);

  const CuptiApi& api_;
  std::vector<GpuInterval> gpu_;
  std::vector<LayerInterval> overhead_;
  std::map<std::uint64_t, NameId> operations_;                   ///< by correlation id
  std::map<std::uint32_t, std::vector<std::uint32_t>> streams_;  ///< by device, in the order of appearance
};

/// Subscribes to CUPTI and asks for the kinds of records that are needed. Throws Error{measurement} where another
/// program in the process has it, with its name. Without a GPU it does nothing, and `about` says so.
class CuptiSession {
 public:
  explicit CuptiSession(const CuptiApi& api);
  ~CuptiSession();
  CuptiSession(const CuptiSession&) = delete;
  CuptiSession& operator=(const CuptiSession&) = delete;

  /// Hands everything that was seen to the recording.
  void finish();
  /// "CUPTI 130001, records 10 1 2 ..." or "CUPTI 130001, no GPU".
  [[nodiscard]] const std::string& about() const { return about_; }

 private:
  friend void api_called(void*, CUpti_CallbackDomain, CUpti_CallbackId, const void*);
  friend void buffer_completed(CUcontext, std::uint32_t, std::uint8_t*, std::size_t, std::size_t);
  void subscribe();
  [[nodiscard]] bool enable_records();
  [[nodiscard]] NameId name_of_call(CUpti_CallbackDomain domain, CUpti_CallbackId id);

  const CuptiApi& api_;
  CuptiRecords records_;
  CUpti_SubscriberHandle subscriber_ = nullptr;
  std::string about_;
  std::int64_t shift_ns_ = 0;
  std::map<std::pair<int, std::uint32_t>, NameId> call_names_;
};

}  // namespace retrial::profiler::inline collectors
