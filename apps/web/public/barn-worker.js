// Keeps the page of the barn mode, and that of drivers, so that it opens without a network: the page itself and the files that it is
// made of. It answers for the page that registered it alone, never for the API, and holds nothing of anybody: values and what is queued
// lie with the session or the link.
const home = new URL(self.registration.scope).pathname;
const cachePrefix = `${home.slice(1)}-`;
const cacheName = `${cachePrefix}1`;
const mostFiles = 400;
/** A barn's network may be there and yet not answer. */
const patienceMs = 4000;

const isFile = (path) =>
  path.startsWith("/assets/") || path.startsWith("/i18n/") || /^\/[\w-]+\.(svg|webmanifest)$/.test(path);

async function keep(request, answer) {
  // A redirect to the log-in page is no page to keep.
  if (!answer.ok || answer.redirected || answer.type !== "basic") return;
  const cache = await caches.open(cacheName);
  await cache.put(request, answer.clone());
  const keys = await cache.keys();
  for (const old of keys.slice(0, Math.max(0, keys.length - mostFiles))) await cache.delete(old);
}

const inTime = (promise) =>
  Promise.race([
    promise,
    new Promise((_, reject) => setTimeout(() => reject(new Error("no answer in time")), patienceMs)),
  ]);

/** The newest page where it comes in time, else the one that is kept. Under one name, whatever the address asks for. */
async function page(event) {
  const name = new Request(home);
  const fresh = fetch(event.request).then(async (answer) => {
    await keep(name, answer);
    return answer;
  });
  event.waitUntil(fresh.catch(() => undefined));
  try {
    return await inTime(fresh);
  } catch {
    const kept = await (await caches.open(cacheName)).match(name);
    if (kept) return kept;
    return fresh;
  }
}

/** A file with a hash in its name never changes; of others the newest is better. */
async function file(event) {
  const { request } = event;
  const cache = await caches.open(cacheName);
  const kept = await cache.match(request, { ignoreVary: true });
  if (kept && new URL(request.url).pathname.startsWith("/assets/")) return kept;
  try {
    const answer = await inTime(fetch(request));
    await keep(request, answer);
    return answer;
  } catch (error) {
    if (kept) return kept;
    throw error;
  }
}

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => {
  const clean = async () => {
    for (const name of await caches.keys())
      if (name.startsWith(cachePrefix) && name !== cacheName) await caches.delete(name);
    await self.clients.claim();
  };
  event.waitUntil(clean());
});
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== self.location.origin) return;
  if (request.mode === "navigate") event.respondWith(page(event));
  else if (isFile(url.pathname)) event.respondWith(file(event));
});
// What the first visit loaded before this worker was there.
self.addEventListener("message", (event) => {
  const { keep: paths } = event.data ?? {};
  if (!Array.isArray(paths)) return;
  const all = async () => {
    const cache = await caches.open(cacheName);
    for (const path of [home, ...paths.filter((one) => typeof one === "string" && isFile(one))]) {
      if (path !== home && (await cache.match(path, { ignoreVary: true }))) continue;
      await fetch(path).then(
        (answer) => keep(new Request(path), answer),
        () => undefined,
      );
    }
  };
  event.waitUntil(all());
});
