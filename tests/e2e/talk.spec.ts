import { expect, expectAccessible, test } from "./fixtures";
import { Person, propose } from "./person";

const COUNT = "SELECT count(*) AS orders FROM orders";
const NAMES = "SELECT name FROM products ORDER BY id LIMIT 3";

test("a question is asked again in other words, and both ways on are kept, cards included", async ({ page, model }) => {
  model.script([propose(COUNT), propose(NAMES), { text: "Three products." }]);
  const person = await new Person(page).arrive(model);
  await person.ask("How many orders?");
  await expect(person.card).toContainText("count(*)");

  await page.getByRole("button", { name: "Edit and ask again" }).click();
  const field = page.getByRole("textbox", { name: "Your question in other words" });
  await expect(field).toBeFocused();
  await expect(field).toHaveValue("How many orders?");
  await field.fill("Which products?");
  await page.screenshot({ path: "test-results/ask-again-edit.png" });
  await page.keyboard.press("Enter");
  await expect(person.card).toContainText("products");
  await expect(person.transcript).not.toContainText("How many orders?");
  expect(JSON.stringify(model.requests[1])).not.toContain("How many orders?");
  await person.approve();
  await expect(person.transcript).toContainText("Three products.");
  await expectAccessible(page);
  await page.screenshot({ path: "test-results/ask-again.png" });

  await page.getByRole("button", { name: "Earlier wording" }).click();
  await expect(person.transcript).toContainText("How many orders?");
  await expect(person.card).toContainText("count(*)");
  await page.reload();
  await person.open((await import("./fixtures")).sample);
  await expect(person.card).toContainText("count(*)");
  await page.getByRole("button", { name: "Later wording" }).click();
  await expect(person.transcript).toContainText("Three products.");
  await expect(page.getByRole("button", { name: "Later wording" })).toBeDisabled();
});

test("follow-ups wait in line until the answer is there, and can be taken out", async ({ page, model }) => {
  model.script([
    { text: `This answer takes its time to arrive, ${"word by word, ".repeat(12)}to the end.`, latencyMs: 60, chunkSize: 3 },
    { text: "And this is the second answer." },
  ]);
  const person = await new Person(page).arrive(model);
  await person.ask("First?");
  await expect(person.transcript).toContainText("This answer");
  await person.composer.fill("Second?");
  await person.composer.press("Enter");
  await person.composer.fill("Third?");
  await page.getByRole("button", { name: "Ask next" }).click();
  const line = page.getByRole("region", { name: "Next questions" });
  await expect(line.getByRole("listitem")).toHaveCount(2);
  await page.screenshot({ path: "test-results/line.png" });
  await line.getByRole("button", { name: "Take out: Third?" }).click();
  await expect(person.transcript).toContainText("And this is the second answer.");
  await expect(line).toBeHidden();
  expect(model.requests).toHaveLength(2);
  expect(JSON.stringify(model.requests[1])).toContain("Second?");
});

test("after Stop the line waits for the person", async ({ page, model }) => {
  model.script([{ text: "A long answer that is stopped in the middle.", latencyMs: 80, chunkSize: 3 }, { text: "Asked by hand." }]);
  const person = await new Person(page).arrive(model);
  await person.ask("First?");
  await expect(person.transcript).toContainText("A long");
  await person.composer.fill("Second?");
  await person.composer.press("Enter");
  await page.getByRole("button", { name: "Stop" }).click();
  const line = page.getByRole("region", { name: "Next questions" });
  await expect(line).toContainText("wait for you");
  expect(model.requests).toHaveLength(1);
  await line.getByRole("button", { name: "Ask now" }).click();
  await expect(person.transcript).toContainText("Asked by hand.");
});

test("the palette does by a few letters what the page can do", async ({ page, model }) => {
  model.script([propose(COUNT)]);
  const person = await new Person(page).arrive(model);
  const palette = page.getByRole("dialog", { name: "Commands" });
  await page.keyboard.press("Control+k");
  const field = palette.getByRole("combobox");
  await expect(field).toBeFocused();
  await field.fill("order items");
  await field.fill("custom");
  await expect(palette.getByRole("option").first()).toHaveText(/customers/);
  await expectAccessible(page);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: `test-results/palette-${colorScheme}.png` });
  }
  await page.keyboard.press("Enter");
  await expect(palette).toBeHidden();
  await expect(person.composer).toHaveValue("customers ");
  await expect(person.composer).toBeFocused();

  await person.ask("How many orders?");
  await expect(person.card).toBeVisible();
  await page.keyboard.press("Control+k");
  await expect(palette.getByRole("option").first()).toHaveText("Go to the card that waits");
  await page.keyboard.press("Enter");
  await expect(person.card).toBeFocused();

  await page.keyboard.press("Control+k");
  await field.fill("zzzz");
  await expect(palette).toContainText("Nothing matches.");
  await page.keyboard.press("Escape");
  await expect(palette).toBeHidden();
  await expect(person.card).toBeFocused();
});

test("? lists the keys, and single keys can be switched off", async ({ page, model }) => {
  model.script([propose(COUNT)]);
  const person = await new Person(page).arrive(model);
  await person.ask("How many orders?");
  await expect(person.card).toBeVisible();
  await person.card.focus();
  await page.keyboard.press("?");
  const help = page.getByRole("dialog", { name: "Keys" });
  await expect(help).toContainText("Edit the query");
  await expectAccessible(page);
  await page.screenshot({ path: "test-results/keys.png" });
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: "Settings", exact: true }).click();
  const settings = page.getByRole("dialog", { name: "Settings" });
  await settings.getByLabel("Single keys").uncheck();
  await settings.getByRole("button", { name: "Save", exact: true }).click();
  await expect(settings).toBeHidden();
  await person.card.focus();
  await page.keyboard.press("?");
  await page.keyboard.press("e");
  await expect(help).toBeHidden();
  await expect(person.card.getByRole("button", { name: "Edit" })).toBeVisible();
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("dialog", { name: "Commands" })).toBeVisible();
});

test("on a phone a drawer takes the focus, keeps the rest out of reach, and Escape gives it back", async ({ page, model }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await new Person(page).arrive(model);
  for (const [name, column] of [
    ["Chats", page.getByRole("navigation", { name: "Chats" })],
    ["Schema", page.getByRole("complementary", { name: "Schema" })],
  ] as const) {
    const button = page.getByRole("button", { name, exact: true });
    await button.click();
    await expect(column).toBeFocused();
    await expect(page.getByRole("main")).toHaveAttribute("inert", "");
    await page.screenshot({ path: `test-results/drawer-${name}.png` });
    await page.keyboard.press("Escape");
    await expect(button).toBeFocused();
    await expect(page.getByRole("main")).not.toHaveAttribute("inert");
  }
});
