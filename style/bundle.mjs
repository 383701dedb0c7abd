// Makes one style sheet of style/main.css and the files that it imports, so that the page loads one file.
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL(".", import.meta.url));
const target = fileURLToPath(new URL("../target/style/assent.css", import.meta.url));
const seen = new Set();

function fail(message) {
  console.error(`style: ${message}`);
  process.exit(1);
}

function read(name) {
  const path = join(root, name);
  if (!existsSync(path)) fail(`style/${name} does not exist: create it, or take its @import out of style/main.css`);
  return readFileSync(path, "utf8").replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s+/gm, "");
}

function inline(text) {
  return text.replace(/@import\s+(?:url\()?"([^"]+)"\)?\s*(?:layer\(([\w-]+)\))?\s*;/g, (_, name, layer) => {
    const file = name.replace(/^\.\//, "");
    seen.add(file);
    const body = read(file);
    return layer === undefined ? body : `@layer ${layer} {\n${body}}\n`;
  });
}

const bundle = inline(read("main.css"));
if (bundle.includes("@import")) {
  fail('an @import was not understood: write @import "file.css"; or @import "file.css" layer(name); and only in style/main.css');
}
for (const entry of readdirSync(root, { recursive: true })) {
  const file = String(entry).replaceAll("\\", "/");
  if (file.endsWith(".css") && file !== "main.css" && !seen.has(file)) {
    fail(`style/${file} is not used: add @import "${file}"; to style/main.css, or remove the file`);
  }
}
mkdirSync(join(target, ".."), { recursive: true });
if (!existsSync(target) || readFileSync(target, "utf8") !== bundle) writeFileSync(target, bundle);
