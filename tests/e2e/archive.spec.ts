import { readFileSync, writeFileSync } from "node:fs";
import type { Download, Page, TestInfo } from "@playwright/test";
import { expect, expectAccessible, nativeRows, sample, test } from "./fixtures";
import { Person, propose } from "./person";
import type { Model } from "./model";

// A chat leaves as a file to read and as a file to keep, and comes back as a record that cannot act.

const PER_STATUS = "SELECT status, count(*) AS orders FROM orders GROUP BY status ORDER BY orders DESC";

async function answered(page: Page, model: Model): Promise<Person> {
  model.script([propose(PER_STATUS), { text: "Most orders are **done**." }]);
  const person = await new Person(page).arrive(model);
  await person.ask("How many orders are there for each status?");
  await person.approve();
  await expect(person.transcript).toContainText("Most orders are done.");
  return person;
}

async function saved(person: Person, button: string, info: TestInfo): Promise<string> {
  const download = person.page.waitForEvent("download");
  await person.button(button).click();
  const file: Download = await download;
  const path = info.outputPath(file.suggestedFilename());
  await file.saveAs(path);
  return path;
}

async function importFile(page: Page, path: string): Promise<void> {
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Import a chat" }).click();
  await (await chooser).setFiles(path);
}

test("a chat saved as HTML shows its rows, hashes and decisions without a script or a request", async ({ page, model, browser }, info) => {
  const person = await answered(page, model);
  const path = await saved(person, "Save chat as HTML", info);
  const text = readFileSync(path, "utf8");
  expect(text).not.toContain("test-key");
  expect(text).not.toContain("<script");
  const bare = await browser.newContext({ javaScriptEnabled: false });
  const report = await bare.newPage();
  const requests: string[] = [];
  const errors: string[] = [];
  report.on("request", (request) => requests.push(request.url()));
  report.on("console", (message) => errors.push(message.text()));
  await report.goto(`file://${path}`);
  await expect(report.getByText("A person approved exactly this text.")).toBeVisible();
  const native = nativeRows(sample, PER_STATUS);
  const rows = report.locator("tbody tr");
  await expect(rows).toHaveCount(native.rows.length);
  for (const [i, row] of native.rows.entries()) {
    expect(await rows.nth(i).locator("td").allTextContents()).toEqual(row.map(String));
  }
  await expect(report.locator("svg.wide rect")).toHaveCount(native.rows.length);
  expect(requests).toEqual([`file://${path}`]);
  expect(errors).toEqual([]);
  await bare.close();
});

test("a saved chat is accessible in both themes, and prints", async ({ page, model, browser }, info) => {
  const person = await answered(page, model);
  const path = await saved(person, "Save chat as HTML", info);
  // Axe is a script itself, and the policy of the file keeps scripts out for readers only.
  const scripted = await browser.newContext({ bypassCSP: true });
  const audited = await scripted.newPage();
  for (const colorScheme of ["light", "dark"] as const) {
    await audited.emulateMedia({ colorScheme });
    await audited.goto(`file://${path}`);
    await expectAccessible(audited);
  }
  await audited.emulateMedia({ media: "print" });
  await expect(audited.getByText("The question needs one query.")).toBeVisible();
  await scripted.close();
});

test("an exported chat that was deleted is imported as a record: nothing in it can be approved", async ({ page, model }, info) => {
  const person = await answered(page, model);
  model.script([propose("SELECT 1 AS one")]);
  await person.ask("And one?");
  await expect(person.card.getByRole("button", { name: "Approve", exact: true })).toBeVisible();
  const path = await saved(person, "Save chat as JSON", info);
  expect(readFileSync(path, "utf8")).not.toContain("test-key");
  await page.getByRole("button", { name: /^Delete: How many orders/ }).click({ force: true });
  await expect(person.transcript).not.toContainText("Most orders are done.");
  await importFile(page, path);
  await expect(page.getByText("The chat was imported.")).toBeVisible();
  await expect(person.transcript).toContainText("Most orders are done.");
  await expect(person.transcript).toContainText("And one?");
  await expect(person.transcript).toContainText("It was not witnessed here");
  await expect(page.getByRole("button", { name: "Approve", exact: true })).toHaveCount(0);
  await expectAccessible(page);
  await page.screenshot({ path: "test-results/imported.png" });
  await page.reload();
  await expect(person.transcript).toContainText("Most orders are done.");
  await expect(page.getByRole("navigation", { name: "Chats" })).toContainText("Imported");
  await person.open(sample);
  await expect(page.getByRole("button", { name: "Approve", exact: true })).toHaveCount(0);
});

test("a file that no chat wrote is refused with a sentence, and the chat on show stays", async ({ page, model }, info) => {
  const person = await answered(page, model);
  const path = await saved(person, "Save chat as JSON", info);
  const forged = readFileSync(path, "utf8").replace(/"ran": "SELECT status/, '"ran": "SELECT name');
  const hostile = info.outputPath("hostile.json");
  for (const [content, sentence] of [
    [forged, "says that a query ran which was not checked and approved"],
    ['{"format":"assent-chat-record","version":99}', "a newer version of Assent wrote it"],
    ['{"a":1}', "it is no chat that Assent exported"],
    [`${"[".repeat(200_000)}`, "it is no chat that Assent exported"],
  ]) {
    writeFileSync(hostile, content);
    await importFile(page, hostile);
    await expect(page.getByText(sentence)).toBeVisible();
    await expect(person.transcript).toContainText("Most orders are done.");
  }
});
