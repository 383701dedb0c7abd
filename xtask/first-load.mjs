// Prints what the first load of dist/ weighs, and fails when it is over its budget.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";

const PAGE_WASM_MAX = 250_000;
const FIRST_LOAD_MAX = 350_000;

const dist = fileURLToPath(new URL("../dist/", import.meta.url));
const html = readFileSync(join(dist, "index.html"), "utf8");
const files = readdirSync(dist, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(dist.length).replaceAll("\\", "/"))
  .sort();
const referenced = new Set(
  [...html.matchAll(/(?:href|src|data-js|data-wasm)="([^"]+)"/g)].map(([, address]) => address.replace(/^\.?\//, "")),
);

function weigh(name) {
  const bytes = readFileSync(join(dist, name));
  const options = { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } };
  return { name, raw: bytes.length, brotli: brotliCompressSync(bytes, options).length };
}

function table(title, rows) {
  const total = rows.reduce((sum, row) => ({ raw: sum.raw + row.raw, brotli: sum.brotli + row.brotli }), { raw: 0, brotli: 0 });
  console.log(`\n${title.padEnd(44)}${"raw".padStart(11)}${"brotli".padStart(11)}`);
  for (const row of [...rows, { name: "total", ...total }]) {
    console.log(`  ${row.name.padEnd(42)}${String(row.raw).padStart(11)}${String(row.brotli).padStart(11)}`);
  }
  return total.brotli;
}

// The page's script imports the one that loads the driver.
const isFirst = (name) => name === "index.html" || referenced.has(name) || name.endsWith("_parts.js");
const isDriver = (name) => name.endsWith("_driver.wasm");
const first = files.filter(isFirst).map(weigh);
const total = table("First load (bytes)", first);
table("Loaded when the person first acts (bytes)", files.filter(isDriver).map(weigh));
const isPart = (name) => /^(charts|editor)-.*\.js$/.test(name);
const isIdle = (name) => ["offline.js", "sw.js"].includes(name);
table("Loaded when the page is idle (bytes); sw.js then keeps the rest", files.filter(isIdle).map(weigh));
const isShipped = (name) => name === "notices.txt" || name.startsWith("icons/");
table("Loaded when SQL and a result are there (bytes)", files.filter(isPart).map(weigh));
const isEngine = (name) => ![isFirst, isDriver, isPart, isIdle, isShipped].some((is) => is(name));
table("Loaded when a file is opened (bytes)", files.filter(isEngine).map(weigh));

const page = first.find(({ name }) => name.endsWith("_bg.wasm"));
if (page === undefined) {
  console.error("\ndist/index.html names no page wasm: build the page with Trunk, then measure again");
  process.exit(1);
}
const early = first.filter(({ name }) => isPart(name));
if (early.length > 0) {
  console.error(`\n${early.map(({ name }) => name).join(", ")}: named in dist/index.html so that it loads at once; scripts/bundle.mjs names it`);
  process.exit(1);
}
const verdict = (what, bytes, max) => {
  console.log(`${bytes <= max ? "ok  " : "OVER"} ${what}: ${bytes} of ${max} bytes`);
  return bytes <= max;
};
console.log();
const fits = [verdict("page wasm, brotli", page.brotli, PAGE_WASM_MAX), verdict("first load, brotli", total, FIRST_LOAD_MAX)];
process.exit(fits.every(Boolean) ? 0 : 1);
