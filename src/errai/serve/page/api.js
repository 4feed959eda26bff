// Requests to the server that the page came from.

const KEPT = 60;
const answers = new Map();
const awaited = new Map(); // what was asked for ahead, and is on its way

export class ApiError extends Error {
  constructor(message, hint, status) {
    super(message);
    this.hint = hint;
    this.status = status;
  }
}

/** The address of something under `/api`; parameters that are null or undefined are left out. */
export function address(path, parameters = {}) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== null && value !== undefined) query.set(name, value);
  }
  return `/api/${path}?${query}`;
}

async function read(response) {
  if (response.ok) return response.json();
  const content = await response.json().catch(() => ({}));
  throw new ApiError(content.error ?? `the server answered ${response.status}`, content.hint ?? "", response.status);
}

async function send(url, options) {
  try {
    return await fetch(url, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError("the server does not answer", "start `errai browse` again", 0);
  }
}

/** What is at an address; answers asked for before are not asked for again. */
export async function get(path, parameters = {}, { signal, keep = true } = {}) {
  const url = address(path, parameters);
  if (keep && awaited.has(url)) {
    await awaited.get(url);
    signal?.throwIfAborted();
  }
  if (keep && answers.has(url)) return answers.get(url);
  const content = await read(await send(url, { signal }));
  if (keep) {
    answers.set(url, content);
    if (answers.size > KEPT) answers.delete(answers.keys().next().value);
  }
  return content;
}

/** Ask ahead for what is likely to be wanted next. */
export function prefetch(path, parameters) {
  const url = address(path, parameters);
  if (answers.has(url) || awaited.has(url)) return;
  const asked = get(path, parameters)
    .catch(() => null) // who wants it asks again, and hears why
    .finally(() => awaited.delete(url));
  awaited.set(url, asked);
}

export async function post(path, content = {}) {
  const headers = { "content-type": "application/json" };
  return read(await send(`/api/${path}`, { method: "POST", headers, body: JSON.stringify(content) }));
}

/** Every portion of a report, as it arrives. */
export async function* portions(parameters, { signal } = {}) {
  let next = 0;
  while (next !== null) {
    const portion = await get("deals", { ...parameters, from: next }, { signal, keep: parameters.id !== "unsaved" });
    yield portion;
    next = portion.next;
  }
}
