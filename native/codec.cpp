#include "codec.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>

#include "rans.hpp"

namespace errai {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr int kGroup = 8;  // hands that have a bit in common

int num_groups(const ChunkShape& shape) { return (shape.num_hands + kGroup - 1) / kGroup; }

std::size_t num_rows(const ChunkShape& shape) { return shape.num_values() / shape.lanes; }

// How many bytes the bits take: an even number, as words follow.
std::size_t bitmap_bytes(std::size_t bits) { return (bits + 15) / 16 * 2; }

// Calls act(values of the action's first hand, values from a hand to the next, number of the action) for every action of
// every node.
template <class Values, class Act>
void for_actions(const ChunkShape& shape, Values* values, Act act) {
  int number = 0;
  for (int node = 0; node < shape.num_nodes; ++node) {
    const std::ptrdiff_t stride = std::ptrdiff_t(shape.actions[node]) * shape.lanes;
    for (int action = 0; action < shape.actions[node]; ++action) act(values + action * shape.lanes, stride, number++);
    values += stride * shape.num_hands;
  }
}

template <class T>
void append(std::vector<std::uint8_t>& out, const T* from, std::size_t count) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(from);
  out.insert(out.end(), bytes, bytes + count * sizeof(T));
}

}  // namespace

void encode_plain(const ChunkShape& shape, const float* values, std::vector<std::uint8_t>& out) {
  const std::size_t count = shape.num_values();
  std::vector<std::uint8_t> bitmap((count + 7) / 8);
  std::vector<float> kept;
  for (std::size_t i = 0; i < count; ++i)
    if (std::bit_cast<std::uint32_t>(values[i]) != 0) {
      bitmap[i / 8] |= 1 << i % 8;
      kept.push_back(values[i]);
    }
  if (kept.empty()) return;
  append(out, bitmap.data(), bitmap.size());
  append(out, kept.data(), kept.size());
}

void decode_plain(const ChunkShape& shape, const std::uint8_t* data, std::size_t size, float* values) {
  const std::size_t count = shape.num_values();
  std::memset(values, 0, count * sizeof *values);
  if (size == 0) return;
  const std::size_t bitmap_size = (count + 7) / 8;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < std::min(bitmap_size, size); ++i) kept += std::popcount(data[i]);
  const bool has_spare_bits = size >= bitmap_size && count % 8 && data[bitmap_size - 1] >> count % 8;
  if (size != bitmap_size + kept * sizeof *values || has_spare_bits)
    throw std::runtime_error("a plain chunk must have a bit for each value and four bytes for each bit that is set");
  const std::uint8_t* at = data + bitmap_size;
  for (std::size_t i = 0; i < count; ++i)
    if (data[i / 8] >> i % 8 & 1) {
      std::memcpy(&values[i], at, sizeof *values);
      at += sizeof *values;
    }
}

void encode_packed(const ChunkShape& shape, const float* values, float scale, const SymbolModel& model,
                   SymbolCounts& counts, std::vector<std::uint8_t>& out, CodecScratch& scratch) {
  scratch.above.assign(std::size_t(shape.num_hands) * kChunkLanes, 0);
  scratch.items.clear();
  scratch.rare.clear();
  scratch.rest.clear();
  const int groups = num_groups(shape), lanes = shape.lanes;
  std::vector<std::uint8_t> bitmap(bitmap_bytes(num_rows(shape) / shape.num_hands * groups));
  for_actions(shape, values, [&](const float* first, std::ptrdiff_t stride, int number) {
    std::int32_t before_code[kChunkLanes] = {};
    std::uint8_t recent[kChunkLanes] = {}, before[kChunkLanes] = {};
    for (int group = 0; group < groups; ++group) {
      const int begin = group * kGroup, end = std::min(begin + kGroup, shape.num_hands);
      std::int32_t codes[kGroup][kChunkLanes] = {};
      std::int32_t any = 0;
      for (int hand = begin; hand < end; ++hand)
        for (int lane = 0; lane < lanes; ++lane) {
          const float scaled = first[hand * stride + lane] * scale + 0.5f;
          any |= codes[hand - begin][lane] = scaled < 0x1p31f ? scaled > 0 ? std::int32_t(scaled) : 0 : 0x7fffff80;
        }
      std::uint8_t* above = &scratch.above[begin * kChunkLanes];
      if (!any) {
        std::memset(above, 0, (end - begin) * kChunkLanes);
        std::memset(before_code, 0, sizeof before_code);
        std::memset(recent, 0, sizeof recent);
        std::memset(before, 0, sizeof before);
        continue;
      }
      const std::size_t bit = std::size_t(number) * groups + group;
      bitmap[bit / 8] |= 1 << bit % 8;
      for (int hand = begin; hand < end; ++hand, above += kChunkLanes) {
        unsigned rare = 0;
        for (int lane = 0; lane < kChunkLanes; ++lane) {
          const std::int32_t code = codes[hand - begin][lane], residual = code - before_code[lane];
          const std::uint32_t size = std::uint32_t(residual < 0 ? -residual : residual);
          const int width = std::bit_width(size);
          const int symbol = code ? 1 + std::min(width, kEscape - 1) : 0;
          const bool has_sign = recent[lane] != 0;
          const int context = kRecentPart[recent[lane]] + kBeforePart[before[lane]] + kAbovePart[above[lane]];
          std::uint32_t raw = 0;
          if (symbol >= 2 && symbol != kEscape) {
            raw = size - (1u << (width - 1));
            if (has_sign) raw = raw << 1 | (residual < 0);
          }
          const int index = context * kSymbols + symbol;
          scratch.items.push_back(std::uint16_t(index << kQuickBits | (raw & ((1 << kQuickBits) - 1))));
          if (symbol == kEscape || raw_bits(symbol, has_sign) > kQuickBits) {
            rare |= 1u << lane;
            scratch.rest.push_back(symbol == kEscape ? std::uint32_t(code) : raw >> kQuickBits);
          }
          if (hand == begin && lane < lanes) ++counts.seen[index];
          before_code[lane] = code;
          before[lane] = recent[lane];
          recent[lane] = above[lane] = std::uint8_t(symbol);
        }
        scratch.rare.push_back(std::uint16_t(rare));
      }
    }
  });
  if (scratch.rare.empty()) return;
  scratch.words.resize(scratch.rare.size() * kChunkLanes * 3 + 1);
  std::uint16_t* const words_end = scratch.words.data() + scratch.words.size();
  WordWriter words{words_end};
  const std::uint32_t* rest = scratch.rest.data() + scratch.rest.size();
  std::uint32_t states[kChunkLanes];
  std::fill(states, states + kChunkLanes, kLeastState);
  for (std::size_t row = scratch.rare.size(); row-- > 0;)
    encode_row(states, lanes, model.entries(), &scratch.items[row * kChunkLanes], scratch.rare[row], rest, words);
  append(out, bitmap.data(), bitmap.size());
  append(out, states, lanes);
  append(out, words.at, words_end - words.at);
}

void decode_packed(const ChunkShape& shape, const std::uint8_t* data, std::size_t size, float scale,
                   const SymbolModel& model, float* values, CodecScratch& scratch) {
  if (size == 0) {
    std::memset(values, 0, shape.num_values() * sizeof *values);
    return;
  }
  const int groups = num_groups(shape), lanes = shape.lanes;
  const std::size_t bitmap_size = bitmap_bytes(num_rows(shape) / shape.num_hands * groups);
  if (size < bitmap_size + lanes * 4 || size % 2)
    throw std::runtime_error("a packed chunk of this shape is longer, and of an even number of bytes");
  scratch.above.assign(std::size_t(shape.num_hands) * kChunkLanes, 0);
  LaneStates state;
  std::fill(state.state, state.state + kChunkLanes, kLeastState);
  std::memcpy(state.state, data + bitmap_size, lanes * 4);
  WordReader words{data + bitmap_size + lanes * 4, data + size};
  const float step = 1 / scale;
  for_actions(shape, values, [&](float* first, std::ptrdiff_t stride, int number) {
    state.begin_action();
    for (int group = 0; group < groups; ++group) {
      const int begin = group * kGroup, end = std::min(begin + kGroup, shape.num_hands);
      const std::size_t bit = std::size_t(number) * groups + group;
      std::uint8_t* above = &scratch.above[begin * kChunkLanes];
      if (!(data[bit / 8] >> bit % 8 & 1)) {
        std::memset(above, 0, (end - begin) * kChunkLanes);
        state.begin_action();
        for (int hand = begin; hand < end; ++hand) std::memset(first + hand * stride, 0, lanes * sizeof *first);
        continue;
      }
      for (int hand = begin; hand < end; ++hand, above += kChunkLanes) {
        decode_row_plainly(state, lanes, model.slots(), above, words);
        for (int lane = 0; lane < lanes; ++lane) first[hand * stride + lane] = float(state.code[lane]) * step;
      }
    }
  });
  const bool ends_well = std::all_of(state.state, state.state + lanes, [](auto s) { return s == kLeastState; });
  if (words.left() || !ends_well) throw std::runtime_error("a packed chunk was damaged, or coded with another model");
}

std::uint64_t checksum(const std::uint8_t* data, std::size_t size) {
  // Four sums side by side, as a multiplication takes several cycles; each is a bijection in every word that it takes.
  constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15;
  const auto step = [](std::uint64_t sum, std::uint64_t word) {
    sum = (sum ^ word) * kOdd;
    return sum ^ sum >> 29;
  };
  std::uint64_t sums[4] = {1, 2, 3, 4};
  const auto word_at = [&](std::size_t at) {
    std::uint64_t word = 0;
    std::memcpy(&word, data + at, std::min<std::size_t>(8, size - at));
    return word;
  };
  std::size_t at = 0;
  for (; at + 32 <= size; at += 32)
    for (int i = 0; i < 4; ++i) {
      std::uint64_t word;
      std::memcpy(&word, data + at + 8 * i, 8);
      sums[i] = step(sums[i], word);
    }
  std::uint64_t sum = step(kOdd, size);
  for (; at < size; at += 8) sum = step(sum, word_at(at));
  for (const std::uint64_t part : sums) sum = step(sum, part);
  return sum;
}

}  // namespace errai
