// The script of the worker, run from a blob: the first line of that sets ASSENT_BASE, the absolute address of the
// folder with the built files. Where the page hands over what the worker is made of, the scripts stand before this one
// in the blob and ASSENT_GIVEN is a promise of the compiled modules; else they are fetched.
const given = (name) => self.ASSENT_GIVEN?.then((modules) => modules[name]);
self.trustedTypes?.createPolicy("default", {
  createScriptURL: (address) => (address.startsWith(self.ASSENT_BASE) ? address : null),
});
// Compiled while the engine is fetched.
self.ASSENT_SQLITE = given("sqlite") ?? WebAssembly.compileStreaming(fetch(self.ASSENT_BASE + "sqlite/sql-wasm-browser.wasm")).catch(() => null);

// The dropped file as sql.js sees it: what looks like a typed array and is read block by block. SQLite asks once for
// each page, most often of the block that it read last: those reads never leave JavaScript. `read(from, to)` answers
// the others.
self.ASSENT_LAZY = (length, read) => {
  let block, first, end = 0;
  const refuse = () => {
    throw { name: "ErrnoError", errno: 29 };
  };
  const file = {
    length,
    byteLength: length,
    buffer: null,
    set: refuse,
    slice: () => file,
    subarray: (from, to) => (to <= end && from >= first ? block.subarray(from - first, to - first) : read(from, to)),
  };
  return {
    file,
    // Reads of `content`, whose bytes begin at `at`, are answered at once from now on.
    remember(content, at) {
      block = content;
      first = at;
      end = at + content.length;
    },
  };
};

if (self.ASSENT_GIVEN === undefined) importScripts(self.ASSENT_BASE + "engine.js");
wasm_bindgen({ module_or_path: given("engine") ?? self.ASSENT_BASE + "engine_bg.wasm" }).catch((error) =>
  self.postMessage({ body: JSON.stringify({ Died: { message: String(error) } }) }),
);
