import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

export type Cell = string | number | null | { integer: string } | { real: string } | { blob: string };

export interface NativeRows {
  columns: string[];
  rows: Cell[][];
}

const root = fileURLToPath(new URL("../../", import.meta.url));

/** The sample database's path, for file inputs and for native queries. */
export const sample = fileURLToPath(new URL("../../public/sample/shop.db", import.meta.url));

/** What native SQLite returns. Whole numbers outside of JavaScript's exact range come as `{ integer }`. */
export function nativeRows(database: string, sql: string): NativeRows {
  const cargo = process.env.CARGO ?? "cargo";
  const args = ["run", "--quiet", "--locked", "--profile", "test", "--package", "assent", "--example", "native_query", "--", database, sql];
  const printed = execFileSync(cargo, args, { cwd: root, encoding: "utf8", maxBuffer: 256 * 1024 * 1024 });
  return JSON.parse(printed) as NativeRows;
}
