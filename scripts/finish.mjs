// Trunk's hook after a build: cuts the page's wasm (xtask/split), makes the scripts that load on demand
// (bundle.mjs), and lists all of it for the service worker (offline/list.mjs). One after the other, as each changes
// what the next one reads.
import { spawnSync } from "node:child_process";

const split = ["run", "--quiet", "--locked", "--package", "split"];
const { status, error } = spawnSync("cargo", split, { stdio: "inherit" });
if (status !== 0) {
  console.error(`scripts: cargo ${split.join(" ")}: ${error?.message ?? `failed (${status})`}`);
  process.exit(1);
}
await import("./bundle.mjs");
await import("./offline/list.mjs");
