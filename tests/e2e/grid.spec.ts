import type { Locator, Page } from "@playwright/test";
import { expect, expectAccessible, nativeRows, sample, test } from "./fixtures";
import { Person, propose } from "./person";
import type { Model } from "./model";

/** More rows than an element of the page may be tall for. */
const ROWS = 300_000;
const MANY = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ROWS})
  SELECT i AS id, 'row ' || i AS name, i * 7919 % 1000003 AS mixed, i / 3.0 AS third, CASE WHEN i % 5 THEN 'é' || (i % 97) END AS word, i % 2 AS flag FROM n`;

async function shown(page: Page, model: Model, sql: string): Promise<Locator> {
  model.script([propose(sql), { text: "There they are." }]);
  const person = await new Person(page).arrive(model);
  await person.ask("Show the rows.");
  await person.approve();
  await expect(person.transcript).toContainText("There they are.", { timeout: 20_000 });
  await page.getByRole("tab", { name: "Table" }).last().click();
  const grid = page.getByRole("grid");
  await expect(grid.locator("tbody tr").first()).toBeVisible();
  return grid;
}

/** The text of the cells of one row of the result, once it is there. */
async function row(grid: Locator, number: number): Promise<string[]> {
  const line = grid.locator(`tbody tr[aria-rowindex="${number + 1}"]:not([aria-busy])`);
  await expect(line).toBeVisible();
  return line.locator("td").allTextContents();
}

/** The cell that the grid says is active now; it changes a frame after the key. */
function active(grid: Locator) {
  return grid.evaluate((frame) => {
    const cell = document.getElementById(frame.getAttribute("aria-activedescendant") ?? "");
    return cell && { column: cell.getAttribute("aria-colindex"), text: cell.textContent };
  });
}

test("hundreds of thousands of rows: both ends, the middle, keys, and never more than forty rows in the document", async ({ page, model }) => {
  const grid = await shown(page, model, MANY);
  await expect(grid).toHaveAttribute("aria-rowcount", String(ROWS + 1));
  expect(await row(grid, 1)).toEqual(["1", "row 1", "7919", "0.3333333333333333", "é1", "1"]);
  await grid.focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Control+End");
  expect((await row(grid, ROWS)).slice(0, 2)).toEqual([`${ROWS}`, `row ${ROWS}`]);
  await expect.poll(() => active(grid)).toEqual({ column: "6", text: "0" });
  await page.keyboard.press("PageUp");
  await page.keyboard.press("Home");
  await expect.poll(async () => (await active(grid))?.column).toBe("1");
  await grid.evaluate((frame) => (frame.scrollTop = frame.scrollHeight / 2));
  await expect(async () => {
    const index = Number(await grid.locator("tbody tr:not([aria-busy])").first().getAttribute("aria-rowindex"));
    expect(Math.abs(index - ROWS / 2)).toBeLessThan(1_000);
  }).toPass();
  const inDocument = await grid.evaluate(async (frame) => {
    let most = 0;
    for (let at = 0; at < 60; at++) {
      frame.scrollTop = ((at * 7919) % 200) * (frame.scrollHeight / 200);
      await new Promise(requestAnimationFrame);
      most = Math.max(most, frame.querySelectorAll("tr").length);
    }
    return most;
  });
  expect(inDocument).toBeLessThanOrEqual(40);
  expect(inDocument).toBeGreaterThan(5);
  await page.keyboard.press("Control+Home");
  expect((await row(grid, 1))[0]).toBe("1");
});

test("a click on a head sorts in the engine: up, down, as the rows came", async ({ page, model }) => {
  const grid = await shown(page, model, MANY);
  const head = grid.getByRole("columnheader", { name: "mixed" });
  await head.click();
  await expect(head).toHaveAttribute("aria-sort", "ascending");
  const smallest = Number((await row(grid, 1))[2]);
  expect(smallest).toBeLessThan(Number((await row(grid, 2))[2]));
  await head.click();
  await expect(head).toHaveAttribute("aria-sort", "descending");
  await expect(async () => expect(Number((await row(grid, 1))[2])).toBeGreaterThan(Number((await row(grid, 2))[2]))).toPass();
  await head.click();
  await expect(head).toHaveAttribute("aria-sort", "none");
  await expect(async () => expect((await row(grid, 1))[0]).toBe("1")).toPass();
});

test("a cut cell opens whole, and is copied whole", async ({ page, model, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const grid = await shown(page, model, "SELECT 1 AS a, replace(hex(zeroblob(3000)), '0', 'long ') AS text");
  await grid.focus();
  for (const key of ["ArrowDown", "ArrowRight", "Enter"]) await page.keyboard.press(key);
  const whole = "long ".repeat(6_000);
  await expect(page.getByRole("region", { name: "text, row 1" }).locator("pre")).toHaveText(whole.trim());
  await page.getByRole("button", { name: "Copy as TSV" }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(`a\ttext\n1\t${whole}\n`);
});

test("hundreds of columns, odd values and widths by keys", async ({ page, model }) => {
  const columns = Array.from({ length: 495 }, (_, i) => `${i} AS c${i}`).join(", ");
  const grid = await shown(page, model, `SELECT NULL AS n, '' AS e, 'NULL' AS w, x'00ff' AS b, 1e999 AS inf, ${columns}`);
  await expect(grid).toHaveAttribute("aria-colcount", "500");
  const kinds = await grid.locator("tbody td").evaluateAll((cells) => cells.slice(0, 5).map((cell) => [cell.getAttribute("data-kind"), cell.textContent]));
  expect(kinds).toEqual([["null", "NULL"], ["empty", ""], ["text", "NULL"], ["blob", "x'00ff' 2 B"], ["number", "Inf"]]);
  expect(await grid.locator("td").count()).toBeLessThan(60);
  await grid.focus();
  for (const key of ["ArrowDown", "End"]) await page.keyboard.press(key);
  await expect(grid.locator('td[aria-colindex="500"]')).toHaveText("494");
  const head = grid.locator('th[aria-colindex="500"]');
  const before = await head.evaluate((cell) => cell.clientWidth);
  await page.keyboard.press("Alt+ArrowRight");
  await expect.poll(() => grid.locator('th[aria-colindex="500"]').evaluate((cell) => cell.clientWidth)).toBe(before + 24);
});

test("a column is as wide as its edge is dragged, and a drag does not sort", async ({ page, model }) => {
  const grid = await shown(page, model, "SELECT name, price FROM products ORDER BY id LIMIT 20");
  const head = grid.getByRole("columnheader", { name: "name" });
  const before = (await head.boundingBox())!;
  const y = before.y + before.height / 2;
  await page.mouse.move(before.x + before.width - 3, y);
  await page.mouse.down();
  await page.mouse.move(before.x + before.width + 57, y, { steps: 4 });
  await page.mouse.up();
  await expect.poll(async () => Math.round((await head.boundingBox())!.width - before.width)).toBe(60);
  await page.mouse.move(before.x + before.width + 200, y);
  expect(Math.round((await head.boundingBox())!.width - before.width)).toBe(60);
  await expect(head).toHaveAttribute("aria-sort", "none");
  expect(await row(grid, 1)).toEqual(nativeRows(sample, "SELECT name, price FROM products ORDER BY id LIMIT 1").rows[0].map(String));
});

test("the grid of the sample is as native SQLite says, and accessible in both themes", async ({ page, model }) => {
  const sql = "SELECT id, status, ordered_at FROM orders ORDER BY id LIMIT 300";
  const grid = await shown(page, model, sql);
  const native = nativeRows(sample, sql);
  expect(await row(grid, 1)).toEqual(native.rows[0].map((cell) => String(cell ?? "NULL")));
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page);
    await page.screenshot({ path: `test-results/grid-${colorScheme}.png` });
  }
});
