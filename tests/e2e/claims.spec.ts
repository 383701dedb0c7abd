import { expect, expectAccessible, nativeRows, sample, test } from "./fixtures";
import { Person, propose } from "./person";

const SPENT = "SELECT c.name, COUNT(*) AS products, round(avg(p.price), 2) AS price FROM products p JOIN categories c ON c.id = p.category_id GROUP BY c.name ORDER BY c.name";

test("a number of the answer leads to its cell, and one that stands in no row is marked", async ({ page, model }) => {
  const { rows } = nativeRows(sample, SPENT);
  const [name, , price] = rows[3].map(String);
  model.script([propose(SPENT), { text: `In **${name}** a product costs ${Number(price).toFixed(1)} on average, 98765 more than a year ago.` }]);
  const person = await new Person(page).arrive(model);
  await person.ask("What does a product cost, by category?");
  await person.approve();
  await expect(person.transcript).toContainText("98765");
  await expect(person.transcript.locator(".claim-missing")).toHaveText(["98765 (not in the result)"]);
  await expectAccessible(page);
  const number = person.button(Number(price).toFixed(1));
  await expect(number).toHaveAttribute("title", "Show in the table: price, row 4");
  await number.focus();
  await page.keyboard.press("Enter");
  const grid = page.getByRole("grid");
  await expect(grid).toBeFocused();
  await expect(grid.locator("[data-active=true]")).toHaveText(price);
  await page.keyboard.press("Home");
  await expect(grid.locator("[data-active=true]")).toHaveText(name);
});
