#include "workloads/command/process/starts.hpp"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>

namespace retrial::workloads::command::inline process {

namespace {

/// Larger than the kernel's structures: it may know more fields than the header that we were compiled with.
constexpr std::size_t room = 512;

struct Notice {
  alignas(std::uint64_t) char bytes[room]{};
  seccomp_notif& request() { return *reinterpret_cast<seccomp_notif*>(bytes); }
  seccomp_notif_resp& reply() { return *reinterpret_cast<seccomp_notif_resp*>(bytes); }
};

/// Room for one descriptor with a message of one byte.
struct Parcel {
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))]{};
  char byte = 0;
  iovec data{&byte, 1};
  msghdr message{};
  Parcel() {
    message.msg_iov = &data;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
  }
};

void send_descriptor(int socket, int descriptor) noexcept {
  Parcel parcel;
  cmsghdr* const header = CMSG_FIRSTHDR(&parcel.message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof descriptor);
  std::memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
  (void)!::sendmsg(socket, &parcel.message, 0);
}

int received_descriptor(int socket) {
  Parcel parcel;
  if (::recvmsg(socket, &parcel.message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC) <= 0) return -1;
  const cmsghdr* const header = CMSG_FIRSTHDR(&parcel.message);
  if (header == nullptr || header->cmsg_type != SCM_RIGHTS) return -1;
  int descriptor = -1;
  std::memcpy(&descriptor, CMSG_DATA(header), sizeof descriptor);
  return descriptor;
}

constexpr sock_filter load(std::size_t offset) {
  return BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset));
}
constexpr sock_filter jump_if_equal(std::uint32_t value, std::uint8_t yes, std::uint8_t no) {
  return BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, yes, no);
}
constexpr sock_filter answer(std::uint32_t action) {
  return BPF_STMT(BPF_RET | BPF_K, action);
}

/// The text at an address of another process, as far as it can be read.
std::string text_at(int process, std::uint64_t address) {
  constexpr std::size_t page = 4096;
  const auto file = "/proc/" + std::to_string(process) + "/mem";
  const Descriptor memory(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  std::string text;
  while (text.size() < page) {
    char piece[256];
    const std::size_t to_page_end = page - (address + text.size()) % page;
    const auto got =
        ::pread(memory.number(), piece, std::min(sizeof piece, to_page_end), static_cast<off_t>(address + text.size()));
    if (got <= 0) break;
    const auto end = std::find(piece, piece + got, '\0');
    text.append(piece, end);
    if (end != piece + got) break;
  }
  return text;
}

/// The program that a request names; nothing where no such file exists: a search through PATH tries many.
std::optional<std::string> started_program(const seccomp_notif& request) {
  const bool at = request.data.nr == SYS_execveat;
  const auto name = text_at(static_cast<int>(request.pid), request.data.args[at ? 1 : 0]);
  if (name.empty()) return "a program without a path";
  const auto folder = "/proc/" + std::to_string(request.pid) + "/cwd/";
  const auto path = name.front() == '/' ? name : folder + name;
  return ::access(path.c_str(), X_OK) == 0 ? std::optional(name) : std::nullopt;
}

}  // namespace

void announce_starts(int socket, const char* own) noexcept {
  const auto address = reinterpret_cast<std::uintptr_t>(own);
  const auto low = static_cast<std::uint32_t>(address), high = static_cast<std::uint32_t>(address >> 32);
  constexpr auto path = offsetof(seccomp_data, args);
  sock_filter lines[] = {
      load(offsetof(seccomp_data, arch)), jump_if_equal(AUDIT_ARCH_X86_64, 0, 7),
      load(offsetof(seccomp_data, nr)),   jump_if_equal(SYS_execveat, 6, 0),
      jump_if_equal(SYS_execve, 0, 4),    load(path),
      jump_if_equal(low, 0, 3),           load(path + 4),
      jump_if_equal(high, 0, 1),          answer(SECCOMP_RET_ALLOW),
      answer(SECCOMP_RET_USER_NOTIF),
  };
  sock_fprog filter{sizeof lines / sizeof lines[0], lines};
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return;
  const auto notices =
      static_cast<int>(::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &filter));
  if (notices < 0) return;
  send_descriptor(socket, notices);
  ::close(notices);
}

Starts::Starts(const Descriptor& socket) : notices_(socket.number() < 0 ? -1 : received_descriptor(socket.number())) {}

void Starts::take() {
  Notice notice;
  auto& request = notice.request();
  if (::ioctl(notices_.number(), SECCOMP_IOCTL_NOTIF_RECV, &request) != 0) return;  // it ended meanwhile
  const auto id = request.id;
  const auto program = started_program(request);
  // An id that is no longer valid may have been read from another process.
  if (program && ::ioctl(notices_.number(), SECCOMP_IOCTL_NOTIF_ID_VALID, &id) == 0) programs_.insert(*program);
  Notice answered;
  answered.reply().id = id;
  answered.reply().flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
  (void)::ioctl(notices_.number(), SECCOMP_IOCTL_NOTIF_SEND, &answered.reply());
}

}  // namespace retrial::workloads::command::inline process
