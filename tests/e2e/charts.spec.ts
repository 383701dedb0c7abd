import { readFileSync } from "node:fs";
import type { Locator, Page } from "@playwright/test";
import { expect, expectAccessible, nativeRows, refusals, sample, test } from "./fixtures";
import type { Model } from "./model";
import { Person, propose } from "./person";

const PER_REGION = `SELECT r.name, COUNT(*) AS customers FROM customers c JOIN regions r ON r.id = c.region_id
GROUP BY r.name ORDER BY customers DESC`;
const SHARES = `SELECT r.name, ROUND(100.0 * COUNT(*) / (SELECT COUNT(*) FROM customers), 2) AS share
FROM customers c JOIN regions r ON r.id = c.region_id GROUP BY r.name ORDER BY share DESC`;
const PER_DAY = "SELECT date(ordered_at) AS day, COUNT(*) AS orders FROM orders GROUP BY day ORDER BY orders DESC, day";

async function ask(page: Page, model: Model, sql: string): Promise<Person> {
  model.script([propose(sql), { text: "Here it is." }]);
  const person = await new Person(page).arrive(model);
  await person.ask("Draw it");
  await person.approve();
  await expect(person.transcript).toContainText("Here it is.");
  await page.getByRole("tab", { name: "Chart" }).click();
  return person;
}

function picture(page: Page): Locator {
  return page.locator(".chart-canvas");
}

async function saved(page: Page, button: string) {
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: button }).click();
  const file = await download;
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
}

/** The marks of a saved drawing, one a row, in the order of the rows. */
async function marks(page: Page, svg: string): Promise<number[]> {
  // The page itself parses nothing from text.
  const blank = await page.context().newPage();
  const found = await blank.evaluate((text) => {
    const drawing = new DOMParser().parseFromString(text, "image/svg+xml");
    if (drawing.querySelector("parsererror, script, foreignObject") !== null) throw new Error("not a plain drawing");
    const found = [...drawing.querySelectorAll('[ecmeta_ssr_type="chart"]')].map((mark) => Number(mark.getAttribute("ecmeta_data_index")));
    return [...new Set(found)].sort((a, b) => a - b);
  }, svg);
  await blank.close();
  return found;
}

test("a number a category becomes bars, is saved as SVG and PNG, and switches kind without asking again", async ({ page, model }) => {
  const refused = await refusals(page);
  const native = nativeRows(sample, PER_REGION);
  await ask(page, model, PER_REGION);
  await expect(picture(page).locator("canvas")).toBeVisible();
  const [most, least] = [native.rows[0], native.rows.at(-1)!];
  for (const [label, value] of [most, least]) {
    await expect(picture(page)).toHaveAccessibleName(new RegExp(`${label}.*${value}|${value}.*${label}`));
    await expect(page.getByRole("figure")).toContainText(String(label));
  }
  await expectAccessible(page);
  // Its tip is painted too, not made of markup.
  await picture(page).hover();

  const svg = await saved(page, "Save as SVG");
  expect(svg.name).toBe("chart.svg");
  const text = svg.bytes.toString("utf8");
  expect(await marks(page, text)).toEqual(native.rows.map((_, at) => at));
  for (const [label, value] of native.rows) {
    expect(text).toContain(String(label));
    expect(text).toContain(`>${value}<`);
  }
  const png = await saved(page, "Save as PNG");
  expect(png.name).toBe("chart.png");
  expect(png.bytes.subarray(0, 8)).toEqual(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]));
  expect(png.bytes.readUInt32BE(16)).toBe(1920);
  expect(png.bytes.readUInt32BE(20)).toBeGreaterThan(200);

  const kinds = page.getByRole("group", { name: "Kind of chart" });
  await expect(kinds.getByRole("button", { name: "Bars" })).toHaveAttribute("aria-pressed", "true");
  await kinds.getByRole("button", { name: "Pie" }).click();
  const pie = (await saved(page, "Save as SVG")).bytes.toString("utf8");
  expect(await marks(page, pie)).toEqual(native.rows.map((_, at) => at));
  // Slices differ in pattern, not in colour alone.
  expect(pie.match(/<pattern/g)!.length).toBeGreaterThanOrEqual(native.rows.length - 1);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Show as table" }).click();
  await expect(page.getByRole("tab", { name: "Table" })).toBeFocused();
  expect(model.requests).toHaveLength(2);
  expect(await refused()).toEqual([]);
});

test("few shares become a pie", async ({ page, model }) => {
  await ask(page, model, SHARES);
  const kinds = page.getByRole("group", { name: "Kind of chart" });
  await expect(kinds.getByRole("button", { name: "Pie" })).toHaveAttribute("aria-pressed", "true");
});

test("a chart over time shows all rows of the result, not only those of the preview", async ({ page, model }) => {
  const native = nativeRows(sample, PER_DAY);
  const high = native.rows[0];
  const low = native.rows.find(([, orders]) => orders === native.rows.at(-1)![1])!;
  expect(native.rows.length).toBeGreaterThan(600);
  await ask(page, model, PER_DAY);
  await expect(picture(page)).toHaveAccessibleName(`Highest: ${high[1]} (${high[0]}). Lowest: ${low[1]} (${low[0]}).`);
  await expect(page.getByRole("figure")).not.toContainText("first rows only");
  await expect(page.getByRole("group", { name: "Kind of chart" })).toHaveCount(0);
  const svg = (await saved(page, "Save as SVG")).bytes.toString("utf8");
  expect(svg).toContain("day");
  await expectAccessible(page);
});

test("the picture follows theme, width and language", async ({ page, model }) => {
  await ask(page, model, PER_REGION);
  const canvas = picture(page).locator("canvas");
  const pixels = () => canvas.evaluate((element: HTMLCanvasElement) => element.toDataURL());
  await expect(canvas).toBeVisible();
  const light = await pixels();
  await page.emulateMedia({ colorScheme: "dark" });
  await expect.poll(pixels).not.toBe(light);
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 800 });
  const fits = () => picture(page).evaluate((element) => element.querySelector("canvas")!.clientWidth === element.clientWidth && element.clientWidth < 390);
  await expect.poll(fits).toBe(true);
  await page.getByRole("button", { name: "中文" }).click();
  await page.getByRole("tab", { name: "图表" }).click();
  await expect(page.getByRole("group", { name: "图表类型" }).getByRole("button", { name: "柱形" })).toBeVisible();
  await expectAccessible(page);
});

test("beyond the limit of points the chart says how many rows it shows", async ({ page, model }) => {
  await ask(page, model, "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 120000) SELECT i * 0.5 AS a, i % 977 AS b FROM n");
  await expect(page.getByRole("figure")).toContainText(/Drawn from the first 100.000 of 120.000 rows\./);
});

test("without its script a chart is a plain drawing that says so", async ({ page, model }) => {
  await page.route("**/charts-*.js*", (route) => route.abort());
  await ask(page, model, PER_REGION);
  await expect(page.getByRole("figure")).toContainText("The part that draws charts did not load");
  await expect(page.locator(".chart-picture rect")).toHaveCount(nativeRows(sample, PER_REGION).rows.length);
  await expect(page.getByRole("button", { name: "Save as SVG" })).toHaveCount(0);
  await expectAccessible(page);
});
