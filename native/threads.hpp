// Work in threads whose errors reach the caller.
#pragma once

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace errai {

// Calls work(item, thread) for every item from 0 to count - 1, with up to `num_threads` threads that take items in
// order; the calling thread is thread 0. If a call throws, no further items are taken, and the first exception is
// thrown again here after all threads have ended. If fewer threads can be started, those that run do all of the work.
template <class Work>
void for_each_in_threads(int count, int num_threads, Work&& work) {
  std::atomic<int> next{0};
  std::mutex mutex;
  std::exception_ptr error;
  const auto take_items = [&](int thread) {
    try {
      for (int item; (item = next.fetch_add(1)) < count;) work(item, thread);
    } catch (...) {
      next.store(count);
      const std::lock_guard lock(mutex);
      if (!error) error = std::current_exception();
    }
  };
  std::vector<std::thread> threads;
  threads.reserve(std::size_t(num_threads > 0 ? num_threads : 0));
  try {
    for (int thread = 1; thread < std::min(num_threads, count); ++thread) threads.emplace_back(take_items, thread);
  } catch (const std::system_error&) {
  }
  take_items(0);
  for (std::thread& thread : threads) thread.join();
  if (error) std::rethrow_exception(error);
}

}  // namespace errai
