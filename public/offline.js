// Keeps the page on this device by a service worker, and tells the page of a new version. Loaded by boot.js when the
// page is there. Nothing depends on it: browsers have no service workers in private windows or on plain http.
const policy = globalThis.trustedTypes?.createPolicy("assent-offline", { createScriptURL: () => "sw.js" });

export async function keep(version) {
  try {
    const container = navigator.serviceWorker;
    const registration = await container.register(policy?.createScriptURL("") ?? "sw.js", { updateViaCache: "none" });
    follow(container, registration);
    claim(container, registration, version);
  } catch (error) {
    console.info(`Assent is not kept for visits without a network: ${error}`);
  }
}

function follow(container, registration) {
  let { controller } = container;
  container.addEventListener("controllerchange", () => {
    if (controller !== null) location.reload();
    controller = container.controller;
  });
  container.addEventListener("message", ({ data }) => {
    if (data === "other tabs") say("assent-update-waits");
  });
  addEventListener("assent-update", () => {
    // Once no tab needs the old one, it takes over by itself.
    if (registration.waiting === null) location.reload();
    else registration.waiting.postMessage("take over");
  });
  const offer = () => {
    if (registration.waiting !== null && registration.active !== null) say("assent-update-ready");
  };
  registration.addEventListener("updatefound", () => registration.installing?.addEventListener("statechange", offer));
  registration.installing?.addEventListener("statechange", offer);
  offer();
}

/** From now on the worker answers this page too, where it is of this very version. */
async function claim(container, registration, version) {
  if (container.controller === null) {
    const { active } = await container.ready;
    active?.postMessage({ version });
  }
}

function say(event) {
  dispatchEvent(new Event(event));
}
