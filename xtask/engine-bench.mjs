// Times the engine's worker in Chromium beside whole-file sql.js, sqlite-wasm, Python and native SQLite, on a database
// that it makes itself. Prints medians and ratios. Keeps nothing, unless a file is named: then it is used again.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { cpus, tmpdir, totalmem, type as system, release } from "node:os";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "@playwright/test";

const [native, megabytes, rounds, kept] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4]), process.argv[5]];
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
// More of the file than the engine may cache.
const PARTS = {
  "SUM of 100 000": "SELECT sum(amount) FROM events WHERE id < 100000",
  "SUM of 14 000 000": "SELECT sum(amount) FROM events WHERE id < 14000000",
};
const whole = megabytes <= WHOLE_MEGABYTES_MAX;
const queries = { "key lookup": LOOKUP, ...(whole ? { ...SCANS, "1 M x 6 rows": ROWS } : PARTS) };
// Keys all over the file, each looked up once: nothing of them is cached.
const COLD = Array.from({ length: 20 }, (_, n) => `SELECT note FROM events WHERE id = ${1 + ((n * 7919) % 97) * Math.floor((megabytes * 1e6) / 64 / 97)}`);
// A statement of four kilobytes for the guard.
const LONG = `SELECT e.id, p.name AS place, q.name AS person FROM events e JOIN people q ON q.id = e.person JOIN places p ON p.id = q.place WHERE e.id < 9${Array.from({ length: 70 }, (_, n) => ` OR (e.kind = ${n % 37} AND e.note LIKE 'note ${n}%' AND e.amount > ${n}.5)`).join("")}`.slice(0, 4_000).replace(/ OR \([^)]*$/, "") + " LIMIT 10";
const CHECKS = 50;

const hash = (sql) => createHash("sha256").update(sql).digest("hex");
const median = (times) => [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)];

// In the page: our worker, driven by its own messages.
async function ours({ startScript, queries, hashes, rounds, cold, long, checks }) {
  const [file, tables] = document.querySelector("input").files;
  const base = new URL("/dist/", location.href).href;
  const script = `self.ASSENT_BASE=${JSON.stringify(base)};\n${startScript}`;
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
    const ask = async (request, reply, file) => {
      const replied = next(reply);
      worker.postMessage({ body: JSON.stringify(request), file });
      return replied;
    };
    const run = (sql) => ask({ Run: { id: 2, sql, approved: hashes[sql], result: 1, budget } }, "Ran");
    await next("Ready");
    note("of that, until ready", performance.now() - start);
    await ask({ Open: { id: 1 } }, "Opened", file);
    note("of that, until open", performance.now() - start);
    await run(queries["key lookup"]);
    note("open + first query", performance.now() - start);
    for (const sql of cold) {
      start = performance.now();
      await run(sql);
      note("key lookup, nothing cached", performance.now() - start);
    }
    for (const [name, sql] of Object.entries(queries)) {
      // The first time fills the cache.
      await run(sql);
      start = performance.now();
      await run(sql);
      note(name, performance.now() - start);
    }
    const window = (of) => ask({ Window: { id: 3, of: { result: 1, first: 0, count: 200, part: "Glance", ...of } } }, "Window");
    for (const [name, of] of Object.entries({
      "first window": {},
      "sort by a number + window": { order: { column: 3, descending: true } },
      "sort by a text + window": { order: { column: 4, descending: false } },
    })) {
      if (queries["1 M x 6 rows"] === undefined) break;
      start = performance.now();
      await window(of);
      note(name, performance.now() - start);
    }
    for (let check = 0; check < checks; check++) {
      start = performance.now();
      const { verdict } = await ask({ Check: { id: 4, sql: long } }, "Checked");
      note("guard, a statement of 4 KB", performance.now() - start);
      if (!verdict.Allow) throw new Error(JSON.stringify(verdict));
    }
    start = performance.now();
    const { schema } = await ask({ Open: { id: 5 } }, "Opened", tables);
    note("open 1 000 tables of 20 columns", performance.now() - start);
    if (schema.tables.length !== 1_000) throw new Error(`${schema.tables.length} tables`);
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
          // The first time warms it up, as the engine's.
          for (let time = 0; time < 2; time++) {
            const statement = db.prepare(sql); start = performance.now();
            while (statement.step()) if (call) statement[call]();
            times[mode === "step" ? name : name + " " + mode] = performance.now() - start; statement.free();
          }
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
        for (let time = 0; time < 2; time++) {
          const statement = db.prepare(sql); start = performance.now();
          while (statement.step()) {}
          times[name] = performance.now() - start; statement.finalize();
        }
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

// Milliseconds of Python's `fetchall`; undefined where there is no Python.
function python(file) {
  const script = `import json, sqlite3, sys, time
times = []
for _ in range(int(sys.argv[3])):
    db = sqlite3.connect(sys.argv[1])
    start = time.perf_counter()
    rows = db.execute(sys.argv[2]).fetchall()
    times.append((time.perf_counter() - start) * 1e3)
    del rows
print(json.dumps(times))`;
  try {
    return JSON.parse(execFileSync("python3", ["-c", script, file, ROWS, String(rounds)], { encoding: "utf8" }));
  } catch {
    console.log("Python is not compared: no python3 with sqlite3 was found");
    return undefined;
  }
}

// Watches the memory of the processes that hold the page and its worker. Gives how far it grew at most, in bytes; NaN
// where the system does not tell.
async function watchMemory() {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  const own = ({ id }) => Number(/RssAnon:\s+(\d+) kB/.exec(readFileSync(`/proc/${id}/status`, "utf8"))?.[1]) * 1024;
  const now = () => {
    try {
      return processInfo.filter(({ type }) => type === "renderer").reduce((sum, process) => sum + own(process), 0);
    } catch {
      return NaN;
    }
  };
  const before = now();
  let most = before;
  const timer = setInterval(() => (most = Math.max(most, now())), 20);
  return () => (clearInterval(timer), most - before);
}

const server = createServer((request, response) => {
  const { pathname } = new URL(request.url, "http://bench");
  if (pathname === "/") return void response.writeHead(200, { "Content-Type": "text/html" }).end("<!doctype html><input type=file multiple>");
  const path = join(root, decodeURIComponent(pathname).replace(/^\/sqlite-wasm\//, "/node_modules/@sqlite.org/sqlite-wasm/sqlite-wasm/jswasm/"));
  if (!path.startsWith(root) || !statSync(path, { throwIfNoEntry: false })?.isFile()) return void response.writeHead(404).end();
  response.writeHead(200, { "Content-Type": TYPES[extname(path)] ?? "application/octet-stream" });
  createReadStream(path).pipe(response);
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const folder = mkdtempSync(join(tmpdir(), "engine-bench-"));
const browser = await chromium.launch({ executablePath: process.env.ASSENT_CHROMIUM || undefined, args: ["--no-sandbox", "--disable-gpu"] });
try {
  const file = kept || join(folder, "bench.db");
  if (!existsSync(file)) execFileSync(native, ["make", file, String(megabytes * 1e6)]);
  const tables = join(folder, "tables.db");
  execFileSync(native, ["make-tables", tables]);
  const page = await browser.newPage();
  page.setDefaultTimeout(0);
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  await page.locator("input").setInputFiles([file, tables]);
  const hashes = Object.fromEntries([...Object.values(queries), ...COLD].map((sql) => [sql, hash(sql)]));
  const grown = await watchMemory();
  const columns = { engine: await page.evaluate(ours, { startScript: readFileSync(join(root, "src/engine/worker/start.js"), "utf8"), queries, hashes, rounds, cold: COLD, long: LONG, checks: CHECKS }) };
  const memory = grown();
  if (whole) {
    columns["sql.js whole"] = await page.evaluate(sqljs, { queries, rounds });
    columns["sqlite-wasm"] = await page.evaluate(sqliteWasm, { queries, rounds });
  }
  const timed = execFileSync(native, ["time", file, String(rounds)], { input: JSON.stringify(queries), encoding: "utf8" });
  columns.native = JSON.parse(timed);
  const fetched = whole && python(file);
  if (fetched) columns.native["1 M x 6 rows, Python's fetchall"] = fetched;
  print(columns, statSync(file).size, memory, browser.version());
} finally {
  await browser.close();
  server.close();
  rmSync(folder, { recursive: true, force: true });
}

function print(columns, bytes, memory, version) {
  const { model } = cpus()[0] ?? { model: "unknown" };
  const sqljs = JSON.parse(readFileSync(join(root, "node_modules/sql.js/package.json"), "utf8")).version;
  console.log(`${system()} ${release()}, ${cpus().length} × ${model}, ${Math.round(totalmem() / 2 ** 30)} GiB; Chromium ${version}; sql.js ${sqljs}`);
  console.log(`${(bytes / 1e6).toFixed(0)} MB, ${rounds} rounds, medians in milliseconds; the engine's run took ${(memory / 1e6).toFixed(0)} MB of memory at most\n`);
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
