import { execFileSync } from "node:child_process";
import { appendFileSync, cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { expect, expectAccessible, nativeRows, sample, test as base } from "./fixtures";
import { Person } from "./person";
import { dist, startSite, type Site } from "./site";

// Visits without a network, and new versions of the page: on a copy of dist/ whose server can be stopped.

const QUESTION = "How many orders are there?";

class Release {
  constructor(
    readonly folder: string,
    readonly site: Site,
  ) {}

  /** Builds the next version: the same page, whose script sets a mark. */
  next(mark: string, { kept = true } = {}): void {
    const script = join(this.folder, "boot.js");
    writeFileSync(script, `globalThis.mark = "${mark}";\n${readFileSync(script, "utf8")}`);
    this.list(kept);
  }

  /** As scripts/finish.mjs does. */
  list(kept = true): void {
    const env = { ...process.env, TRUNK_STAGING_DIR: this.folder, TRUNK_PROFILE: "release", ASSENT_OFFLINE: String(kept) };
    execFileSync(process.execPath, ["scripts/offline/list.mjs"], { env });
  }
}

const test = base.extend<{ release: Release }>({
  serviceWorkers: "allow",
  release: async ({}, use) => {
    const folder = mkdtempSync(join(tmpdir(), "assent-offline-"));
    cpSync(dist, folder, { recursive: true });
    const release = new Release(folder, await startSite(folder));
    release.list();
    await use(release);
    await release.site.stop();
    rmSync(folder, { recursive: true, force: true });
  },
});

/** Opens the page and waits until it is kept, and answered by what is kept. */
async function visit(page: Page, release: Release): Promise<void> {
  await page.goto(release.site.url);
  await page.evaluate(async () => {
    const { serviceWorker } = navigator;
    if (serviceWorker.controller === null) await new Promise((resolve) => serviceWorker.addEventListener("controllerchange", resolve));
  });
}

/** Asks for a new version, and gives what became of it. */
function update(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    await registration.update();
    const worker = registration.installing ?? registration.waiting;
    while (worker?.state === "installing") await new Promise((resolve) => worker.addEventListener("statechange", resolve, { once: true }));
    return worker?.state ?? "none";
  });
}

const mark = (page: Page) => page.evaluate(() => (globalThis as any).mark);
const versions = (page: Page) => page.evaluate(() => caches.keys());

async function askAndApprove(page: Page): Promise<void> {
  const person = new Person(page);
  await person.open(sample);
  await person.ask(QUESTION);
  await person.approve();
  const [[orders]] = nativeRows(sample, "SELECT count(*) FROM orders").rows;
  await expect(person.transcript).toContainText(String(orders));
}

test("after one visit the page works without its server: a file is opened, asked and answered", async ({ page, release }) => {
  await visit(page, release);
  await release.site.stop();
  await page.reload();
  await askAndApprove(page);
  await page.reload();
  await expect(page.getByText(QUESTION).first()).toBeVisible();
});

test("the network may go during the first visit, before a file was opened", async ({ page, release }) => {
  await visit(page, release);
  await release.site.stop();
  await askAndApprove(page);
});

test("the sample is kept, and so is every file of the page", async ({ page, release }) => {
  await visit(page, release);
  const [kept] = await page.evaluate(async () => {
    const names = await caches.keys();
    return Promise.all(names.map(async (name) => (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname.slice(1))));
  });
  const files = readdirSync(release.folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== "sw.js")
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(release.folder.length + 1).replace(/^index\.html$/, ""));
  expect(kept.sort()).toEqual(files.sort());
  await release.site.stop();
  await page.reload();
  await page.getByRole("button", { name: "Try the sample" }).first().click();
  await expect(page.getByText("14 tables").first()).toBeVisible();
});

test("only the page's own files are answered by what is kept: an endpoint is asked as ever", async ({ page, release, model }) => {
  model.script([{ text: "From the endpoint." }]);
  await visit(page, release);
  await page.reload();
  const answers = new Map<string, boolean>();
  page.on("response", (response) => answers.set(response.url(), response.fromServiceWorker()));
  const person = new Person(page);
  await person.open(sample);
  await page.getByRole("button", { name: "Settings", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Settings" });
  await dialog.getByLabel("Endpoint").fill(model.endpoint);
  await dialog.getByLabel("Model", { exact: true }).fill("scripted");
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await person.ask("Are you there?");
  await expect(person.transcript).toContainText("From the endpoint.");
  expect(answers.get(`${model.endpoint}/chat/completions`)).toBe(false);
  expect(answers.get(`${release.site.url}engine_bg.wasm`)).toBe(true);
  const other = await page.evaluate(() => fetch("not-a-file").then((answer) => answer.status));
  expect(other).toBe(404);
  expect(answers.get(`${release.site.url}not-a-file`)).toBe(false);
});

test("a new version waits until the person takes it, and then replaces the old one whole", async ({ page, context, release }) => {
  await visit(page, release);
  const [old] = await versions(page);
  const person = new Person(page);
  await person.open(sample);
  await person.ask(QUESTION);
  await expect(person.card).toBeVisible();

  release.next("second");
  expect(await update(page)).toBe("installed");
  const ready = page.getByText("A new version of Assent is ready.");
  await expect(ready).toBeVisible();
  await expectAccessible(page);
  await page.reload();
  expect(await mark(page)).toBeUndefined();
  await expect(ready).toBeVisible();

  const other = await context.newPage();
  await other.goto(release.site.url);
  expect(await mark(other)).toBeUndefined();
  await page.getByRole("button", { name: "Reload", exact: true }).click();
  await expect(page.getByText("The new version waits: Assent is open in another tab.")).toBeVisible();
  await other.close();

  const loaded = page.waitForEvent("load");
  await page.getByRole("button", { name: "Reload", exact: true }).click();
  await loaded;
  expect(await mark(page)).toBe("second");
  await expect(ready).toHaveCount(0);
  await expect(person.card).toBeVisible();
  const now = await versions(page);
  expect(now).toHaveLength(1);
  expect(now).not.toContain(old);
  await release.site.stop();
  await page.reload();
  expect(await mark(page)).toBe("second");
  await person.open(sample);
  await person.approve();
  await expect(person.transcript).toContainText(String(nativeRows(sample, "SELECT count(*) FROM orders").rows[0][0]));
});

test("a version of which one file arrives damaged is not taken", async ({ page, release }) => {
  await visit(page, release);
  const old = await versions(page);
  release.next("second");
  appendFileSync(join(release.folder, "boot.js"), "// damaged on the way\n");
  expect(await update(page)).toBe("redundant");
  expect(await versions(page)).toEqual(old);
  await release.site.stop();
  await page.reload();
  expect(await mark(page)).toBeUndefined();
  await askAndApprove(page);
});

test("a build that is not to be kept takes the kept one away", async ({ page, release }) => {
  await visit(page, release);
  release.next("second", { kept: false });
  const loaded = page.waitForEvent("load");
  await page.evaluate(() => navigator.serviceWorker.ready.then((registration) => void registration.update()));
  await loaded;
  expect(await mark(page)).toBe("second");
  expect(await versions(page)).toEqual([]);
});

test("a browser without service workers and launches shows the page all the same", async ({ page, release, watch }) => {
  await page.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, "serviceWorker", { get: () => undefined });
    Reflect.deleteProperty(globalThis, "launchQueue");
  });
  const said = page.waitForEvent("console", (message) => message.text().includes("not kept for visits without a network"));
  await page.goto(release.site.url);
  await said;
  await askAndApprove(page);
  expect(watch.consoleErrors).toEqual([]);
});

test("an installed page opens the file that the system starts it with", async ({ page, release }) => {
  await page.addInitScript(() => {
    Object.defineProperty(globalThis, "launchQueue", { value: { setConsumer: (consumer: unknown) => Object.assign(globalThis, { consumer }) } });
  });
  await page.goto(release.site.url);
  const manifest = await page.evaluate(async () => (await fetch(document.querySelector<HTMLLinkElement>("link[rel=manifest]")!.href)).json());
  expect(manifest.file_handlers[0].accept["application/vnd.sqlite3"]).toContain(".db");
  const session = await page.context().newCDPSession(page);
  expect((await session.send("Page.getAppManifest")).errors).toEqual([]);
  for (const { src } of manifest.icons) expect((await page.request.get(`${release.site.url}${src}`)).status(), src).toBe(200);
  await page.waitForFunction(() => "consumer" in globalThis);
  await page.evaluate(async () => {
    const root = await navigator.storage.getDirectory();
    const handle = await root.getFileHandle("shop.db", { create: true });
    const writable = await handle.createWritable();
    await writable.write(await (await fetch("sample/shop.db")).blob());
    await writable.close();
    (globalThis as any).consumer({ files: [handle] });
  });
  await expect(page.getByText("14 tables").first()).toBeVisible();
  await expect(page.getByText("shop.db").first()).toBeVisible();
});
