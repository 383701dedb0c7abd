// Writes dist/sw.js: for a release, the service worker with the list of all files and their hashes; else one that
// takes an earlier one away, so that nobody is shown an old page while the code changes.
import { createHash } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const dist = process.env.TRUNK_STAGING_DIR;
const isKept = process.env.TRUNK_PROFILE === "release" && process.env.ASSENT_OFFLINE !== "false";
const script = (name) => readFileSync(new URL(name, import.meta.url), "utf8");
const hash = (bytes) => createHash("sha256").update(bytes).digest();

const page = join(dist, "index.html");
const html = readFileSync(page, "utf8").replace(/ data-version="\w+"/, "");

if (isKept) {
  list();
} else {
  writeFileSync(page, html);
  writeFileSync(join(dist, "sw.js"), script("retire.js"));
}

function list() {
  const names = readdirSync(dist, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(dist.length).replaceAll("\\", "/").replace(/^\//, ""))
    .filter((name) => !["index.html", "sw.js"].includes(name))
    .sort();
  const files = Object.fromEntries(names.map((name) => [name, hash(readFileSync(join(dist, name))).toString("base64")]));
  const worker = script("sw.js");
  const version = hash(JSON.stringify([html, files, worker])).toString("hex").slice(0, 16);
  // The page says which version it is, so that the worker of another one does not answer it.
  const marked = html.replace(" data-js=", ` data-version="${version}" data-js=`);
  writeFileSync(page, marked);
  files[""] = hash(marked).toString("base64");
  writeFileSync(join(dist, "sw.js"), `const VERSION = "${version}";\nconst FILES = ${JSON.stringify(files)};\n${worker}`);
}
