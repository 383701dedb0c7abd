import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Locator, Page } from "@playwright/test";
import { connect, expect, expectAccessible, reconnect, sample, stored, test } from "./fixtures";
import { Model } from "./model";
import { Person } from "./person";

const KEY = "sk-very-secret-0123456789";
const PASSPHRASE = "correct horse battery";

/** Whether the page's own policy lets a request out. */
function isReached(page: Page, url: string): Promise<boolean> {
  return page.evaluate(
    (address) =>
      fetch(address, { mode: "no-cors" }).then(
        () => true,
        () => false,
      ),
    url,
  );
}

test("from the first endpoint on, the page reaches that endpoint and nothing else", async ({ page, model }) => {
  const other = createServer((_, answer) => answer.end("here"));
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const elsewhere = `http://127.0.0.1:${(other.address() as AddressInfo).port}/`;
  model.script([{ text: "Here I am." }, { text: "Here again." }]);
  const person = new Person(page);
  await page.goto("/");
  await person.open(sample);
  expect(await isReached(page, elsewhere)).toBe(true);
  await connect(page, model);
  await person.ask("Are you there?");
  await expect(person.transcript).toContainText("Here I am.");
  expect(await isReached(page, elsewhere)).toBe(false);
  expect(await isReached(page, model.endpoint)).toBe(true);
  // Taking the policy's element away does not take the policy away.
  await page.evaluate(() => document.querySelectorAll("meta[http-equiv]").forEach((element) => element.remove()));
  expect(await isReached(page, elsewhere)).toBe(false);

  await page.reload();
  await expect(person.transcript).toContainText("Here I am.");
  expect(await isReached(page, elsewhere)).toBe(false);
  await person.open(sample);
  await person.ask("And now?");
  await expect(person.transcript).toContainText("Here again.");
  other.close();
});

test("another endpoint needs a fresh page, and the page says so", async ({ page, model }) => {
  const second = await Model.start();
  second.script([{ text: "The second one." }]);
  const person = await new Person(page).arrive(model);
  await page.getByRole("button", { name: "Settings", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Settings" });
  await dialog.getByLabel("Endpoint").fill(second.endpoint);
  await expect(dialog).toContainText(`may reach ${new URL(model.endpoint).origin} and nothing else`);
  await expect(dialog.getByRole("button", { name: "Test connection" })).toBeDisabled();
  await expect(dialog.getByRole("button", { name: "List models" })).toBeDisabled();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await reconnect(page, second);
  await person.open(sample);
  await person.ask("Which one are you?");
  await expect(person.transcript).toContainText("The second one.");
  expect(await isReached(page, model.endpoint)).toBe(false);
  await second.stop();
});

test("a key kept under a passphrase is unlocked when it is needed, and only with it", async ({ page, model }) => {
  model.script([{ text: "With the key." }]);
  const person = new Person(page);
  await page.goto("/");
  const settings = await keepKey(page, model, "short");
  await expect(settings).toContainText("at least 8 characters");
  await expectAccessible(page);
  await settings.getByLabel("Passphrase", { exact: true }).fill(PASSPHRASE);
  await settings.getByRole("button", { name: "Save", exact: true }).click();
  await expect(settings).toBeHidden();
  await expect.poll(() => stored(page)).toContain("kept-key");
  const kept = await stored(page);
  expect(kept).toContain('"iterations":600000');
  for (const secret of [KEY, PASSPHRASE]) {
    expect(kept).not.toContain(secret);
    expect(kept).not.toContain([...Buffer.from(secret)].join(","));
  }

  await page.reload();
  await person.open(sample);
  await person.ask("Are you there?");
  const dialog = page.getByRole("dialog", { name: "Unlock the key" });
  await expect(dialog).toContainText(new URL(model.endpoint).origin);
  await dialog.getByLabel("Passphrase", { exact: true }).fill("not the passphrase");
  await dialog.getByRole("button", { name: "Unlock" }).click();
  await expect(dialog).toContainText("does not open with this passphrase");
  await expectAccessible(page);
  expect(model.requests).toHaveLength(0);
  const sent = page.waitForRequest((request) => request.method() === "POST");
  await dialog.getByLabel("Passphrase", { exact: true }).fill(PASSPHRASE);
  await dialog.getByRole("button", { name: "Unlock" }).click();
  expect((await (await sent).allHeaders()).authorization).toBe(`Bearer ${KEY}`);
  await expect(person.transcript).toContainText("With the key.");
  await expect(dialog).toBeHidden();

  await page.getByRole("button", { name: "Settings", exact: true }).click();
  await settings.getByRole("button", { name: "Forget the key" }).click();
  await settings.getByRole("button", { name: "Save", exact: true }).click();
  await expect.poll(() => stored(page)).not.toContain("iterations");
});

test("who does not unlock the key is told so, and can retry", async ({ page, model }) => {
  const person = new Person(page);
  await page.goto("/");
  await keepKey(page, model, PASSPHRASE);
  await expect.poll(() => stored(page)).toContain("iterations");
  await page.reload();
  await person.open(sample);
  await person.ask("Are you there?");
  const dialog = page.getByRole("dialog", { name: "Unlock the key" });
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(person.transcript).toContainText("The key for this endpoint is locked.");
  await person.transcript.getByRole("button", { name: "Try again" }).click();
  await expect(dialog).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  expect(model.requests).toHaveLength(0);
});

test("an endpoint that takes no tools is asked in words, and the settings say so", async ({ page, model }) => {
  model.script([
    { status: 400, message: "registry.example/tiny does not support tools" },
    { text: '{"answer":"In words."}' },
  ]);
  const person = await new Person(page).arrive(model);
  await person.ask("Are you there?");
  await expect(person.transcript).toContainText("In words.");
  await page.getByRole("button", { name: "Settings", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Settings" });
  await expect(dialog).toContainText("asked for JSON replies: tool calls were refused (“registry.example/tiny does not support tools”)");
  await dialog.getByRole("button", { name: "Try tool calls again" }).click();
  await expect(dialog).not.toContainText("asked for JSON replies");
});

test("a cap on tokens stops with a question, and the ring says how much of it is spent", async ({ page, model }) => {
  model.script([{ text: "Hello." }, { text: "Hello again." }]);
  const person = await new Person(page).arrive(model);
  await page.getByRole("button", { name: "Settings", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Settings" });
  await dialog.getByLabel("For one chat").fill("10");
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await expect(dialog).toBeHidden();
  await person.ask("Are you there?");
  await expect(person.transcript).toContainText("Hello.");
  await expect(page.getByRole("img", { name: /of the 10 tokens of this chat are spent/ })).toContainText("100%");
  await person.ask("And now?");
  await expect(person.transcript).toContainText("Your cap on tokens is reached");
  expect(model.requests).toHaveLength(1);
  await expectAccessible(page);
  await person.button("Try again").click();
  await expect(person.transcript).toContainText("Hello again.");
});

/** Asks the page to keep the key of an endpoint under a passphrase. */
async function keepKey(page: Page, model: Model, passphrase: string): Promise<Locator> {
  await page.getByRole("button", { name: "Settings", exact: true }).click();
  const settings = page.getByRole("dialog", { name: "Settings" });
  await settings.getByLabel("Endpoint").fill(model.endpoint);
  await settings.getByLabel("API key").fill(KEY);
  await settings.getByLabel("Model", { exact: true }).fill("scripted");
  await settings.getByLabel("Keep the key on this device").check();
  await settings.getByLabel("Passphrase", { exact: true }).fill(passphrase);
  await settings.getByRole("button", { name: "Save", exact: true }).click();
  return settings;
}
