// The address of a view: everything that is needed to see the same again.

const NAMES = ["view", "strategy", "kind", "betting", "board", "colour", "hand", "sort", "filter", "suits", "pairing", "high", "chart", "session"];

/** What the address bar names. */
export function current() {
  const query = new URLSearchParams(location.search);
  return Object.fromEntries(NAMES.filter((name) => query.has(name)).map((name) => [name, query.get(name)]));
}

export function link(route) {
  const query = new URLSearchParams();
  for (const name of NAMES) {
    if (route[name] !== undefined && route[name] !== null && route[name] !== "") query.set(name, route[name]);
  }
  // Slashes of the betting stay readable.
  return `/?${query}`.replaceAll("%2F", "/").replaceAll("%3A", ":");
}

let listener = () => {};

export function onChange(callback) {
  listener = callback;
  addEventListener("popstate", () => callback(current()));
}

/** Go to a view; `replace` leaves no step to go back to. */
export function go(route, { replace = false } = {}) {
  history[replace ? "replaceState" : "pushState"](null, "", link(route));
  listener(current());
}
