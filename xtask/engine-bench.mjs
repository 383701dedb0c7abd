// Times the engine's worker in Chromium beside whole-file sql.js, sqlite-wasm and native SQLite, on a database that it
// makes itself. Prints medians and ratios, and keeps nothing.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { cpus, tmpdir, totalmem, type as system, release } from "node:os";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "@playwright/test";

const [native, megabytes, rounds] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4])];
const root = fileURLToPath(new URL("../", import.meta.url));
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm" };
// A file beyond this cannot be read whole into a page.
const WHOLE_MEGABYTES_MAX = 1_000;

const LOOKUP = "SELECT note FROM events WHERE id = 4321";
const ROWS = "SELECT id, person, kind, amount, note, at FROM events LIMIT 1000000";
const SCANS = {
  "SUM scan": "SELECT sum(amount) FROM events",
  "GROUP BY int": "SELECT person, count(*) FROM events GROUP BY person LIMIT 10",
  "join + group": "SELECT p.name, count(*), sum(e.amount) FROM events e JOIN people q ON q.id = e.person JOIN places p ON p.id = q.place GROUP BY p.id",
  "ORDER BY LIMIT": "SELECT id, amount FROM events ORDER BY amount DESC LIMIT 10",
  "LIKE '%x%'": "SELECT count(*) FROM events WHERE note LIKE '%4711%'",
};
const whole = megabytes <= WHOLE_MEGABYTES_MAX;
const queries = { "key lookup": LOOKUP, ...(whole ? { ...SCANS, "1 M x 6 rows": ROWS } : { "SUM of 100 000": "SELECT sum(amount) FROM events WHERE id < 100000" }) };

const hash = (sql) => createHash("sha256").update(sql).digest("hex");
const median = (times) => [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)];

// In the page: our worker, driven by its own messages.
async function ours({ queries, hashes, rounds }) {
  const file = document.querySelector("input").files[0];
  const base = new URL("/dist/", location.href).href;
  const script = `self.ASSENT_BASE=${JSON.stringify(base)};importScripts(self.ASSENT_BASE+'engine.js');wasm_bindgen({module_or_path:self.ASSENT_BASE+'engine_bg.wasm'});`;
  const times = {};
  const note = (name, ms) => (times[name] ??= []).push(ms);
  for (let round = 0; round < rounds; round++) {
    let start = performance.now();
    const worker = new Worker(URL.createObjectURL(new Blob([script])));
    const next = (names) => new Promise((resolve, reject) => {
      worker.onmessage = ({ data }) => {
        const reply = JSON.parse(data.body);
        if (reply === names || reply[names]) resolve(reply[names]);
        else if (reply.Died || reply.RunFailed || reply.NotOpened || reply.NoWindow) reject(new Error(data.body));
      };
    });
    const budget = { rows_max: 1_000_000, bytes_max: 2 ** 30, time_ms: 600_000, preview_rows: 20, cell_chars: 100 };
    const run = async (sql) => {
      const ran = next("Ran");
      worker.postMessage({ body: JSON.stringify({ Run: { id: 2, sql, approved: hashes[sql], result: 1, budget } }) });
      return ran;
    };
    await next("Ready");
    const opened = next("Opened");
    worker.postMessage({ body: JSON.stringify({ Open: { id: 1 } }), file });
    await opened;
    await run(queries["key lookup"]);
    note("open + first query", performance.now() - start);
    for (const [name, sql] of Object.entries(queries)) {
      // The first time fills the cache.
      await run(sql);
      start = performance.now();
      await run(sql);
      note(name, performance.now() - start);
    }
    start = performance.now();
    const sorted = next("Window");
    const of = { result: 1, first: 0, count: 200, order: { column: 0, descending: true }, part: "Glance" };
    worker.postMessage({ body: JSON.stringify({ Window: { id: 3, of } }) });
    await sorted;
    note("sort last result + window", performance.now() - start);
    worker.terminate();
  }
  return times;
}

// In the page: sql.js with the whole file in memory.
async function sqljs({ queries, rounds }) {
  const file = document.querySelector("input").files[0];
  const script = `importScripts('${location.origin}/node_modules/sql.js/dist/sql-wasm-browser.js');
    onmessage = async ({ data: { file, queries } }) => {
      const times = {}; let start = performance.now();
      const SQL = await initSqlJs({ locateFile: (name) => '${location.origin}/node_modules/sql.js/dist/' + name });
      const db = new SQL.Database(new Uint8Array(await file.arrayBuffer()));
      db.exec(queries["key lookup"]); times["open + first query"] = performance.now() - start;
      for (const [name, sql] of Object.entries(queries)) {
        const modes = name.includes("rows") ? { step: null, get: "get", getAsObject: "getAsObject" } : { step: null };
        for (const [mode, call] of Object.entries(modes)) {
          const statement = db.prepare(sql); start = performance.now();
          while (statement.step()) if (call) statement[call]();
          times[mode === "step" ? name : name + " " + mode] = performance.now() - start; statement.free();
        }
      }
      postMessage(times);
    };`;
  const times = {};
  for (let round = 0; round < rounds; round++) {
    const worker = new Worker(URL.createObjectURL(new Blob([script])));
    worker.postMessage({ file, queries });
    const seen = await new Promise((resolve, reject) => ((worker.onmessage = ({ data }) => resolve(data)), (worker.onerror = reject)));
    for (const [name, ms] of Object.entries(seen)) (times[name] ??= []).push(ms);
    worker.terminate();
  }
  return times;
}

// In the page: SQLite's own build, with the whole file in memory.
async function sqliteWasm({ queries, rounds }) {
  const file = document.querySelector("input").files[0];
  const times = {};
  const script = `import init from '${location.origin}/sqlite-wasm/sqlite3.mjs';
    onmessage = async ({ data: { file, queries } }) => {
      const times = {}; let start = performance.now();
      const sqlite3 = await init(); const db = new sqlite3.oo1.DB();
      const bytes = new Uint8Array(await file.arrayBuffer()); const at = sqlite3.wasm.allocFromTypedArray(bytes);
      db.checkRc(sqlite3.capi.sqlite3_deserialize(db.pointer, "main", at, bytes.length, bytes.length, 0));
      db.exec(queries["key lookup"]); times["open + first query"] = performance.now() - start;
      for (const [name, sql] of Object.entries(queries)) {
        const statement = db.prepare(sql); start = performance.now();
        while (statement.step()) {}
        times[name] = performance.now() - start; statement.finalize();
      }
      postMessage(times);
    };
    postMessage("ready");`;
  for (let round = 0; round < rounds; round++) {
    const worker = new Worker(URL.createObjectURL(new Blob([script], { type: "text/javascript" })), { type: "module" });
    const hear = () => new Promise((resolve, reject) => ((worker.onmessage = ({ data }) => resolve(data)), (worker.onerror = reject)));
    await hear();
    worker.postMessage({ file, queries });
    for (const [name, ms] of Object.entries(await hear())) (times[name] ??= []).push(ms);
    worker.terminate();
  }
  return times;
}

const server = createServer((request, response) => {
  const { pathname } = new URL(request.url, "http://bench");
  if (pathname === "/") return void response.writeHead(200, { "Content-Type": "text/html" }).end("<!doctype html><input type=file>");
  const path = join(root, decodeURIComponent(pathname).replace(/^\/sqlite-wasm\//, "/node_modules/@sqlite.org/sqlite-wasm/sqlite-wasm/jswasm/"));
  if (!path.startsWith(root) || !statSync(path, { throwIfNoEntry: false })?.isFile()) return void response.writeHead(404).end();
  response.writeHead(200, { "Content-Type": TYPES[extname(path)] ?? "application/octet-stream" });
  createReadStream(path).pipe(response);
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const folder = mkdtempSync(join(tmpdir(), "engine-bench-"));
const browser = await chromium.launch({ executablePath: process.env.ASSENT_CHROMIUM || undefined, args: ["--no-sandbox", "--disable-gpu"] });
try {
  const file = join(folder, "bench.db");
  const bytes = Number(execFileSync(native, ["make", file, String(megabytes * 1e6)], { encoding: "utf8" }));
  const page = await browser.newPage();
  page.setDefaultTimeout(0);
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  await page.locator("input").setInputFiles(file);
  const memory = () => page.evaluate(() => performance.memory.usedJSHeapSize);
  const before = await memory();
  const hashes = Object.fromEntries(Object.values(queries).map((sql) => [sql, hash(sql)]));
  const columns = { engine: await page.evaluate(ours, { queries, hashes, rounds }) };
  const grown = (await memory()) - before;
  if (whole) {
    columns["sql.js whole"] = await page.evaluate(sqljs, { queries, rounds });
    columns["sqlite-wasm"] = await page.evaluate(sqliteWasm, { queries, rounds });
  }
  const timed = execFileSync(native, ["time", file, String(rounds)], { input: JSON.stringify(queries), encoding: "utf8" });
  columns.native = JSON.parse(timed);
  print(columns, bytes, grown, browser.version());
} finally {
  await browser.close();
  server.close();
  rmSync(folder, { recursive: true, force: true });
}

function print(columns, bytes, grown, version) {
  const { model } = cpus()[0] ?? { model: "unknown" };
  const sqljs = JSON.parse(readFileSync(join(root, "node_modules/sql.js/package.json"), "utf8")).version;
  console.log(`${system()} ${release()}, ${cpus().length} × ${model}, ${Math.round(totalmem() / 2 ** 30)} GiB; Chromium ${version}; sql.js ${sqljs}`);
  console.log(`${(bytes / 1e6).toFixed(0)} MB, ${rounds} rounds, medians in milliseconds; the page's own heap grew by ${(grown / 1e6).toFixed(1)} MB\n`);
  const names = [...new Set(Object.values(columns).flatMap(Object.keys))];
  const kinds = Object.keys(columns);
  console.log(`| | ${kinds.join(" | ")} | engine / sql.js | engine / native |\n|---|${"---|".repeat(kinds.length + 2)}`);
  for (const name of names) {
    const of = (kind) => (columns[kind]?.[name] ? median(columns[kind][name]) : NaN);
    const shown = (value, digits) => (Number.isFinite(value) ? value.toFixed(digits) : "");
    const ratio = (kind) => shown(of("engine") / of(kind), 2);
    console.log(`| ${name} | ${kinds.map((kind) => shown(of(kind), 1)).join(" | ")} | ${ratio("sql.js whole")} | ${ratio("native")} |`);
  }
}
