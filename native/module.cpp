// The bindings' root. Every concept has its header, its source and one `bind_` function, listed here.
#include "bindings.hpp"

NB_MODULE(ERRAI_MODULE, m) {
  bind_flat(m);
  bind_sampled(m);
  errai::bind_lanes(m);
  errai::bind_streamed(m);
  bind_isomorphism(m);
  bind_strength(m);
  bind_equity(m);
  bind_card_blind(m);
  bind_codec(m);
}
