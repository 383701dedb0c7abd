// Makes shop.db beside this script: a small shop with orders over three years.
// The same bytes on every run: seeded random numbers, fixed dates, no clock.
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import initSqlJs from "sql.js";
import { fill } from "./rows.mjs";
import { indexes, tables, views } from "./schema.mjs";

const target = fileURLToPath(new URL("shop.db", import.meta.url));

function build(SQL) {
  const db = new SQL.Database();
  db.run("PRAGMA page_size = 4096; PRAGMA foreign_keys = ON;");
  for (const text of tables) db.run(text);
  db.run("BEGIN");
  fill(db);
  db.run("COMMIT");
  for (const text of [...indexes, ...views]) db.run(text);
  const broken = db.exec("PRAGMA foreign_key_check");
  if (broken.length > 0) {
    throw new Error(`foreign keys do not hold: ${JSON.stringify(broken[0].values.slice(0, 5))}`);
  }
  db.run("ANALYZE; VACUUM;");
  const counts = countRows(db);
  const bytes = db.export();
  db.close();
  return { bytes, counts };
}

function countRows(db) {
  const names = db
    .exec("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name")[0]
    .values.flat();
  return names.map((name) => [name, db.exec(`SELECT count(*) FROM "${name}"`)[0].values[0][0]]);
}

const digest = (bytes) => createHash("sha256").update(bytes).digest("hex");

const SQL = await initSqlJs();
const first = build(SQL);
const second = build(SQL);
if (digest(first.bytes) !== digest(second.bytes)) {
  throw new Error("two runs made different bytes: look for a clock or an unseeded random number in rows.mjs");
}
writeFileSync(target, first.bytes);
for (const [name, rows] of first.counts) console.log(`${name.padEnd(14)} ${String(rows).padStart(7)}`);
const total = first.counts.reduce((sum, [, rows]) => sum + rows, 0);
console.log(`${"total".padEnd(14)} ${String(total).padStart(7)} rows, ${first.bytes.length} bytes, sha256 ${digest(first.bytes).slice(0, 16)}`);
