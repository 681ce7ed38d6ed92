// What a worker sends costs the program that receives it no descriptor, whatever it is.
#include "harness/worker/worker_protocol.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <string>
#include <vector>

namespace warplab {
namespace {

std::ptrdiff_t open_descriptors() {
  const std::filesystem::directory_iterator all("/proc/self/fd");
  return std::distance(begin(all), end(all));
}

/// Both ends of a socket as a worker's.
class Ends {
 public:
  Ends() {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
      throw std::system_error(errno, std::generic_category(), "socketpair");
    program_ = Descriptor(ends[0]);
    worker_ = Descriptor(ends[1]);
  }
  int program() const { return program_; }

  /// Sends a text with so many descriptors, as no worker of ours does.
  void send(std::string text, std::size_t count) const {
    iovec part{text.data(), text.size()};
    msghdr header{};
    header.msg_iov = &part;
    header.msg_iovlen = 1;
    const std::vector<int> numbers(count, STDERR_FILENO);
    alignas(cmsghdr) char control[CMSG_SPACE(8 * sizeof(int))] = {};
    if (count > 0) {
      header.msg_control = control;
      header.msg_controllen = CMSG_SPACE(count * sizeof(int));
      cmsghdr* const attached = CMSG_FIRSTHDR(&header);
      attached->cmsg_level = SOL_SOCKET;
      attached->cmsg_type = SCM_RIGHTS;
      attached->cmsg_len = CMSG_LEN(count * sizeof(int));
      std::memcpy(CMSG_DATA(attached), numbers.data(), count * sizeof(int));
    }
    ASSERT_GE(sendmsg(worker_, &header, MSG_NOSIGNAL), 0) << std::strerror(errno);
  }

 private:
  Descriptor program_, worker_;
};

std::string refusal(const Ends& ends) {
  try {
    protocol::receive(ends.program());
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

TEST(WorkerProtocol, ADescriptorBelongsToItsPacket) {
  const Ends ends;
  const std::ptrdiff_t before = open_descriptors();
  {
    ends.send("{}", 1);
    const std::optional<protocol::Packet> packet = protocol::receive(ends.program());
    ASSERT_TRUE(packet);
    EXPECT_GE(packet->descriptor, 0);
    EXPECT_EQ(open_descriptors(), before + 1);
  }
  ends.send("{}", 0);
  EXPECT_LT(protocol::receive(ends.program())->descriptor, 0);
  EXPECT_EQ(open_descriptors(), before);
}

TEST(WorkerProtocol, NothingStaysOpenOfAPacketThatIsRefused) {
  const Ends ends;
  const std::ptrdiff_t before = open_descriptors();
  for (const std::size_t count : {2u, 3u, 8u}) {
    ends.send("{}", count);
    EXPECT_EQ(refusal(ends), "a packet has more than one descriptor");
    EXPECT_EQ(open_descriptors(), before) << count;
  }
  ends.send("[1]", 1);
  EXPECT_EQ(refusal(ends), "a packet is not a JSON object");
  ends.send(std::string(1000, '['), 1);
  EXPECT_EQ(refusal(ends), "a packet is nested too deep");
  ends.send("{" + std::string(140'000, ' ') + "}", 1);
  EXPECT_EQ(refusal(ends), "a packet is too large");
  EXPECT_EQ(open_descriptors(), before);
}

}  // namespace
}  // namespace warplab
