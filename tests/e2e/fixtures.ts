import AxeBuilder from "@axe-core/playwright";
import { expect, test as base, type Locator, type Page } from "@playwright/test";
import { Model } from "./model";
import { startSite, type Site } from "./site";

/** What the page did that a person does not see. */
export interface Watch {
  /** Console messages of level error, which a failing endpoint may cause rightly. */
  consoleErrors: string[];
  /** Uncaught exceptions, which are always wrong. */
  exceptions: string[];
  /** The origin of every request of the page and of its workers. */
  origins: Set<string>;
}

interface TestFixtures {
  model: Model;
  watch: Watch;
}

export const test = base.extend<TestFixtures, { site: Site }>({
  site: [
    async ({}, use) => {
      const site = await startSite();
      await use(site);
      await site.stop();
    },
    { scope: "worker" },
  ],

  // The browser's own picker is no part of the page: Playwright answers the plain one alone.
  context: async ({ context }, use) => {
    await context.addInitScript(() => Reflect.deleteProperty(window, "showOpenFilePicker"));
    await use(context);
  },

  baseURL: async ({ site }, use) => use(site.url),

  model: async ({}, use) => {
    const model = await Model.start();
    await use(model);
    await model.stop();
    expect(model.unexpected, "requests that the script had no answer for").toBe(0);
  },

  watch: [
    async ({ page, context }, use) => {
      const watch: Watch = { consoleErrors: [], exceptions: [], origins: new Set() };
      page.on("console", (message) => {
        if (message.type() === "error") watch.consoleErrors.push(message.text());
      });
      page.on("pageerror", (error) => watch.exceptions.push(String(error)));
      context.on("request", (request) => {
        const { origin, protocol } = new URL(request.url());
        if (protocol.startsWith("http")) watch.origins.add(origin);
      });
      await use(watch);
      expect(watch.exceptions, "uncaught exceptions").toEqual([]);
    },
    { auto: true },
  ],
});

/** Fails with what axe found, in words. */
export async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  const found = violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`);
  expect(found).toEqual([]);
}

/** What the page's own policy refuses, from the next load on. */
export async function refusals(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const refused: string[] = [];
    Object.assign(globalThis, { refused });
    document.addEventListener("securitypolicyviolation", (event) =>
      refused.push(`${event.effectiveDirective}: ${event.blockedURI} ${event.sample}`),
    );
  });
  return () => page.evaluate(() => (globalThis as unknown as { refused: string[] }).refused);
}

/** Points the page at the scripted endpoint, as a person does. */
export async function connect(page: Page, model: { endpoint: string }, key = "test-key"): Promise<void> {
  const dialog = await fillSettings(page, model, key);
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await expect(dialog).toBeHidden();
}

/** Points a page that has an endpoint at another one, which loads the page afresh: no file is open then. */
export async function reconnect(page: Page, model: { endpoint: string }, key = "test-key"): Promise<void> {
  const dialog = await fillSettings(page, model, key);
  const loaded = page.waitForEvent("load");
  await dialog.getByRole("button", { name: "Save and reload" }).click();
  await loaded;
}

async function fillSettings(page: Page, model: { endpoint: string }, key: string): Promise<Locator> {
  await page.getByRole("button", { name: "Settings", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Settings" });
  await dialog.getByLabel("Endpoint").fill(model.endpoint);
  await dialog.getByLabel("API key").fill(key);
  await dialog.getByLabel("Model", { exact: true }).fill("scripted");
  return dialog;
}

/** Everything that the page keeps on this device, as text. */
export function stored(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const open = indexedDB.open("assent");
      open.onsuccess = () => resolve(open.result);
      open.onerror = () => reject(open.error);
    });
    const read = (request: IDBRequest) =>
      new Promise<unknown>((resolve) => {
        request.onsuccess = () => resolve(request.result);
      });
    const found: unknown[] = [{ ...localStorage }, { ...sessionStorage }];
    for (const name of database.objectStoreNames) {
      const store = database.transaction(name).objectStore(name);
      found.push(name, await read(store.getAllKeys()), await read(store.getAll()));
    }
    database.close();
    return found.flat().map(String).join("\n");
  });
}

export { expect };
export { nativeRows, sample } from "./native";
