// The library of CUPTI itself walks the buffers that are written here by hand; answers that need a GPU, or another
// profiler in the process, are planted.
#include "tests/catch.hpp"

#ifdef RETRIAL_CUPTI
#include <cstring>

#include "results/text/error.hpp"
#include "workloads/profiler/collectors/cupti.hpp"
#include "workloads/profiler/recording/annotation.hpp"
#include "workloads/profiler/timeline/timeline.hpp"

namespace retrial::tests::cupti_tests {

using namespace retrial;
using namespace retrial::profiler;

class Buffer {
 public:
  template <typename Record>
  void add(CUpti_ActivityKind kind, Record record) {
    record.kind = kind;
    std::memcpy(bytes_ + used_, &record, sizeof record);
    used_ += sizeof record;
  }
  void read_into(CuptiRecords& records) { records.read(bytes_, used_); }

 private:
  alignas(8) std::uint8_t bytes_[4096] = {};
  std::size_t used_ = 0;
};

CUpti_ActivityKernel10 kernel(const char* name, std::uint64_t begin, std::uint64_t end, std::uint32_t stream,
                              std::uint32_t correlation) {
  CUpti_ActivityKernel10 out{};
  out.name = name, out.start = begin, out.end = end, out.streamId = stream, out.correlationId = correlation;
  return out;
}

TEST_CASE("records become work of the GPU with the operation that launched it, and time that CUPTI took") {
  const CuptiApi api = CuptiApi::of_process();
  REQUIRE(api.next_record != nullptr);
  const NameId backprop = intern("backprop");
  Buffer buffer;
  buffer.add(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, kernel("gemm", 300, 400, 13, 8));
  CUpti_ActivityExternalCorrelation link{};
  link.externalId = backprop, link.correlationId = 8;
  buffer.add(CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION, link);
  buffer.add(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, kernel("relu", 100, 250, 7, 9));
  CUpti_ActivityMemcpy6 copy{};
  copy.start = 500, copy.end = 510, copy.streamId = 13;
  buffer.add(CUPTI_ACTIVITY_KIND_MEMCPY, copy);
  CUpti_ActivityMemset4 set{};
  set.start = 600, set.end = 601, set.streamId = 99;
  buffer.add(CUPTI_ACTIVITY_KIND_MEMSET, set);
  for (const auto& [begin, end] : {std::pair{700, 720}, std::pair{705, 715}, std::pair{718, 730}}) {
    CUpti_ActivityOverhead3 own{};
    own.start = static_cast<std::uint64_t>(begin), own.end = static_cast<std::uint64_t>(end);
    buffer.add(CUPTI_ACTIVITY_KIND_OVERHEAD, own);
  }
  CuptiRecords records(api);
  buffer.read_into(records);

  const auto gpu = records.gpu(-50);
  REQUIRE(gpu.size() == 4);
  CHECK(gpu[0].begin_ns == 50);
  CHECK(gpu[0].end_ns == 200);
  CHECK(gpu[0].operation == no_name);
  CHECK(gpu[0].stream == 1);  // in the order of the records
  CHECK(gpu[1].operation == backprop);
  CHECK(gpu[1].category == Category::gpu_kernel);
  CHECK(gpu[1].stream == 0);
  CHECK(gpu[2].category == Category::gpu_memcpy);
  CHECK(gpu[3].category == Category::gpu_memset);
  CHECK(gpu[3].stream == 2);

  const auto own = records.overhead(0);
  REQUIRE(own.size() == 2);  // one lies inside another
  CHECK(own[1].begin_ns == 720);
  CHECK(own[1].end_ns == 730);
}

CUptiResult held_by_another(CUpti_SubscriberHandle*, CUpti_CallbackFunc, void*, CUpti_SubscriberParams* asked) {
  std::strncpy(asked->oldSubscriberName, "Nsight Systems", asked->oldSubscriberSize - 1);
  return CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
}

TEST_CASE("another profiler that has CUPTI is named") {
  CuptiApi api = CuptiApi::of_process();
  api.subscribe = held_by_another;
  try {
    const CuptiSession session(api);
    FAIL("not refused");
  } catch (const Error& error) {
    CHECK(error.text.exit == Exit::measurement);
    CHECK_THAT(error.what(), has_text("another profiler has CUPTI: Nsight Systems"));
  }
}

CUptiResult no_gpu(CUpti_SubscriberHandle*, CUpti_CallbackFunc, void*, CUpti_SubscriberParams*) {
  return CUPTI_ERROR_UNKNOWN;
}

TEST_CASE("without a GPU, or without the library, nothing is seen, and that is said") {
  CuptiApi api = CuptiApi::of_process();
  api.subscribe = no_gpu;
  CuptiSession session(api);
  CHECK_THAT(session.about(), has_text("CUPTI ") && has_text(", no GPU"));
  session.finish();
  const CuptiApi absent;
  CHECK(CuptiSession(absent).about() == "no library of CUPTI in this program");
}

/// What was asked of a CUPTI that has a GPU, as it were.
struct Asked {
  std::vector<int> kinds;
  CUpti_CallbackFunc call = nullptr;
  void* to = nullptr;
  std::vector<std::uint64_t> pushed;
};
Asked asked;

CuptiApi with_gpu() {
  asked = {};
  CuptiApi api = CuptiApi::of_process();
  api.subscribe = [](CUpti_SubscriberHandle* handle, CUpti_CallbackFunc call, void* to, CUpti_SubscriberParams*) {
    *handle = reinterpret_cast<CUpti_SubscriberHandle>(&asked);
    asked.call = call, asked.to = to;
    return CUPTI_SUCCESS;
  };
  api.unsubscribe = [](CUpti_SubscriberHandle) { return CUPTI_SUCCESS; };
  api.use_clock = [](CUpti_TimestampCallbackFunc) { return CUPTI_SUCCESS; };
  api.use_buffers = [](CUpti_BuffersCallbackRequestFunc, CUpti_BuffersCallbackCompleteFunc) { return CUPTI_SUCCESS; };
  api.enable = [](CUpti_ActivityKind kind) {
    asked.kinds.push_back(kind);
    return CUPTI_SUCCESS;
  };
  api.disable = [](CUpti_ActivityKind) { return CUPTI_SUCCESS; };
  api.enable_call = [](CUpti_CallbackId, std::uint8_t) { return CUPTI_SUCCESS; };
  api.enable_domain = [](std::uint32_t, CUpti_SubscriberHandle, CUpti_CallbackDomain) { return CUPTI_SUCCESS; };
  api.callback_name = [](CUpti_CallbackDomain, std::uint32_t, const char** name) {
    *name = "cudaLaunchKernel";
    return CUPTI_SUCCESS;
  };
  api.flush = [](std::uint32_t) { return CUPTI_SUCCESS; };
  api.push_id = [](CUpti_ExternalCorrelationKind, std::uint64_t id) {
    asked.pushed.push_back(id);
    return CUPTI_SUCCESS;
  };
  api.pop_id = [](CUpti_ExternalCorrelationKind, std::uint64_t*) { return CUPTI_SUCCESS; };
  return api;
}

void called(CUpti_ApiCallbackSite site, std::uint32_t correlation) {
  CUpti_CallbackData data{};
  data.callbackSite = site, data.correlationId = correlation;
  asked.call(asked.to, CUPTI_CB_DOMAIN_RUNTIME_API, 211, &data);
}

TEST_CASE("records of kernels that run at once are asked for, those that serialize kernels are not") {
  const CuptiApi api = with_gpu();
  const CuptiSession session(api);
  const auto has = [](int kind) { return std::ranges::find(asked.kinds, kind) != asked.kinds.end(); };
  CHECK(has(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL));
  CHECK(has(CUPTI_ACTIVITY_KIND_MEMSET));
  CHECK_FALSE(has(CUPTI_ACTIVITY_KIND_KERNEL));
  CHECK_THAT(session.about(), has_text(" 10 1 2 17 38 39"));
}

TEST_CASE("a call of CUDA is one interval, whatever it calls, with the operation that made it") {
  const CuptiApi api = with_gpu();
  start_recording({});
  begin_profile("program", "phase");
  {
    CuptiSession session(api);
    const Operation step("step");
    called(CUPTI_API_ENTER, 5);
    called(CUPTI_API_ENTER, 6);  // the runtime calls the driver
    called(CUPTI_API_EXIT, 6);
    called(CUPTI_API_EXIT, 5);
    session.finish();
  }
  end_profile();
  const Timeline t = timeline_of(stop_recording());
  REQUIRE(t.calls.size() == 1);
  CHECK(t.calls[0].id == 5);
  CHECK(t.name(t.calls[0].name) == "cudaLaunchKernel");
  CHECK(asked.pushed == std::vector<std::uint64_t>{intern("step")});
}

}  // namespace retrial::tests::cupti_tests
#else
TEST_CASE("the collector of CUPTI", "[needs-cupti]") {
  WARN("left out: this build has no headers of CUPTI (scripts/setup)");
}
#endif
