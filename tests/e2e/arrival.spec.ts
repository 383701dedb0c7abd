import { readFileSync } from "node:fs";
import { expect, nativeRows, sample, test } from "./fixtures";
import { Person } from "./person";

// Every way into the page, and what the page loads for it.

const QUESTION = "How many orders are there?";

function orders(): string {
  return String(nativeRows(sample, "SELECT count(*) FROM orders").rows[0][0]);
}

test("a first visit loads the page alone; the driver comes with the first act, the engine with a file", async ({ page }) => {
  const loaded: string[] = [];
  page.on("request", (request) => loaded.push(new URL(request.url()).pathname));
  await page.goto("/", { waitUntil: "networkidle" });
  expect(loaded.filter((path) => path.endsWith(".wasm"))).toEqual([expect.stringMatching(/^\/assent-[0-9a-f]+_bg\.wasm$/)]);
  const driver = page.waitForRequest((request) => request.url().endsWith("_driver.wasm"));
  await page.keyboard.press("Tab");
  await driver;
  expect(loaded.filter((path) => path.includes("engine"))).toEqual([]);
  const engine = page.waitForRequest((request) => request.url().endsWith("/engine_bg.wasm"));
  await new Person(page).open(sample);
  await engine;
});

test("a part that does not load is said, with what to do, and comes with the next act", async ({ page }) => {
  await page.route("**/*_driver.wasm", (route) => route.abort());
  await page.goto("/");
  const person = new Person(page);
  await person.open(sample);
  const said = page.getByText("A part of this page did not load.");
  await expect(said).toBeVisible();
  await expect(page.getByText("Check that you are online")).toBeVisible();
  await page.unroute("**/*_driver.wasm");
  await person.open(sample);
  await expect(page.getByText("14 tables").first()).toBeVisible();
  await expect(said).toBeHidden();
});

test("an engine that does not load is said, and the file opens once it does", async ({ page }) => {
  await page.route("**/engine_bg.wasm", (route) => route.abort());
  await page.goto("/");
  const person = new Person(page);
  await person.open(sample);
  await expect(page.getByText(/SQLite could not be started: .*engine_bg\.wasm did not load/)).toBeVisible();
  await page.unroute("**/engine_bg.wasm");
  await person.open(sample);
  await expect(page.getByText("14 tables").first()).toBeVisible();
});

test("a file dropped anywhere opens", async ({ page }) => {
  await page.goto("/");
  const data = await transfer(page);
  await page.dispatchEvent("body", "dragenter", { dataTransfer: data });
  await expect(page.locator(".drop-overlay")).toBeVisible();
  await page.dispatchEvent("body", "drop", { dataTransfer: data });
  await expect(page.locator(".drop-overlay")).toHaveCount(0);
  await askAndApprove(new Person(page));
});

test("a pasted file opens", async ({ page }) => {
  await page.goto("/");
  const data = await transfer(page);
  await data.evaluate((clipboardData) => document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true })));
  await askAndApprove(new Person(page));
});

test("a dropped file opens again after a reload, through the handle that the browser kept", async ({ page }) => {
  // A real handle, of the page's own file system, stands in for the one that a drop by hand brings.
  await page.addInitScript(() => {
    DataTransferItem.prototype.getAsFileSystemHandle = async () => {
      const root = await navigator.storage.getDirectory();
      return root.getFileHandle("shop.db");
    };
  });
  await page.goto("/");
  const data = await transfer(page);
  await data.evaluate(async (transfer) => {
    const file = transfer.files[0];
    const root = await navigator.storage.getDirectory();
    const writable = await (await root.getFileHandle("shop.db", { create: true })).createWritable();
    await writable.write(file);
    await writable.close();
  });
  await page.dispatchEvent("body", "drop", { dataTransfer: data });
  const person = new Person(page);
  await person.ask(QUESTION);
  await expect(person.card).toBeVisible();
  await expect(page.getByText("waits for you").first()).toBeVisible();
  await page.reload();
  await expect(person.card.getByRole("button", { name: "Approve" })).toBeDisabled();
  await page.getByRole("button", { name: "Open shop.db again" }).click();
  await person.approve();
  await expect(person.transcript).toContainText(orders());
});

/** A transfer that holds the sample file, as a drop or a paste brings it. */
async function transfer(page: Person["page"]) {
  const bytes = readFileSync(sample).toString("base64");
  return page.evaluateHandle(async (base64) => {
    const data = new DataTransfer();
    const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
    data.items.add(new File([bytes], "shop.db", { lastModified: 1_700_000_000_000 }));
    return data;
  }, bytes);
}

async function askAndApprove(person: Person): Promise<void> {
  await person.ask(QUESTION);
  await person.approve();
  await expect(person.transcript).toContainText(orders());
}
