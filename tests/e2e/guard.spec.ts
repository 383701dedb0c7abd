import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import initSqlJs from "sql.js";
import { Engine } from "./engine";
import { expect, test } from "./fixtures";
import { Person, propose } from "./person";

/** The corpus that tests/it/guard.rs tries on native SQLite. */
const corpus = (name: string) => readFileSync(fileURLToPath(new URL(`../fixtures/guard/${name}`, import.meta.url)), "utf8");
const { refused, allowed } = JSON.parse(corpus("statements.json")) as { refused: { sql: string; rule: string; token: string }[]; allowed: string[] };
const budget = { rows_max: 1000, bytes_max: 1 << 20, time_ms: 5000, preview_rows: 50, cell_chars: 400 };

const hash = (content: string | Buffer) => createHash("sha256").update(content).digest("hex");

/** All that the database holds, its schema, and how often it was written. */
const CONTENT = `SELECT total_changes(), (SELECT group_concat(type || name || rootpage || ifnull(sql, ''), x'0a') FROM sqlite_schema),
  (SELECT group_concat(quote(id) || quote(name) || quote("delete")) FROM a), (SELECT group_concat(quote(id) || quote(name) || quote(note)) FROM b),
  (SELECT group_concat(quote(k) || quote(x) || quote(y)) FROM w), (SELECT count(*) FROM "order details"), (SELECT group_concat(quote(body)) FROM f),
  (SELECT group_concat(quote(block)) FROM f_segments), (SELECT group_concat(quote(root)) FROM f_segdir)`;

async function opened(engine: Engine, path: string) {
  const { Database } = await initSqlJs();
  const database = new Database();
  database.run(corpus("schema.sql"));
  writeFileSync(path, database.export());
  const { Opened } = await engine.openOnDisk(path);
  expect(Opened.findings).toEqual([]);
}

test("the worker refuses and allows what native SQLite does, and nothing changes a byte of the file", async ({ page }, info) => {
  test.setTimeout(60_000);
  const path = info.outputPath("guarded.db");
  const engine = await Engine.start(page);
  await opened(engine, path);
  const before = hash(readFileSync(path));
  const run = (sql: string) => engine.ask({ Run: { id: 2, sql, approved: hash(sql), result: 1, budget } }, ["Ran", "RunFailed"]);
  const content = async () => JSON.stringify((await run(CONTENT)).Ran.preview);
  const atFirst = await content();
  expect(atFirst).toContain("some words");
  for (const { sql, rule, token } of refused) {
    const { Checked } = await engine.ask({ Check: { id: 3, sql } }, ["Checked"]);
    // A function that this build lacks is refused by SQLite itself.
    if (!Checked.verdict.Invalid?.message.startsWith("no such function")) expect(Checked.verdict.Deny, sql).toMatchObject({ rule, token });
    expect(JSON.stringify((await run(sql)).RunFailed.error), sql).toContain("Refused");
  }
  for (const sql of allowed) {
    const { Checked } = await engine.ask({ Check: { id: 3, sql } }, ["Checked"]);
    expect(Checked.verdict, sql).toHaveProperty("Allow");
    expect((await run(sql)).Ran, sql).toBeDefined();
  }
  expect(await content()).toBe(atFirst);
  expect(hash(readFileSync(path))).toBe(before);
  expect(readdirSync(dirname(path))).toEqual(["guarded.db"]);
});

test("a query that never ends is stopped at any moment, and the next question is answered", async ({ page, model }) => {
  const stops = Math.ceil(Number(process.env.ASSENT_KILLS ?? 20) / 5);
  test.setTimeout(30_000 + stops * 5_000);
  const endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";
  const person = await new Person(page).arrive(model);
  for (let stop = 0; stop < stops; stop++) {
    model.script([propose(endless)]);
    await person.ask(`Count without end, ${stop}`);
    await person.approve();
    await page.evaluate((ms) => new Promise((resolve) => setTimeout(resolve, ms)), (stop * 137) % 400);
    await person.button("Stop").click();
    const turn = person.transcript.getByRole("article").nth(stop);
    await expect(turn).toContainText(`Count without end, ${stop}`);
    await expect(turn).toContainText("Stopped.");
  }
  model.script([propose("SELECT count(*) AS n FROM products"), { text: "There they are." }]);
  await person.ask("How many products?");
  await person.approve();
  await expect(person.transcript).toContainText("There they are.");
  expect(await person.rows()).toHaveLength(1);
});
