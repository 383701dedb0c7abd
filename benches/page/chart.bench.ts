import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "../../tests/e2e/fixtures";

const POINTS = 100_000;
const FIRST_DRAW_MS_MAX = 200;
const ROUNDS = 5;

const dist = fileURLToPath(new URL("../../dist/", import.meta.url));

for (const kind of ["line", "scatter"]) {
  test(`a ${kind} of ${POINTS} points`, async ({ page }) => {
    const script = readdirSync(dist).find((name) => /^charts-.*\.js$/.test(name))!;
    await page.goto("/");
    const median = async (points: number): Promise<number> => {
      const times = await page.evaluate(
        async ([script, kind, points, rounds]) => {
          const { draw } = await import(new URL(script, document.baseURI).href);
          const times: number[] = [];
          for (let round = 0; round < rounds; round += 1) {
            const values = new Float64Array(points * 2);
            for (let at = 0; at < points; at += 1) {
              values[at * 2] = kind === "line" ? at * 60_000 : Math.sin(at * 12.9898) * 1_000;
              values[at * 2 + 1] = Math.sin(at / 500) * 100 + Math.sin(at * 78.233) * 20;
            }
            const host = document.body.appendChild(document.createElement("div"));
            host.style.width = "760px";
            const series = [{ name: "y", values }, { name: "y", values }].slice(0, kind === "line" ? 1 : 2);
            const spec = { kind, title: "t", x: "x", y: "y", labels: [], series, pairs: true, time: kind === "line", language: "en", name: "chart" };
            const start = performance.now();
            const chart = draw({ host, spec });
            // The frame that shows it, and the one after, when it has been painted.
            await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
            times.push(performance.now() - start);
            const drawn = host.querySelector("canvas")!;
            if (!drawn.getContext("2d")!.getImageData(0, 0, drawn.width, drawn.height).data.some((byte) => byte !== 0)) throw new Error("nothing is drawn");
            chart.close();
            host.remove();
          }
          return times.sort((a, b) => a - b);
        },
        [script, kind, points, ROUNDS] as const,
      );
      return times[Math.floor(times.length / 2)];
    };
    const few = await median(1_000);
    const many = await median(POINTS);
    console.log(`${kind}: ${POINTS} points drawn in ${many.toFixed(0)} ms, 1 000 points in ${few.toFixed(0)} ms: ${(many / few).toFixed(1)} times (median of ${ROUNDS}, from data handed over to the frame after the first draw)`);
    expect(many).toBeLessThanOrEqual(FIRST_DRAW_MS_MAX);
  });
}
