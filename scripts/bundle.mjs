// Trunk's hook after a build: makes the scripts that the page loads on demand, names them in index.html, and
// writes the licences of what went into them.
import { existsSync, readFileSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("../", import.meta.url));
const PARTS = ["charts", "editor"];
/** Shipped as they are, without esbuild: see index.html. */
const SHIPPED = ["node_modules/sql.js"];

function fail(message) {
  console.error(`scripts: ${message}`);
  process.exit(1);
}

const dist = process.env.TRUNK_STAGING_DIR ?? fail("TRUNK_STAGING_DIR is not set: Trunk runs this, see Trunk.toml");

/** The file that each part became, and the packages that it holds. */
async function bundle() {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: Object.fromEntries(PARTS.map((part) => [part, `scripts/${part}/main.js`])),
    entryNames: "[name]-[hash]",
    outdir: dist,
    bundle: true,
    format: "esm",
    target: "es2022",
    minify: true,
    legalComments: "none",
    metafile: true,
    logLevel: "warning",
  });
  const packages = new Set(SHIPPED);
  const files = {};
  for (const [path, { entryPoint, inputs }] of Object.entries(metafile.outputs)) {
    files[entryPoint.split("/")[1]] = relative(dist, join(root, path)).replaceAll("\\", "/");
    for (const input of Object.keys(inputs)) {
      const [folder] = input.match(/^node_modules\/(?:@[^/]+\/)?[^/]+/) ?? [];
      if (folder !== undefined) packages.add(folder);
    }
  }
  return { files, packages: [...packages].sort() };
}

/** index.html says where the parts are. It is replaced in one step, since other hooks read it. */
function name(files) {
  const page = join(dist, "index.html");
  const html = readFileSync(page, "utf8");
  const attributes = PARTS.map((part) => `data-${part}="./${files[part]}" `).join("");
  if (!html.includes("data-js=")) fail("index.html has no data-js: see pattern_script in Trunk.toml");
  writeFileSync(`${page}.new`, html.replace("data-js=", `${attributes}data-js=`));
  renameSync(`${page}.new`, page);
}

/** Also those of what a package took over from others, in a folder of that name. */
function licences(folder) {
  const own = readdirSync(folder, { withFileTypes: true }).filter(({ name }) => /^(licen[cs]e|notice|copying)/i.test(name));
  return own
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? readdirSync(path).map((name) => join(path, name)) : [path];
    })
    .sort();
}

function notices(packages) {
  const texts = packages.map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
    const words = licences(join(root, folder)).map((file) => readFileSync(file, "utf8").trim());
    return [`${name} ${version} (${license})`, ...words].join("\n\n");
  });
  writeFileSync(join(dist, "notices.txt"), `${texts.join(`\n\n${"-".repeat(80)}\n\n`)}\n`);
}

if (!existsSync(join(root, "node_modules/esbuild"))) fail("node_modules is not complete: run `npm ci --ignore-scripts`");
const { files, packages } = await bundle();
name(files);
notices(packages);
