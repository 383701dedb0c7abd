self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(retire()));

async function retire() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(`assent ${registration.scope} `)).map((name) => caches.delete(name)));
  await registration.unregister();
}
