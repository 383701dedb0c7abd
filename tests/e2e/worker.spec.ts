import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Engine } from "./engine";
import { expect, nativeRows, sample, test } from "./fixtures";
import { fixture } from "./person";

const data = process.env.ASSENT_DATA ?? fileURLToPath(new URL("../../../shared/data", import.meta.url));
const budget = { rows_max: 1000, bytes_max: 1 << 24, time_ms: 5000, preview_rows: 50, cell_chars: 100 };

const hash = (sql: string) => createHash("sha256").update(sql).digest("hex");
const carried = (path: string) => ({ name: basename(path), base64: readFileSync(path).toString("base64") });

async function opened(engine: Engine, path: string) {
  return engine.ask({ Open: { id: 1 } }, ["Opened", "NotOpened"], carried(path));
}

async function run(engine: Engine, sql: string, approved = hash(sql), result = 1) {
  return engine.ask({ Run: { id: 2, sql, approved, result, budget } }, ["Ran", "RunFailed"]);
}

test("a file is opened, described, and queried as native SQLite does", async ({ page }) => {
  const sql = "SELECT id, name, price FROM products ORDER BY id LIMIT 20";
  const native = nativeRows(sample, sql);
  const engine = await Engine.start(page);
  const { Opened } = await opened(engine, sample);
  expect(Opened.schema.tables.length).toBeGreaterThanOrEqual(8);
  expect(Opened.findings).toEqual([]);
  const { Ran } = await run(engine, sql);
  const values = Ran.preview.map((row: Record<string, unknown>[]) => row.map((cell) => Object.values(cell)[0]));
  expect(values).toEqual(native.rows);
  const window = await engine.ask({ Window: { id: 3, result: 1, first: 5, count: 10 } }, ["Window", "NoWindow"]);
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
