const script = document.querySelector("script[data-js]");

// The page's policy asks for trusted types. Leptos makes its fixed markup through innerHTML and the
// engine starts from a blob, so the default policy lets through these two and nothing else.
const parser = globalThis.trustedTypes?.createPolicy("assent-parse", { createHTML: (html) => html });
globalThis.trustedTypes?.createPolicy("default", {
  createHTML: (html) => (isInert(html) ? html : null),
  createScriptURL: (url) => (url.startsWith(`blob:${location.origin}/`) ? url : null),
});

const ACTIVE = "script, template, iframe, frame, object, embed, base, meta, link, style, animate, set";

function isInert(html) {
  const parsed = new DOMParser().parseFromString(parser.createHTML(html), "text/html");
  return parsed.querySelector(ACTIVE) === null
    && [...parsed.querySelectorAll("*")].every((element) => [...element.attributes].every(isInertAttribute));
}

function isInertAttribute({ name, value }) {
  return !/^(on|style$|srcdoc$|formaction$)/i.test(name) && !/^[\s\u0000-\u001f]*javascript:/i.test(value);
}

// The scripts that load on demand (scripts/), for the page to ask for by name. A browser remembers a module that
// did not load by its address, so another try has another one.
const tries = {};
const ahead = new Set();
globalThis.assentPart = {
  load: (name) => import(address(name)).catch((error) => {
    tries[name] = (tries[name] ?? 0) + 1;
    throw error;
  }),
  ahead(name) {
    if (ahead.has(name)) return;
    ahead.add(name);
    whenIdle(() => {
      const link = document.createElement("link");
      link.rel = "modulepreload";
      link.href = address(name);
      document.head.append(link);
    });
  },
};

function address(name) {
  const url = new URL(script.dataset[name], document.baseURI);
  if (tries[name] !== undefined) url.search = `?${tries[name]}`;
  return url;
}

function whenIdle(act) {
  (globalThis.requestIdleCallback ?? setTimeout)(act);
}

try {
  const page = await import(new URL(script.dataset.js, document.baseURI));
  await page.default({ module_or_path: new URL(script.dataset.wasm, document.baseURI) });
  keepOffline(script.dataset.version);
} catch (error) {
  console.error(error);
  const status = document.getElementById("shell-status");
  if (status !== null) {
    status.dataset.state = "failed";
    status.textContent = "Assent could not start. Reload the page; if it fails again, use a current browser. "
      + "Assent 未能启动：请刷新页面；若仍失败，请换用新版浏览器。";
  }
}

/** Only a release has a version. Without this part the page is the same, and not kept. */
function keepOffline(version) {
  if (version === undefined) return;
  whenIdle(() => import(new URL("offline.js", document.baseURI)).then((offline) => offline.keep(version), () => {}));
}
