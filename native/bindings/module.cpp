// The root of the bindings: the module of one level of the instruction set.
#include "bindings/bindings.hpp"

NB_MODULE(ERRAI_MODULE, m) {
  m.doc() = "The compiled kernels. Arrays are never converted; wrong shapes raise a `ValueError`.";
  errai::bind_abstraction(m);
  errai::bind_cards(m);
  errai::bind_codec(m);
  errai::bind_solvers(m);
  errai::bind_tree(m);
  errai::bind_lanes(m);
  errai::bind_buckets(m);
  errai::bind_encoded(m);
  errai::bind_judge(m);
  errai::bind_threads(m);
}
