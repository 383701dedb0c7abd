import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Engine, WORKER_SCRIPT } from "./engine";
import { expect, nativeRows, sample, test } from "./fixtures";
import { fixture, Person } from "./person";

const data = process.env.ASSENT_DATA ?? fileURLToPath(new URL("../../../shared/data", import.meta.url));
const budget = { rows_max: 1000, bytes_max: 1 << 24, time_ms: 5000, preview_rows: 50, cell_chars: 100 };

const hash = (sql: string) => createHash("sha256").update(sql).digest("hex");
const carried = (path: string) => ({ name: basename(path), base64: readFileSync(path).toString("base64") });

async function opened(engine: Engine, path: string, beside: Record<string, string> = {}) {
  const files = Object.entries({ file: path, ...beside }).map(([part, path]) => [part, carried(path)]);
  return engine.ask({ Open: { id: 1 } }, ["Opened", "NotOpened"], Object.fromEntries(files));
}

/** A cell of native SQLite and one of the engine, in the same words. */
function spelled(cell: unknown): string {
  if (cell === null) return "null";
  if (typeof cell === "object") {
    if ("blob" in cell) return `blob ${(cell as { blob: string }).blob.length / 2}`;
    return `number ${Object.values(cell)[0]}`;
  }
  return typeof cell === "number" ? `number ${cell}` : `text ${cell}`;
}

function told(cell: any): string {
  if (cell === "Null") return "null";
  if ("Integer" in cell) return `number ${cell.Integer}`;
  if ("Real" in cell) return `number ${cell.Real}`;
  if ("Blob" in cell) return `blob ${cell.Blob.bytes}`;
  return `text ${cell.Text ?? cell.TextHead.text}`;
}

async function run(engine: Engine, sql: string, approved = hash(sql), result = 1) {
  return engine.ask({ Run: { id: 2, sql, approved, result, budget } }, ["Ran", "RunFailed"]);
}

test("a file is opened, described, and queried as native SQLite does", async ({ page }) => {
  const sql = "SELECT id, name, price FROM products ORDER BY id LIMIT 20";
  const native = nativeRows(sample, sql);
  const engine = await Engine.start(page);
  const { Opened, NotOpened } = await opened(engine, sample);
  expect(NotOpened).toBeUndefined();
  expect(Opened.schema.tables.length).toBeGreaterThanOrEqual(8);
  expect(Opened.findings).toEqual([]);
  const { Ran } = await run(engine, sql);
  const values = Ran.preview.map((row: Record<string, unknown>[]) => row.map((cell) => Object.values(cell)[0]));
  expect(values).toEqual(native.rows);
  const window = await engine.ask({ Window: { id: 3, of: { result: 1, first: 5, count: 10, part: "Glance" } } }, ["Window", "NoWindow"]);
  expect(window.Window.result).toBe(1);
  expect(window.bytes).toBeGreaterThan(0);
});

test("only the approved bytes run, and only if the guard allows them", async ({ page }) => {
  const engine = await Engine.start(page);
  await opened(engine, sample);
  const other = await run(engine, "SELECT 1", hash("SELECT 2"));
  expect(other.RunFailed.error).toBe("NotApproved");
  for (const sql of ["DELETE FROM orders", "PRAGMA query_only=0", "EXPLAIN PRAGMA query_only=0", "SELECT 1; SELECT 2", "ATTACH ':memory:' AS z"]) {
    const refused = await run(engine, sql);
    expect(JSON.stringify(refused.RunFailed.error), sql).toContain("Refused");
    const { Checked } = await engine.ask({ Check: { id: 4, sql } }, ["Checked"]);
    expect(Checked.verdict, sql).toHaveProperty("Deny");
  }
});

test("files that are no databases are named, with nothing opened", async ({ page }) => {
  const engine = await Engine.start(page);
  expect((await opened(engine, fixture("zero.db"))).NotOpened.finding).toBe("Empty");
  expect((await opened(engine, fixture("text.db"))).NotOpened.finding).toHaveProperty("NotSqlite");
  expect((await opened(engine, fixture("other.db"))).Opened.schema.tables[0].name).toBe("planets");
});

const ODD_VALUES = `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 2999)
  SELECT i, NULL, '', 'NULL', x'', x'00ff', 0.1, -0.0, 1e999, -1e999, 9007199254740991 + i, 9007199254740992 + i, -9007199254740993 - i,
    9223372036854775807, -9223372036854775808, 'a' || char(0) || 'b', CAST(x'ff41c3' AS TEXT), '名🦀', substr('abcdefgh', 1, i % 9),
    zeroblob(i % 7 * 40), CASE i WHEN 1500 THEN replace(hex(zeroblob(1200000)), '00', 'x') END, i AS a, i * 2 AS a FROM n`;

test("rows are the same with the filler, without it, and in native SQLite", async ({ page }) => {
  const wide = `SELECT ${Array.from({ length: 1990 }, (_, i) => (i % 3 === 0 ? i : `'c${i}'`)).join(", ")}`;
  const budget = { rows_max: 100_000, bytes_max: 1 << 27, time_ms: 20_000, preview_rows: 200, cell_chars: 60 };
  const seen = [];
  for (const plain of [false, true]) {
    const engine = await Engine.start(page, { plain });
    await opened(engine, fixture("other.db"));
    const replies = [];
    for (const [at, sql] of [ODD_VALUES, wide, "SELECT 1 WHERE 0"].entries()) {
      const { Ran, RunFailed } = await engine.ask({ Run: { id: 2, sql, approved: hash(sql), result: at, budget } }, ["Ran", "RunFailed"]);
      expect(RunFailed).toBeUndefined();
      const { rows, truncated, columns } = Ran.meta;
      replies.push({ rows, truncated, columns, preview: Ran.preview });
      for (let first = 0; first < rows; first += 500) {
        const { sum, bytes } = await engine.ask({ Window: { id: 3, of: { result: at, first, count: 500, part: "Whole" } } }, ["Window"]);
        replies.push({ sum, bytes });
      }
    }
    seen.push(replies);
  }
  expect(seen[0]).toEqual(seen[1]);
  const native = nativeRows(fixture("other.db"), `${ODD_VALUES} LIMIT 20`);
  expect(seen[0][0]).toMatchObject({ rows: 3000, truncated: false, columns: native.columns });
  const values = native.rows.map((row) => row.map(spelled));
  expect((seen[0][0].preview as object[][]).slice(0, 20).map((row) => row.map(told))).toEqual(values);
});

test("rows that are only in the -wal are shown when it comes along, and missed out loud when not", async ({ page }) => {
  const engine = await Engine.start(page);
  const names = async () => {
    const { Ran } = await run(engine, "SELECT name FROM planets ORDER BY name");
    return Ran.preview.map(([cell]: { Text: string }[]) => cell.Text);
  };
  const { Opened: alone } = await opened(engine, fixture("used.db"));
  expect(alone.findings).toEqual(["WalMissing"]);
  expect(await names()).toEqual(["Earth", "Mars"]);
  const { Opened: both } = await opened(engine, fixture("used.db"), { wal: fixture("used.db-wal") });
  expect(both.findings).toEqual([{ WalMerged: { frames: 2 } }]);
  expect(both.fingerprint, "its chats go on").toEqual(alone.fingerprint);
  expect(await names()).toEqual(["Earth", "Jupiter", "Mars"]);
  // Any file that does not begin with a zero stands for the journal of a write that was interrupted.
  const { Opened: hot } = await opened(engine, fixture("other.db"), { journal: fixture("text.db") });
  expect(hot.findings).toEqual(["HotJournal"]);
});

test("a -wal is taken along with its database in either order, and also afterwards", async ({ page }) => {
  const person = new Person(page);
  const [main, wal] = [fixture("used.db"), fixture("used.db-wal")];
  for (const files of [[main, wal], [wal, main]]) {
    await page.goto("/");
    await person.open(files);
    await expect(page.getByText("The -wal file was read too").first()).toBeVisible();
  }
  await page.goto("/");
  await person.open(main);
  await expect(page.getByText("Open the .db and the .db-wal file together").first()).toBeVisible();
  await page.locator("#file-input").setInputFiles(wal);
  await expect(page.getByText("The -wal file was read too").first()).toBeVisible();
});

test("the page's worker works, and reaches no other address in any way", async ({ page }) => {
  const heard: string[] = [];
  const elsewhere = createServer((request, response) => {
    heard.push(`${request.method} ${request.url}`);
    response.writeHead(200, { "Access-Control-Allow-Origin": "*" }).end("self.reached = 1");
  });
  elsewhere.on("upgrade", (request, socket) => {
    heard.push(`upgrade ${request.url}`);
    socket.destroy();
  });
  await new Promise<void>((resolve) => elsewhere.listen(0, "127.0.0.1", resolve));
  const address = `127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
  await page.goto("/");
  await new Person(page).open(sample);
  await expect(page.getByText("read-only").first()).toBeVisible();
  // The page itself reaches it: it must be able to ask a model.
  expect(await page.evaluate((address) => fetch(`http://${address}/page`).then((r) => r.text()), address)).toContain("reached");
  const outcome = await page.workers()[0].evaluate(async (address) => {
    const attempt = async (act: () => unknown) => {
      try {
        return String(await act());
      } catch {
        return "refused";
      }
    };
    const opens = (source: any, open: string) =>
      new Promise((resolve) => {
        source[open] = () => resolve("reached");
        source.onerror = () => resolve("refused");
      });
    return {
      fetch: await attempt(() => fetch(`http://${address}/fetch`).then(() => "reached")),
      opaque: await attempt(() => fetch(`http://${address}/opaque`, { mode: "no-cors" }).then(() => "reached")),
      request: await attempt(() => {
        const request = new XMLHttpRequest();
        request.open("POST", `http://${address}/request`);
        request.send("rows");
        return opens(request, "onload");
      }),
      socket: await attempt(() => opens(new WebSocket(`ws://${address}/socket`), "onopen")),
      events: await attempt(() => opens(new EventSource(`http://${address}/events`), "onopen")),
      script: await attempt(() => (importScripts(`http://${address}/script`), "reached")),
      worker: await attempt(() => (new Worker(`http://${address}/worker`), "reached")),
      ownPart: await attempt(() => fetch(`${(self as any).ASSENT_BASE}engine_bg.wasm`).then(() => "reached")),
      ownFile: await attempt(() => fetch(`${(self as any).ASSENT_BASE}sample/shop.db`).then(() => "reached")),
    };
  }, address);
  elsewhere.close();
  expect(new Set(Object.values(outcome)), JSON.stringify(outcome)).toEqual(new Set(["refused"]));
  expect(heard).toEqual(["GET /page"]);
});

test("the worker loads no script from elsewhere and asks only the page's own address", async ({ page, watch, site }) => {
  await Engine.start(page);
  const worker = page.workers()[0];
  const outcome = await worker.evaluate(async () => {
    try {
      importScripts("data:text/javascript,self.reached=1");
      return "ran";
    } catch {
      return "refused";
    }
  });
  expect(outcome).toBe("refused");
  expect([...watch.origins]).toEqual([new URL(site.url).origin]);
});

test("odd files of the public data open as the file doctor says", async ({ page }) => {
  if (!existsSync(join(data, "odd"))) {
    test.info().annotations.push({ type: "skipped", description: "the public data is not beside the project" });
    console.log("skipped: the public data is not beside the project");
    return;
  }
  const engine = await Engine.start(page);
  const findings = async (name: string) => {
    const reply = await opened(engine, join(data, "odd", name));
    return JSON.stringify(reply.Opened?.findings ?? reply.NotOpened.finding);
  };
  expect(await findings("enc.db")).toContain("Encrypted");
  expect(await findings("trunc.db")).toContain("Truncated");
  expect(await findings("utf16.db")).toContain("Utf16");
  expect(await findings("wal.db")).toContain("WalMissing");
  expect(await findings("fts5.db")).toContain("MissingModule");
  expect(await findings("odd.db")).toContain("BrokenView");
  const { Ran } = await run(engine, "SELECT 9223372036854775807 AS big, 1e999 AS inf, NULL AS n, '' AS e, x'00ff' AS b");
  expect(JSON.stringify(Ran.preview)).toContain("Inf");
});

test("a worker that is ended at any moment leaves a page that works", async ({ page }) => {
  const kills = Number(process.env.ASSENT_KILLS ?? 20);
  test.setTimeout(30_000 + kills * 1_000);
  const engine = await Engine.start(page);
  const file = carried(sample);
  const outcome = await page.evaluate(async ({ kills, file, budget, sql, approved, script }) => {
    const base = new URL("./", document.baseURI).href;
    const bytes = Uint8Array.from(atob(file.base64), (c) => c.charCodeAt(0));
    const database = new File([bytes], file.name);
    const text = `self.ASSENT_BASE=${JSON.stringify(base)};\n${script}`;
    const address = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
    let seed = 20_260_701;
    const random = () => (seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0) / 2 ** 32;
    const run = { Run: { id: 2, sql, approved, result: 1, budget } };
    // Starts a worker, opens the file and runs; ends it after so many of its messages, or in the middle of the next.
    const start = (killAfter: number) =>
      new Promise<string>((resolve) => {
        const worker = new Worker(address);
        let heard = 0;
        const end = (how: string) => {
          worker.terminate();
          resolve(how);
        };
        worker.onmessage = ({ data }) => {
          const reply = JSON.parse(data.body);
          if (reply === "Ready") worker.postMessage({ body: JSON.stringify({ Open: { id: 1 } }), file: database });
          else if (reply.Opened) worker.postMessage({ body: JSON.stringify(run) });
          else if (reply.Ran) return end(`ran ${reply.Ran.meta.rows}`);
          else if (reply.Died || reply.RunFailed || reply.NotOpened) return end(data.body);
          if (heard++ === Math.floor(killAfter)) setTimeout(() => end("ended"), (killAfter % 1) * 30);
        };
        if (killAfter < 0) setTimeout(() => end("ended"), -killAfter * 60);
      });
    const seen: Record<string, number> = {};
    for (let kill = 0; kill < kills; kill++) {
      const how = await start(random() * 6 - 1.5);
      seen[how] = (seen[how] ?? 0) + 1;
    }
    return { seen, last: await start(Infinity) };
  }, { script: WORKER_SCRIPT, kills, file, budget: { ...budget, rows_max: 50_000 }, sql: "SELECT a.id, b.id FROM orders a, orders b LIMIT 20000", approved: hash("SELECT a.id, b.id FROM orders a, orders b LIMIT 20000") });
  console.log(JSON.stringify(outcome.seen));
  expect(outcome.last).toBe("ran 20000");
  expect(Object.keys(outcome.seen).filter((how) => how !== "ended" && how !== "ran 20000")).toEqual([]);
  expect(outcome.seen.ended).toBeGreaterThan(kills / 4);
  // The page itself still answers.
  const { Opened } = await opened(engine, fixture("other.db"));
  expect(Opened.schema.tables[0].name).toBe("planets");
});
