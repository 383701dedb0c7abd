// The service worker: keeps one whole version of the page and answers from it. Two lines come before this (list.mjs):
// VERSION, and FILES, the path of every file with its SHA-256; the page's own path is empty.
const { scope } = registration;
const PREFIX = `assent ${scope} `;
const CACHE = PREFIX + VERSION;

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(forgetOthers()));

self.addEventListener("fetch", (event) => {
  const path = listed(event.request);
  if (path !== undefined) event.respondWith(answer(path, event.request));
});

self.addEventListener("message", (event) => {
  if (event.data === "take over") event.waitUntil(takeOver(event.source));
  // A page that came from the network before this worker did.
  if (event.data?.version === VERSION) event.waitUntil(clients.claim());
});

/** The path in FILES; undefined for all that is none of ours, as a model's endpoint. */
function listed({ method, url }) {
  if (method !== "GET" || !url.startsWith(scope)) return undefined;
  const [path] = url.slice(scope.length).split(/[?#]/);
  const own = path === "index.html" ? "" : path;
  return Object.hasOwn(FILES, own) ? own : undefined;
}

async function answer(path, request) {
  const kept = await caches.match(key(path), { cacheName: CACHE });
  // The browser may have thrown it away.
  return kept ?? fetch(request);
}

function key(path) {
  return `${scope}${path}?${encodeURIComponent(FILES[path])}`;
}

/** All or nothing: what cannot be fetched, or is not what was built, leaves the version before in force. */
async function install() {
  const isNew = !(await caches.has(CACHE));
  try {
    const cache = await caches.open(CACHE);
    await Promise.all(Object.keys(FILES).map(async (path) => cache.put(key(path), (await caches.match(key(path))) ?? (await load(path)))));
  } catch (error) {
    if (isNew) await caches.delete(CACHE);
    throw error;
  }
}

async function load(path) {
  const response = await fetch(scope + path, { integrity: `sha256-${FILES[path]}`, cache: "no-cache", redirect: "error" });
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return response;
}

async function forgetOthers() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(PREFIX) && name !== CACHE).map((name) => caches.delete(name)));
}

/** Another tab goes on with the version that it has, and may hold what is not sent yet. */
async function takeOver(source) {
  const all = await clients.matchAll({ type: "window", includeUncontrolled: true });
  const tabs = all.filter(({ url, frameType }) => url.startsWith(scope) && frameType !== "nested");
  if (tabs.length > 1) source.postMessage("other tabs");
  else await skipWaiting();
}
