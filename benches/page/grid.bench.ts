import type { Locator, Page } from "@playwright/test";
import { expect, test } from "../../tests/e2e/fixtures";
import { Person, propose } from "../../tests/e2e/person";

const ROWS = 1_000_000;
const MILLION = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ROWS})
  SELECT i AS id, 'row ' || i AS name, i * 7919 % 1000003 AS mixed, i / 3.0 AS third, CASE WHEN i % 5 THEN 'é' || (i % 97) END AS word, i % 2 AS flag FROM n`;
const JUMPS = 200;
const WHEEL_STEPS = 2_000;
const JUMP_MS_MAX = 50;
const FRAME_MS_MAX = 32;

/** Keeps the time between any two frames until it is read. */
async function watchFrames(page: Page) {
  await page.evaluate(() => {
    const frames: number[] = [];
    let last = performance.now();
    const note = (now: number) => {
      frames.push(now - last);
      last = now;
      requestAnimationFrame(note);
    };
    requestAnimationFrame(note);
    Object.assign(window, { frames });
  });
}

function takeFrames(page: Page): Promise<number[]> {
  return page.evaluate(() => (window as any).frames.splice(0));
}

function described(frames: number[]) {
  const sorted = [...frames].sort((a, b) => a - b);
  const late = frames.filter((ms) => ms > FRAME_MS_MAX).length;
  const middle = sorted[Math.floor(sorted.length / 2)];
  return `${frames.length} frames, median ${middle.toFixed(1)} ms, longest ${sorted.at(-1)!.toFixed(1)} ms, ${late} above ${FRAME_MS_MAX} ms`;
}

/** Jumps by the scroll bar all over the rows; the time until all rows that are seen are there, for each. */
function jump(grid: Locator): Promise<number[]> {
  return grid.evaluate(async (frame, jumps) => {
    const times: number[] = [];
    for (let at = 0; at < jumps; at++) {
      const before = frame.querySelector("tbody tr")!.getAttribute("aria-rowindex");
      const start = performance.now();
      frame.scrollTop = (((at * 7919 + 31) % 199) / 199) * frame.scrollHeight;
      for (;;) {
        await new Promise(requestAnimationFrame);
        const moved = frame.querySelector("tbody tr")!.getAttribute("aria-rowindex") !== before;
        if (moved && frame.querySelector("tr[aria-busy]") === null) break;
      }
      times.push(performance.now() - start);
    }
    return times;
  }, JUMPS);
}

test("a million rows", async ({ page, model }) => {
  model.script([propose(MILLION), { text: "There they are." }]);
  const person = await new Person(page).arrive(model);
  await person.ask("Show the rows.");
  await person.approve();
  await expect(person.transcript).toContainText("There they are.", { timeout: 60_000 });
  await page.getByRole("tab", { name: "Table" }).last().click();
  const grid = page.getByRole("grid");
  await expect(grid).toHaveAttribute("aria-rowcount", String(ROWS + 1));
  await watchFrames(page);
  await takeFrames(page);
  const jumps = (await jump(grid)).sort((a, b) => a - b);
  console.log(`${JUMPS} jumps: ${described(await takeFrames(page))}; rows there after ${jumps[JUMPS / 2].toFixed(1)} ms (median), ${jumps.at(-1)!.toFixed(1)} ms at most`);
  await grid.hover();
  await takeFrames(page);
  for (let step = 0; step < WHEEL_STEPS; step++) await page.mouse.wheel(0, 100);
  const wheel = await takeFrames(page);
  console.log(`${WHEEL_STEPS} wheel steps: ${described(wheel)}`);
  const start = Date.now();
  await grid.getByRole("columnheader", { name: "mixed" }).click();
  await grid.evaluate(async (frame) => {
    const ready = () => frame.querySelector("[aria-sort=ascending]") !== null && frame.querySelector("tr[aria-busy]") === null;
    while (!ready()) await new Promise(requestAnimationFrame);
  });
  console.log(`sorted by a click after ${Date.now() - start} ms; ${described(await takeFrames(page))}`);
  expect(jumps[JUMPS / 2]).toBeLessThan(JUMP_MS_MAX);
});
