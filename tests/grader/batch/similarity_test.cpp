// Which submissions are alike: copies with new names and comments are, honest work is not.
#include "grader/report/similarity.hpp"

#include <gtest/gtest.h>

#include "grader/text/tokens.hpp"

namespace warplab {
namespace {

const TaskFile task_file{"07_transpose", "transpose_tiled.cu"};

const std::string stub = R"(#include "transpose.hpp"
template <class T>
__global__ void transpose_tiled_kernel(const T* __restrict__ in, T* __restrict__ out, int rows, int cols) {
}
template <class T>
void transpose_tiled(const T* in, T* out, int rows, int cols, cudaStream_t stream) {
  if (!transpose_has_work(in, out, rows, cols)) return;
  warplab::todo("load the tile, wait, store it transposed; launch here");
}
template void transpose_tiled(const int*, int*, int, int, cudaStream_t);
template void transpose_tiled(const float*, float*, int, int, cudaStream_t);
)";

const std::string work = R"(
  __shared__ T tile[side][side];
  const std::int64_t first_row = (std::int64_t{blockIdx.z} * gridDim.y + blockIdx.y) * side;
  const std::int64_t first_col = std::int64_t{blockIdx.x} * side;
  const int x = threadIdx.x, y = threadIdx.y;
  if (first_row + y < rows && first_col + x < cols) tile[y][x] = in[(first_row + y) * cols + first_col + x];
  __syncthreads();
  if (first_col + y < cols && first_row + x < rows) out[(first_col + y) * rows + first_row + x] = tile[x][y];
)";

const std::string renamed = R"(
  // my own idea!
  __shared__ T patch[edge][edge];
  const std::int64_t r0 = (std::int64_t{blockIdx.z} * gridDim.y + blockIdx.y) * edge;
  const std::int64_t c0 = std::int64_t{blockIdx.x} * edge; /* left */
  const int x = threadIdx.x,
            y = threadIdx.y;
  if (r0 + y < rows && c0 + x < cols) patch[y][x] = in[(r0 + y) * cols + c0 + x];
  __syncthreads();
  if (c0 + y < cols && r0 + x < rows) out[(c0 + y) * rows + r0 + x] = patch[x][y];
)";

const std::string other = R"(
  extern __shared__ unsigned char raw[];
  T* buffer = reinterpret_cast<T*>(raw);
  for (int step = threadIdx.y; step < 32; step += blockDim.y) {
    unsigned row = blockIdx.y * 32u + step, column = blockIdx.x * 32u + threadIdx.x;
    bool inside = row < unsigned(rows) ? column < unsigned(cols) : false;
    if (inside) { buffer[step * 33 + threadIdx.x] = in[size_t(row) * cols + column]; }
  }
  __syncthreads();
  for (int step = threadIdx.y; step < 32; step += blockDim.y) {
    unsigned row = blockIdx.x * 32u + step, column = blockIdx.y * 32u + threadIdx.x;
    if (row >= unsigned(cols)) continue;
    if (column >= unsigned(rows)) continue;
    out[size_t(row) * rows + column] = buffer[threadIdx.x * 33 + step];
  }
)";

std::string with(const std::string& body) {
  std::string text = stub;
  return text.insert(text.find("{\n") + 2, body);
}

std::vector<SimilarPair> similar(const std::vector<std::pair<std::string, std::string>>& texts,
                                 bool with_given = true) {
  std::vector<TakenFiles> taken;
  for (const auto& [student, text] : texts) taken.push_back({student, {{task_file, text}}});
  std::map<TaskFile, std::string> given;
  if (with_given) given[task_file] = stub;
  return similar_submissions(taken, given);
}

TEST(Similarity, ACopyWithNewNamesAndCommentsIsFoundAndIdenticalOnesComeFirst) {
  const auto pairs = similar({{"dave", with(other)},
                              {"carol", with(renamed)},
                              {"bob", "// by Bob\r\n\r\n" + with(work)},
                              {"alice", with(work)}});
  ASSERT_EQ(pairs.size(), 3u);
  EXPECT_EQ(pairs[0].first, "alice");
  EXPECT_EQ(pairs[0].second, "bob");
  EXPECT_TRUE(pairs[0].files.at(0).identical);
  EXPECT_EQ(pairs[1].first, "alice");
  EXPECT_EQ(pairs[1].second, "carol");
  EXPECT_FALSE(pairs[1].files.at(0).identical);
  EXPECT_GT(pairs[1].files.at(0).share, 0.95);
  EXPECT_EQ(pairs[2].first, "bob");
  EXPECT_EQ(pairs[2].second, "carol");
}

TEST(Similarity, WhatEveryoneWasGivenDoesNotCount) {
  EXPECT_TRUE(similar({{"a", stub}, {"b", stub}}).empty()) << "nothing was written";
  EXPECT_TRUE(similar({{"a", with(work)}, {"b", with(other)}}).empty());
  EXPECT_TRUE(similar({{"a", with("int i = threadIdx.x;")}, {"b", with("int i = threadIdx.x;")}}).empty())
      << "a line is too little to say anything";
  EXPECT_FALSE(similar({{"a", stub}, {"b", stub}}, false).empty()) << "without the given file it would";
}

TEST(Similarity, APartThatWasCopiedShowsUpIfTheRestIsSmall) {
  const auto pairs =
      similar({{"a", with(work)}, {"b", with(renamed + "  if (rows > 7) out[0] = in[0] + 1;\n")}});
  ASSERT_EQ(pairs.size(), 1u);
  EXPECT_LT(pairs[0].files[0].share, 1);
}

TEST(Similarity, WhatManyWroteIsHowTheTaskIsSolved) {
  std::vector<std::pair<std::string, std::string>> texts;
  for (int i = 0; i < 12; ++i)
    texts.emplace_back("s" + std::to_string(i), with(work) + "int v" + std::to_string(i) + ";");
  EXPECT_TRUE(similar(texts).empty());
}

TEST(Similarity, TheOrderOfSubmissionsDoesNotMatter) {
  const auto a = similar({{"alice", with(work)}, {"bob", with(renamed)}, {"carol", with(work)}});
  const auto b = similar({{"carol", with(work)}, {"bob", with(renamed)}, {"alice", with(work)}});
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].first, b[i].first);
    EXPECT_EQ(a[i].second, b[i].second);
    EXPECT_EQ(a[i].files[0].share, b[i].files[0].share);
  }
}

TEST(Similarity, AnyBytesAreComparedAndComeToAnEnd) {
  std::string noise;
  for (unsigned i = 0, x = 7; i < 300'000; ++i)
    noise += static_cast<char>((x = x * 1664525 + 1013904223) >> 24);
  const auto pairs = similar({{"a", noise},
                              {"b", noise},
                              {"c", std::string(1'000'000, '"')},
                              {"d", "R\"" + std::string(1000, '(')},
                              {"e", "/*"},
                              {"f", ""}});
  ASSERT_FALSE(pairs.empty());
  EXPECT_TRUE(pairs[0].files[0].identical);
}

TEST(Tokens, AreWordsNumbersLiteralsAndSigns) {
  std::vector<std::string> texts;
  for (const Token& token :
       tokens_of("int a_1=0x1F+1.5e-3f-1'000; // no\n/* no */ s=\"a\\\"b\" R\"x(a)\")x\" 'c';"))
    texts.emplace_back(token.text);
  EXPECT_EQ(texts, (std::vector<std::string>{"int", "a_1", "=", "0x1F", "+", "1.5e-3f", "-", "1'000", ";",
                                             "s", "=", "\"a\\\"b\"", "R", "\"x(a)\")x\"", "'c'", ";"}));
}

}  // namespace
}  // namespace warplab
