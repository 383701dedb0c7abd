import { expect, test } from "../../tests/e2e/fixtures";
import { arrive, END, finish, frame, spent, startEndpoint } from "./endpoint";

const BULK_BYTES = 8_000_000;
const MEGABYTES_A_SECOND_MIN = 20;

test("megabytes a second", async ({ page }) => {
  const words: string[] = [];
  for (let bytes = 0, n = 0; bytes < BULK_BYTES; n += 1) {
    // Reasoning is shown as it is: laying out a book is not what is measured here.
    words.push(frame({ reasoning_content: ` word${n}` }));
    bytes += words.at(-1)!.length;
  }
  const stream = words.join("");
  const server = await startEndpoint((answer) => answer.write(stream, () => finish(answer)));
  const { person, session } = await arrive(page, server.endpoint);
  // Only decoding counts here: nothing is drawn until the answer is whole.
  await page.evaluate(() => {
    const draw = window.requestAnimationFrame.bind(window);
    const later: FrameRequestCallback[] = [];
    window.requestAnimationFrame = (callback) => later.push(callback);
    Object.assign(window, { drawAgain: () => ((window.requestAnimationFrame = draw), later.forEach((callback) => draw(callback))) });
  });
  const before = await spent(session);
  await person.ask("Tell me everything");
  await expect(person.transcript).toContainText(END, { timeout: 90_000 });
  const seconds = (await spent(session)).ScriptDuration - before.ScriptDuration;
  const speed = stream.length / 1e6 / seconds;
  console.log(`decoding in the page: ${speed.toFixed(1)} MB/s (${(stream.length / 1e6).toFixed(1)} MB, ${seconds.toFixed(2)} s of script)`);
  server.stop();
  expect(speed).toBeGreaterThanOrEqual(MEGABYTES_A_SECOND_MIN);
});
