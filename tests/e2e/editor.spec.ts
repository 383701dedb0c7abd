import type { Page } from "@playwright/test";
import { expect, expectAccessible, nativeRows, refusals, sample, test } from "./fixtures";
import { Person, propose } from "./person";

const PROPOSED = "SELECT name\nFROM categories\nORDER BY name\nLIMIT 5";

async function edit(page: Page, person: Person) {
  await person.card.getByRole("button", { name: "Edit" }).click();
  const editor = page.locator(".editor").getByRole("textbox", { name: "Your SQL" });
  await expect(editor).toBeFocused();
  return editor;
}

test("the edited statement is what runs, and until then it stands beside the model's", async ({ page, model }) => {
  const edited = "SELECT name\nFROM categories\nORDER BY name DESC\nLIMIT 5";
  const native = nativeRows(sample, edited);
  model.script([propose(PROPOSED), { text: "Backwards." }]);
  const refused = await refusals(page);
  const person = await new Person(page).arrive(model);
  await person.ask("Five categories?");
  const editor = await edit(page, person);
  await expect(person.card).toContainText("Still the model’s text.");
  await expect(editor.locator("del")).toHaveCount(0);
  await page.keyboard.press("ControlOrMeta+Home");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("End");
  await page.keyboard.type(" desc");
  await page.locator(".editor").getByRole("option", { name: "DESC", exact: true }).click();
  await expect(editor.locator(".cm-deletedLine")).toHaveText(["ORDER BY name"]);
  await expect(editor.locator(".cm-changedLine")).toHaveText(["ORDER BY name DESC"]);
  await expect(editor.locator(".cm-changedText")).toHaveText([" DESC"]);
  // Told apart without colour: by signs, and by a line below what was added.
  const sign = (selector: string) =>
    editor.locator(selector).evaluate((element) => getComputedStyle(element, "::before").content.replaceAll('"', ""));
  expect(await sign(".cm-deletedLine")).toBe("−");
  expect(await sign(".cm-changedLine")).toBe("+");
  await expect(editor.locator(".cm-changedText")).toHaveCSS("text-decoration-line", "underline");
  await expect(person.card).toContainText("− is the model’s text, + is yours.");
  await expectAccessible(page);
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(person.transcript).toContainText("Backwards.");
  expect(await person.rows()).toEqual(native.rows.map((row) => row.map(String)));
  expect(JSON.stringify(model.requests[1].messages)).toContain("The person edited your query before it ran");
  expect(await refused()).toEqual([]);
});

test("names of the schema complete what is typed, and keys never trap anyone", async ({ page, model }) => {
  model.script([propose("SELECT o.id FROM orders o LIMIT 5")]);
  const person = await new Person(page).arrive(model);
  await person.ask("Some orders?");
  const editor = await edit(page, person);
  const options = page.locator(".editor").getByRole("listbox");
  await editor.fill("SELECT o.");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("SELECT p.na FROM products p");
  for (let i = 0; i < " FROM products p".length; i += 1) await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Control+Space");
  await expect(options.getByRole("option", { name: "name" }).first()).toBeVisible();
  await expectAccessible(page);
  // Escape closes the list first, and only then the editor.
  await page.keyboard.press("Escape");
  await expect(options).toBeHidden();
  await expect(editor).toBeFocused();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("SELECT categ");
  await expect(options.getByRole("option", { name: "categories" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(options).toBeHidden();
  await page.keyboard.type("e");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Tab");
  await expect(person.card.getByRole("button", { name: "Run edited SQL" })).toBeFocused();
  await page.keyboard.press("Shift+Tab");
  await expect(editor).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(editor).toBeHidden();
  await expect(person.card).toContainText("SELECT o.id FROM orders o LIMIT 5");
});

test("the editor speaks Chinese on a Chinese page", async ({ page, model }) => {
  model.script([propose(PROPOSED)]);
  const person = await new Person(page).arrive(model);
  await person.ask("Five categories?");
  await expect(person.card).toBeVisible();
  await page.getByRole("button", { name: "中文" }).click();
  await page.getByRole("button", { name: "编辑" }).click();
  const editor = page.locator(".editor").getByRole("textbox", { name: "你的 SQL" });
  await editor.press("ControlOrMeta+End");
  await page.keyboard.type("0 cat");
  await expect(page.locator(".editor").getByRole("listbox", { name: "补全" })).toBeVisible();
  await expect(page.getByText("− 为模型的文本，+ 为你的文本。")).toBeVisible();
  await expectAccessible(page);
});

test("without its script the editor is a plain field that says so, and it runs what is written", async ({ page, model }) => {
  await page.route("**/editor-*.js*", (route) => route.abort());
  const edited = "SELECT name FROM categories ORDER BY name LIMIT 3";
  const native = nativeRows(sample, edited);
  model.script([propose(PROPOSED), { text: "Three." }]);
  const person = await new Person(page).arrive(model);
  await person.ask("Five categories?");
  await person.card.getByRole("button", { name: "Edit" }).click();
  await expect(person.card.getByRole("status")).toContainText("The editor did not load, so this is a plain field");
  await expectAccessible(page);
  await person.card.getByRole("button", { name: "Cancel" }).click();
  // The way out that it names works.
  await page.unroute("**/editor-*.js*");
  await edit(page, person);
  await person.card.getByRole("textbox").fill(edited);
  await person.card.getByRole("button", { name: "Run edited SQL" }).click();
  await expect(person.transcript).toContainText("Three.");
  expect(await person.rows()).toEqual(native.rows.map((row) => row.map(String)));
});
