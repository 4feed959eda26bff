#include "judge/card_blind.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <utility>

#include "vectors.hpp"

namespace errai {
namespace {

// Hands that a betting program computes at once.
constexpr std::size_t kHandsAtOnce = 8;
// Columns that are looked up at once: with this many, the table for all edges of a 52-card deck fits in the
// second-level cache.
constexpr std::size_t kBlock = 16;
using Row = Vector<double, static_cast<int>(kBlock)>;

double binomial(unsigned n, unsigned k) {
  double ways = 1.0;
  for (unsigned i = 0; i < k; ++i) ways = ways * (n - i) / (i + 1);
  return ways;
}

// A hand and its strength.
struct Ranked {
  std::uint32_t strength;
  std::uint16_t hand;
};

void sort_by_strength(std::vector<Ranked>& hands, std::vector<Ranked>& scratch) {
  constexpr int bits = 11, passes = 3;
  std::uint16_t counts[passes][1 << bits] = {};
  for (const Ranked& hand : hands) {
    for (int pass = 0; pass < passes; ++pass) ++counts[pass][hand.strength >> (pass * bits) & ((1 << bits) - 1)];
  }
  scratch.resize(hands.size());
  for (int pass = 0; pass < passes; ++pass) {
    std::uint16_t start = 0;
    for (std::uint16_t& count : counts[pass]) start += std::exchange(count, start);
    for (const Ranked& hand : hands) {
      scratch[counts[pass][hand.strength >> (pass * bits) & ((1 << bits) - 1)]++] = hand;
    }
    hands.swap(scratch);
  }
}

}  // namespace

void BettingProgram::run(const double* ends, std::size_t num_hands, double* starts) const {
  using Hands = Vector<double, static_cast<int>(kHandsAtOnce)>;
  std::vector<double> places((num_inputs + decisions.size()) * kHandsAtOnce);
  const auto at = [&places](int place) { return load<Hands>(places.data() + place * kHandsAtOnce); };
  for (std::size_t first = 0; first < num_hands; first += kHandsAtOnce) {
    const std::size_t count = std::min(kHandsAtOnce, num_hands - first);
    for (std::size_t hand = 0; hand < count; ++hand) {
      const double* row = ends + (first + hand) * num_inputs;
      for (std::size_t column = 0; column < num_inputs; ++column) places[column * kHandsAtOnce + hand] = row[column];
    }
    double* next = places.data() + num_inputs * kHandsAtOnce;
    for (const BlindDecision& decision : decisions) {
      Hands value;
      if (decision.is_own) {
        value = Hands::all(decision.fold);
        if (decision.call >= 0) value = maximum(value, at(decision.call));
        if (decision.raise >= 0) value = maximum(value, at(decision.raise));
      } else {
        value = Hands::all(decision.p_fold * decision.fold);
        if (decision.call >= 0) value += decision.p_call * at(decision.call);
        if (decision.raise >= 0) value += decision.p_raise * at(decision.raise);
      }
      store(next, value);
      next += kHandsAtOnce;
    }
    for (std::size_t hand = 0; hand < count; ++hand) {
      double* row = starts + (first + hand) * outputs.size();
      for (std::size_t column = 0; column < outputs.size(); ++column) {
        row[column] = places[static_cast<std::size_t>(outputs[column]) * kHandsAtOnce + hand];
      }
    }
  }
}

CardBlindGame::CardBlindGame(unsigned deck_size, unsigned num_suits, unsigned num_hole_cards, const std::uint8_t* hands,
                             std::size_t num_hands, const double* table, std::size_t num_edges, std::size_t num_columns)
    : deck_size_(deck_size),
      num_hole_cards_(num_hole_cards),
      hand_of_pair_(deck_size * deck_size),
      num_edges_(num_edges),
      num_columns_(num_columns) {
  for (unsigned card = 0; card < deck_size; ++card) card_bits_.push_back(card_bit(card, num_suits));
  for (std::size_t hand = 0; hand < num_hands; ++hand) {
    const std::uint8_t* cards = hands + hand * num_hole_cards;
    const std::uint8_t low = cards[0], high = cards[num_hole_cards - 1];
    hand_cards_.push_back({low, high});
    hand_sets_.push_back(card_bits_[low] | card_bits_[high]);
    hand_of_pair_[low * deck_size + high] = hand_of_pair_[high * deck_size + low] = hand;
  }
  const std::size_t num_blocks = (num_columns + kBlock - 1) / kBlock;
  table_.resize(num_blocks * (num_edges + 1) * kBlock);
  for (std::size_t edge = 0; edge < num_edges; ++edge) {
    for (std::size_t column = 0; column < num_columns; ++column) {
      table_[(column / kBlock * (num_edges + 1) + edge) * kBlock + column % kBlock] =
          table[edge * num_columns + column];
    }
  }
}

void CardBlindGame::add_round(BettingProgram program, unsigned num_dealt) {
  if (!rounds_.empty() && rounds_.back().program.num_inputs != program.outputs.size())
    throw std::invalid_argument("a round must begin with the columns with which the round before it ends");
  rounds_.push_back({std::move(program), num_dealt});
}

// One evaluation: the relabellings, and the values at each depth.
class CardBlindGame::Evaluation {
 public:
  Evaluation(const CardBlindGame& game, const std::uint8_t* relabellings, std::size_t num_relabellings)
      : game_(game), relabellings_(relabellings), levels_(game.rounds_.size() + 1) {
    const std::size_t deck = game.deck_size_;
    images_.resize(num_relabellings * game.num_hands());
    for (std::size_t r = 0; r < num_relabellings; ++r) {
      const std::uint8_t* image = relabellings + r * deck;
      for (std::size_t hand = 0; hand < game.num_hands(); ++hand) {
        const auto [low, high] = game.hand_cards_[hand];
        images_[r * game.num_hands() + hand] = game.hand_of_pair_[image[low] * deck + image[high]];
      }
    }
  }

  // Sets the rows of all hands at the start of `round` on `board`, which the relabellings of `group` leave unchanged.
  void evaluate(std::size_t round, CardSet board, const std::vector<std::uint8_t>& group, double* rows) {
    Level& level = levels_[round];
    if (round == game_.rounds_.size()) {
      level.deals.assign(1, {0, 1.0, {}});
      level.edges.resize(game_.num_hands());
      find_edges(board, level.edges.data(), 1);
      find_classes(level, board, {0});
      look_up(level);
      copy_to_members(level, level.means, game_.num_columns_, rows);
      return;
    }
    const auto& [program, num_dealt] = game_.rounds_[round];
    find_classes(level, board, group);
    find_deals(level, board, num_dealt, group);
    if (round + 1 == game_.rounds_.size()) {
      level.edges.resize(game_.num_hands() * level.deals.size());
      for (std::size_t i = 0; i < level.deals.size(); ++i) {
        find_edges(board | level.deals[i].cards, level.edges.data() + i, level.deals.size());
      }
      look_up(level);
    } else {
      add_up(level, round, board);
    }
    const unsigned num_left = game_.deck_size_ - std::popcount(board) - game_.num_hole_cards_;
    const double num_deals = binomial(num_left, num_dealt);
    for (std::size_t k = 0; k < level.num_classes(); ++k) {
      const double count = num_deals * static_cast<double>(level.class_size(k));
      double* mean = level.means.data() + k * program.num_inputs;
      for (std::size_t column = 0; column < program.num_inputs; ++column) mean[column] /= count;
    }
    level.starts.resize(level.num_classes() * program.outputs.size());
    program.run(level.means.data(), level.num_classes(), level.starts.data());
    copy_to_members(level, level.starts, program.outputs.size(), rows);
  }

 private:
  struct Deal {
    CardSet cards;
    double multiplicity;              // number of deals that it represents
    std::vector<std::uint8_t> group;  // the relabellings that leave it unchanged
  };

  struct Level {
    std::vector<Deal> deals;
    std::vector<std::uint16_t> members, class_end;  // hands by class
    std::vector<std::uint16_t> edges;               // [hand][deal]: rows of the table
    std::vector<double> means, starts, below;

    std::size_t num_classes() const { return class_end.size(); }
    std::size_t class_begin(std::size_t k) const { return k == 0 ? 0 : class_end[k - 1]; }
    std::size_t class_size(std::size_t k) const { return class_end[k] - class_begin(k); }
  };

  // The classes of hands that can be held on `board`: each hand with its images under `group`.
  void find_classes(Level& level, CardSet board, const std::vector<std::uint8_t>& group) {
    level.members.clear();
    level.class_end.clear();
    seen_.assign(game_.num_hands(), false);
    for (std::size_t hand = 0; hand < game_.num_hands(); ++hand) {
      if (seen_[hand] || (game_.hand_sets_[hand] & board) != 0) continue;
      for (const std::uint8_t r : group) {
        const std::uint16_t image = images_[r * game_.num_hands() + hand];
        if (seen_[image]) continue;
        seen_[image] = true;
        level.members.push_back(image);
      }
      level.class_end.push_back(static_cast<std::uint16_t>(level.members.size()));
    }
  }

  // One deal per class: the smallest as a set of bits.
  void find_deals(Level& level, CardSet board, unsigned num_dealt, const std::vector<std::uint8_t>& group) {
    level.deals.clear();
    std::vector<std::uint8_t> dealt;
    const auto deal_from = [&](const auto& self, unsigned first) -> void {
      if (dealt.size() == num_dealt) {
        const CardSet cards = image_of(dealt, nullptr);
        Deal deal{cards, 0.0, {}};
        for (const std::uint8_t r : group) {
          const CardSet image = image_of(dealt, relabellings_ + r * game_.deck_size_);
          if (image < cards) return;
          if (image == cards) deal.group.push_back(r);
        }
        deal.multiplicity = static_cast<double>(group.size() / deal.group.size());
        level.deals.push_back(std::move(deal));
        return;
      }
      for (unsigned card = first; card < game_.deck_size_; ++card) {
        if ((game_.card_bits_[card] & board) != 0) continue;
        dealt.push_back(static_cast<std::uint8_t>(card));
        self(self, card + 1);
        dealt.pop_back();
      }
    };
    deal_from(deal_from, 0);
  }

  CardSet image_of(const std::vector<std::uint8_t>& cards, const std::uint8_t* relabelling) const {
    CardSet set = 0;
    for (const std::uint8_t card : cards) set |= game_.card_bits_[relabelling == nullptr ? card : relabelling[card]];
    return set;
  }

  // For each hand the row of the table for its edge on the last board; for hands that share a card, the row of zeros.
  void find_edges(CardSet board, std::uint16_t* rows, std::size_t stride) {
    const std::size_t num_hands = game_.num_hands();
    sets_.clear();
    ranked_.clear();
    for (std::size_t hand = 0; hand < num_hands; ++hand) {
      if ((game_.hand_sets_[hand] & board) != 0) {
        rows[hand * stride] = static_cast<std::uint16_t>(game_.num_edges_);
        continue;
      }
      sets_.push_back(game_.hand_sets_[hand] | board);
      ranked_.push_back({0, static_cast<std::uint16_t>(hand)});
    }
    strengths_.resize(sets_.size());
    const int num_cards = std::popcount(board) + static_cast<int>(game_.num_hole_cards_);
    strengths_of_sets(sets_.data(), sets_.size(), num_cards, strengths_.data());
    for (std::size_t i = 0; i < ranked_.size(); ++i) ranked_[i].strength = static_cast<std::uint32_t>(strengths_[i]);
    sort_by_strength(ranked_, scratch_);

    // Hands passed so far, in all and with each card. Before a group of equal hands these are the weaker hands, after
    // it the weaker or equal hands; all others are stronger.
    const bool has_pairs = game_.num_hole_cards_ == 2;
    const int num_left = static_cast<int>(game_.deck_size_) - std::popcount(board);
    const int others = static_cast<int>(ranked_.size()) - (has_pairs ? 2 * (num_left - 1) : 0);
    const int offset = static_cast<int>(game_.num_edges_ / 2) - others;
    const int largest_edge = has_pairs ? others + 1 : others - 1;  // `others` counts the hand itself -1 or +1 times
    if (game_.num_edges_ % 2 == 0 || static_cast<int>(game_.num_edges_ / 2) < largest_edge)
      throw std::invalid_argument("the table must have a row for every edge");
    int passed = 0;
    std::array<int, 64> with_card{};
    const auto passed_beside = [&](std::size_t hand) {
      const auto [low, high] = game_.hand_cards_[hand];
      return has_pairs ? passed - with_card[low] - with_card[high] : passed;
    };
    for (std::size_t begin = 0, end = 0; begin < ranked_.size(); begin = end) {
      for (; end < ranked_.size() && ranked_[end].strength == ranked_[begin].strength; ++end) {
        rows[ranked_[end].hand * stride] = static_cast<std::uint16_t>(offset + passed_beside(ranked_[end].hand));
      }
      for (std::size_t i = begin; i < end; ++i) {
        const auto [low, high] = game_.hand_cards_[ranked_[i].hand];
        ++with_card[low];
        ++with_card[high];
      }
      passed += static_cast<int>(end - begin);
      for (std::size_t i = begin; i < end; ++i) {
        rows[ranked_[i].hand * stride] += static_cast<std::uint16_t>(passed_beside(ranked_[i].hand));
      }
    }
  }

  // Sums the rows of each class over all deals of the last round.
  void look_up(Level& level) const {
    const std::size_t num_columns = game_.num_columns_, num_deals = level.deals.size();
    level.means.resize(level.num_classes() * num_columns);
    for (std::size_t first = 0; first < num_columns; first += kBlock) {
      const double* table = game_.table_.data() + first * (game_.num_edges_ + 1);
      const std::size_t count = std::min(kBlock, num_columns - first);
      for (std::size_t k = 0; k < level.num_classes(); ++k) {
        Row sum = Row::all(0.0);
        for (std::size_t i = level.class_begin(k); i < level.class_end[k]; ++i) {
          const std::uint16_t* edges = level.edges.data() + level.members[i] * num_deals;
          for (std::size_t d = 0; d < num_deals; ++d) {
            sum += level.deals[d].multiplicity * load<Row>(table + edges[d] * kBlock);
          }
        }
        double columns[kBlock];
        store(columns, sum);
        std::copy_n(columns, count, level.means.data() + k * num_columns + first);
      }
    }
  }

  // Sums the rows of each class over all deals of the next round, which is not the last.
  void add_up(Level& level, std::size_t round, CardSet board) {
    const std::size_t width = game_.rounds_[round].program.num_inputs;
    level.means.assign(level.num_classes() * width, 0.0);
    level.below.resize(game_.num_hands() * width);
    for (const Deal& deal : level.deals) {
      evaluate(round + 1, board | deal.cards, deal.group, level.below.data());
      for (std::size_t k = 0; k < level.num_classes(); ++k) {
        double* sum = level.means.data() + k * width;
        for (std::size_t i = level.class_begin(k); i < level.class_end[k]; ++i) {
          const double* row = level.below.data() + level.members[i] * width;
          for (std::size_t column = 0; column < width; ++column) sum[column] += deal.multiplicity * row[column];
        }
      }
    }
  }

  // Copies the row of each class to all of its hands; other hands get zeros.
  void copy_to_members(const Level& level, const std::vector<double>& of_class, std::size_t width, double* rows) const {
    std::fill_n(rows, game_.num_hands() * width, 0.0);
    for (std::size_t k = 0; k < level.num_classes(); ++k) {
      for (std::size_t i = level.class_begin(k); i < level.class_end[k]; ++i) {
        std::copy_n(of_class.data() + k * width, width, rows + level.members[i] * width);
      }
    }
  }

  const CardBlindGame& game_;
  const std::uint8_t* relabellings_;
  std::vector<std::uint16_t> images_;  // [relabelling][hand]
  std::vector<Level> levels_;
  std::vector<bool> seen_;
  std::vector<CardSet> sets_;
  std::vector<std::int32_t> strengths_;
  std::vector<Ranked> ranked_, scratch_;
};

void CardBlindGame::evaluate(const std::uint8_t* board, std::size_t num_board_cards, const std::uint8_t* relabellings,
                             std::size_t num_relabellings, double* rows) const {
  if (!rounds_.empty() && rounds_.back().program.num_inputs != num_columns_)
    throw std::invalid_argument("the last round must begin with the columns of the table");
  CardSet cards = 0;
  for (std::size_t i = 0; i < num_board_cards; ++i) cards |= card_bits_[board[i]];
  std::vector<std::uint8_t> group(num_relabellings);
  for (std::size_t r = 0; r < num_relabellings; ++r) group[r] = static_cast<std::uint8_t>(r);
  Evaluation(*this, relabellings, num_relabellings).evaluate(0, cards, group, rows);
}

}  // namespace errai
