import { readFileSync } from "node:fs";
import { expect, expectAccessible, sample, test } from "./fixtures";
import { fixture, Person } from "./person";
import type { Page } from "@playwright/test";

// What stays: files that were open before, and chats as files.

/** Writes a file into the page's own file system; its handle stands in for one of the disk. */
async function place(page: Page, name: string, path: string): Promise<void> {
  await page.evaluate(
    async ({ name, base64 }) => {
      const root = await navigator.storage.getDirectory();
      const writable = await (await root.getFileHandle(name, { create: true })).createWritable();
      await writable.write(Uint8Array.from(atob(base64), (c) => c.charCodeAt(0)));
      await writable.close();
    },
    { name, base64: readFileSync(path).toString("base64") },
  );
}

/** A browser whose picker gives handles. */
async function withPicker(page: Page): Promise<void> {
  await page.addInitScript(() => {
    Object.assign(window, {
      showOpenFilePicker: async () => {
        const root = await navigator.storage.getDirectory();
        return [await root.getFileHandle("shop.db")];
      },
    });
  });
}

test("a file that was open before is listed and opens with one click, and it is said when it changed or is gone", async ({ page }) => {
  await withPicker(page);
  await page.goto("/");
  await place(page, "shop.db", sample);
  const open = page.getByRole("button", { name: "Open a SQLite file" }).first();
  await open.click();
  const tables = page.getByText("14 tables").first();
  await expect(tables).toBeVisible();
  const recent = page.getByRole("region", { name: "Recent files" });
  const line = recent.getByRole("button", { name: /^shop\.db/ });

  await page.getByRole("button", { name: "File: shop.db" }).click();
  await expect(line).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(line).toBeHidden();

  await page.reload();
  await expect(line).toContainText(/KB|MB/);
  await expect(line).toContainText("opened");
  await expectAccessible(page);
  await line.click();
  await expect(tables).toBeVisible();
  await expect(page.getByText("has changed since")).toHaveCount(0);

  await place(page, "shop.db", fixture("other.db"));
  await page.reload();
  await line.click();
  await expect(page.getByText("shop.db has changed since it was last open here.")).toBeVisible();
  await expect(page.getByRole("button", { name: "File: shop.db" })).toBeVisible();

  await page.evaluate(async () => (await navigator.storage.getDirectory()).removeEntry("shop.db"));
  await page.reload();
  await line.click();
  await expect(page.getByText("shop.db is no longer where it was")).toBeVisible();
  await recent.getByRole("button", { name: "Remove from the list: shop.db" }).click();
  await expect(recent).toHaveCount(0);
});

test("the list of recent files holds what a person knows of a file and nothing of its content", async ({ page }) => {
  await withPicker(page);
  await page.goto("/");
  await place(page, "shop.db", sample);
  await page.getByRole("button", { name: "Open a SQLite file" }).first().click();
  await expect(page.getByText("14 tables").first()).toBeVisible();
  // Opened twice, listed once.
  await page.getByRole("button", { name: "File: shop.db" }).click();
  await page.getByRole("button", { name: "Open another file" }).first().click();
  await expect(page.getByText("14 tables").first()).toBeVisible();
  const stored = () =>
    page.evaluate(async () => {
      const done = <T>(request: IDBRequest<T>) => new Promise<T>((resolve) => (request.onsuccess = () => resolve(request.result)));
      const database = await done(indexedDB.open("assent"));
      const list = await done(database.transaction("settings").objectStore("settings").get("recent-files"));
      database.close();
      return (list ?? []).map((entry: object) => Object.keys(entry).sort().join(" "));
    });
  await expect.poll(stored).toEqual(["bytes handle id modified name opened"]);
});
