#ifdef RETRIAL_CUPTI
#include "workloads/profiler/collectors/cupti.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <mutex>
#include <optional>

#include "results/text/error.hpp"
#include "workloads/profiler/collectors/collector.hpp"
#include "workloads/profiler/recording/annotation.hpp"

namespace retrial::profiler::inline collectors {
namespace {

/// KERNEL (3) is not among them: it runs kernels one at a time.
constexpr std::array record_kinds{CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL,
                                  CUPTI_ACTIVITY_KIND_MEMCPY,
                                  CUPTI_ACTIVITY_KIND_MEMSET,
                                  CUPTI_ACTIVITY_KIND_OVERHEAD,
                                  CUPTI_ACTIVITY_KIND_SYNCHRONIZATION,
                                  CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION};

/// Calls that start work; an operation is correlated with records of these alone.
constexpr std::array recorded_calls{
    CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000, CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernelExC_v11060,
    CUPTI_RUNTIME_TRACE_CBID_cudaMemcpyAsync_v3020,  CUPTI_RUNTIME_TRACE_CBID_cudaMemcpy_v3020,
    CUPTI_RUNTIME_TRACE_CBID_cudaMemsetAsync_v3020,  CUPTI_RUNTIME_TRACE_CBID_cudaGraphLaunch_v10000};

constexpr std::array api_domains{CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_CB_DOMAIN_DRIVER_API};

template <typename Function>
void find(Function& function, const char* name) {
  function = reinterpret_cast<Function>(::dlsym(RTLD_DEFAULT, name));
}

std::uint64_t realtime() {
  return ns_of(CLOCK_REALTIME);
}

/// Calls of CUDA that are open on this thread: only the outermost is an interval, since the runtime calls the driver.
thread_local int open_calls = 0;

CuptiSession* session = nullptr;

std::mutex& records_mutex() {
  static std::mutex mutex;
  return mutex;
}

void buffer_requested(std::uint8_t** buffer, std::size_t* bytes, std::size_t* most_records) {
  constexpr std::size_t size = 3'200'000, alignment = 8;
  *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(alignment, size));
  *bytes = *buffer == nullptr ? 0 : size;
  *most_records = 0;
}

}  // namespace

CuptiApi CuptiApi::of_process() {
  CuptiApi api;
  find(api.version, "cuptiGetVersion");
  find(api.timestamp, "cuptiGetTimestamp");
  find(api.subscribe, "cuptiSubscribe_v2");
  find(api.unsubscribe, "cuptiUnsubscribe");
  find(api.enable_domain, "cuptiEnableDomain");
  find(api.callback_name, "cuptiGetCallbackName");
  find(api.use_clock, "cuptiActivityRegisterTimestampCallback");
  find(api.use_buffers, "cuptiActivityRegisterCallbacks");
  find(api.enable, "cuptiActivityEnable");
  find(api.disable, "cuptiActivityDisable");
  find(api.enable_call, "cuptiActivityEnableRuntimeApi");
  find(api.flush, "cuptiActivityFlushAll");
  find(api.next_record, "cuptiActivityGetNextRecord");
  find(api.dropped, "cuptiActivityGetNumDroppedRecords");
  find(api.push_id, "cuptiActivityPushExternalCorrelationId");
  find(api.pop_id, "cuptiActivityPopExternalCorrelationId");
  return api;
}

std::uint8_t CuptiRecords::stream_index(std::uint32_t device, std::uint32_t stream) {
  auto& seen = streams_[device];
  const auto found = std::ranges::find(seen, stream);
  const auto index = found - seen.begin();
  if (found == seen.end()) seen.push_back(stream);
  return static_cast<std::uint8_t>(std::min<std::ptrdiff_t>(index, 255));  // streams beyond share the last lane
}

template <typename Record>
void CuptiRecords::add(const Record& record, NameId name, Category category) {
  gpu_.push_back({.device = static_cast<std::uint8_t>(record.deviceId),
                  .stream = stream_index(record.deviceId, record.streamId),
                  .name = name,
                  .category = category,
                  .begin_ns = record.start,
                  .end_ns = record.end,
                  .correlation = record.correlationId});
}

void CuptiRecords::read(std::uint8_t* buffer, std::size_t bytes) {
  CUpti_Activity* record = nullptr;
  while (api_.next_record(buffer, bytes, &record) == CUPTI_SUCCESS) {
    const auto as = [&]<typename Record>(const Record*) -> const Record& {
      return *reinterpret_cast<const Record*>(record);
    };
    switch (record->kind) {
      case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL: {
        const auto& kernel = as(static_cast<const CUpti_ActivityKernel10*>(nullptr));
        add(kernel, intern(kernel.name == nullptr ? "kernel" : kernel.name), Category::gpu_kernel);
        break;
      }
      case CUPTI_ACTIVITY_KIND_MEMCPY:
        add(as(static_cast<const CUpti_ActivityMemcpy6*>(nullptr)), intern("memcpy"), Category::gpu_memcpy);
        break;
      case CUPTI_ACTIVITY_KIND_MEMSET:
        add(as(static_cast<const CUpti_ActivityMemset4*>(nullptr)), intern("memset"), Category::gpu_memset);
        break;
      case CUPTI_ACTIVITY_KIND_OVERHEAD: {
        const auto& own = as(static_cast<const CUpti_ActivityOverhead3*>(nullptr));
        overhead_.push_back({.begin_ns = own.start, .end_ns = own.end});
        break;
      }
      case CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION: {
        const auto& link = as(static_cast<const CUpti_ActivityExternalCorrelation*>(nullptr));
        operations_[link.correlationId] = static_cast<NameId>(link.externalId);
        break;
      }
      default:
        break;
    }
  }
}

std::vector<GpuInterval> CuptiRecords::gpu(std::int64_t shift_ns) const {
  std::vector<GpuInterval> out = gpu_;
  for (GpuInterval& interval : out) {
    interval.begin_ns += static_cast<std::uint64_t>(shift_ns);  // modulo 2^64
    interval.end_ns += static_cast<std::uint64_t>(shift_ns);
    if (const auto found = operations_.find(interval.correlation); found != operations_.end())
      interval.operation = found->second;
  }
  std::ranges::stable_sort(out, {}, &GpuInterval::begin_ns);
  return out;
}

/// In order and apart, as the events of a thread are: what lies inside another is left out.
std::vector<LayerInterval> CuptiRecords::overhead(std::int64_t shift_ns) const {
  std::vector<LayerInterval> sorted = overhead_, out;
  std::ranges::sort(sorted, {}, &LayerInterval::begin_ns);
  for (LayerInterval interval : sorted) {
    interval.begin_ns += static_cast<std::uint64_t>(shift_ns);
    interval.end_ns += static_cast<std::uint64_t>(shift_ns);
    if (!out.empty()) interval.begin_ns = std::max(interval.begin_ns, out.back().end_ns);
    if (interval.begin_ns < interval.end_ns) out.push_back(interval);
  }
  return out;
}

/// Of CUDA, at the begin and at the end of each call.
void api_called(void* of, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* data) {
  auto& self = *static_cast<CuptiSession*>(of);
  const auto& call = *static_cast<const CUpti_CallbackData*>(data);
  constexpr auto kind = CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0;
  if (call.callbackSite == CUPTI_API_ENTER) {
    if (open_calls++ > 0) return;
    begin_api_call(self.name_of_call(domain, id), call.correlationId);
    self.api_.push_id(kind, current_operation().name);
    return;
  }
  if (--open_calls > 0) return;
  std::uint64_t last = 0;
  self.api_.pop_id(kind, &last);
  const auto* const result = static_cast<const int*>(call.functionReturnValue);
  end_api_call(result == nullptr ? 0 : static_cast<std::uint64_t>(*result));
}

void buffer_completed(CUcontext context, std::uint32_t stream, std::uint8_t* buffer, std::size_t, std::size_t valid) {
  if (session != nullptr) {
    const std::scoped_lock lock(records_mutex());
    session->records_.read(buffer, valid);
    std::size_t lost = 0;
    if (session->api_.dropped(context, stream, &lost) == CUPTI_SUCCESS && lost > 0) count_dropped(lost);
  }
  std::free(buffer);
}

CuptiSession::CuptiSession(const CuptiApi& api) : api_(api), records_(api_) {
  if (api_.subscribe == nullptr) {
    about_ = "no library of CUPTI in this program";
    return;
  }
  std::uint32_t version = 0;
  api_.version(&version);
  about_ = "CUPTI " + std::to_string(version);
  session = this;
  subscribe();
  if (subscriber_ == nullptr || !enable_records()) {
    about_ += ", no GPU";
    return;
  }
  about_ += ", records";
  for (const auto kind : record_kinds) about_ += " " + std::to_string(static_cast<int>(kind));
}

void CuptiSession::subscribe() {
  std::array<char, 64> holder{};
  CUpti_SubscriberParams asked{};
  asked.structSize = CUpti_SubscriberParams_STRUCT_SIZE;
  asked.subscriberName = "retrial";
  asked.oldSubscriberName = holder.data();
  asked.oldSubscriberSize = holder.size();
  const CUptiResult result = api_.subscribe(&subscriber_, &api_called, this, &asked);
  if (result == CUPTI_SUCCESS) return;
  subscriber_ = nullptr;
  if (result != CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED) return;  // without a GPU: unknown error
  session = nullptr;
  const std::string name(holder.data());
  throw Error({.exit = Exit::measurement,
               .code = "profile.cupti_busy",
               .where = "--collector cupti",
               .problem = "another profiler has CUPTI" + (name.empty() ? "" : ": " + name),
               .help = "CUPTI serves one at a time; end it, or leave it out with --collector native"});
}

bool CuptiSession::enable_records() {
  if (api_.use_clock(&realtime) !=
      CUPTI_SUCCESS) {  // it is for a sole subscriber: then by the difference of both clocks
    std::uint64_t theirs = 0;
    if (api_.timestamp(&theirs) == CUPTI_SUCCESS) shift_ns_ = static_cast<std::int64_t>(realtime() - theirs);
  }
  if (api_.use_buffers(&buffer_requested, &buffer_completed) != CUPTI_SUCCESS) return false;
  for (const auto kind : record_kinds)
    if (api_.enable(kind) != CUPTI_SUCCESS) return false;
  for (const auto call : recorded_calls) api_.enable_call(call, 1);
  for (const auto domain : api_domains)
    if (api_.enable_domain(1, subscriber_, domain) != CUPTI_SUCCESS) return false;
  return true;
}

NameId CuptiSession::name_of_call(CUpti_CallbackDomain domain, CUpti_CallbackId id) {
  const std::scoped_lock lock(records_mutex());
  const auto [place, added] = call_names_.try_emplace({static_cast<int>(domain), id}, no_name);
  if (added) {
    const char* name = nullptr;
    place->second = intern(api_.callback_name(domain, id, &name) == CUPTI_SUCCESS && name != nullptr ? name : "CUDA");
  }
  return place->second;
}

void CuptiSession::finish() {
  if (subscriber_ == nullptr) return;
  api_.flush(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
  for (const auto kind : record_kinds) api_.disable(kind);
  for (const auto domain : api_domains) api_.enable_domain(0, subscriber_, domain);
  const std::scoped_lock lock(records_mutex());
  record_gpu(records_.gpu(shift_ns_));
  record_layers(Category::cupti_overhead, records_.overhead(shift_ns_));
}

CuptiSession::~CuptiSession() {
  if (subscriber_ != nullptr) api_.unsubscribe(subscriber_);
  session = nullptr;
}

namespace {

const CuptiApi& cupti_of_process() {
  static const CuptiApi api = CuptiApi::of_process();
  return api;
}

std::optional<CuptiSession>& running() {
  static std::optional<CuptiSession> session;
  return session;
}

std::string last_about;

void attach_cupti() {
  running().emplace(cupti_of_process());
  last_about = running()->about();
  collector_named("native")->attach();
}

void detach_cupti() {
  collector_named("native")->detach();
  running()->finish();
  running().reset();
}

const OfferCollector offered_cupti({.name = "cupti", .attach = attach_cupti, .detach = detach_cupti, .about = [] {
                                      return last_about;
                                    }});

}  // namespace
}  // namespace retrial::profiler::inline collectors
#endif
