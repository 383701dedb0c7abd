import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { CDPSession, Page } from "@playwright/test";
import { connect, expect, sample, test } from "../../tests/e2e/fixtures";
import { Person } from "../../tests/e2e/person";

const BULK_BYTES = 8_000_000;
const MEGABYTES_A_SECOND_MIN = 20;
const TOKENS_A_SECOND = 500;
const SECONDS = 10;
const CORE_SHARE_MAX = 0.2;
const END = "That was all.";

function frame(delta: Record<string, string>): string {
  const chunk = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta, finish_reason: null }] };
  return `data: ${JSON.stringify(chunk)}\n\n`;
}

/** An endpoint that writes an answer in its own way. */
async function startEndpoint(write: (answer: ServerResponse) => void) {
  const server = createServer((request, answer) => {
    answer.setHeader("Access-Control-Allow-Origin", "*");
    answer.setHeader("Access-Control-Allow-Headers", "*");
    if (request.method !== "POST") return void answer.end();
    answer.setHeader("Content-Type", "text/event-stream");
    request.resume().on("end", () => write(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { endpoint: `http://127.0.0.1:${port}/v1`, stop: () => server.close() };
}

function finish(answer: ServerResponse) {
  answer.end(`${frame({ content: `\n\n${END}` })}data: [DONE]\n\n`);
}

async function seconds(session: CDPSession, name: "ScriptDuration" | "TaskDuration"): Promise<number> {
  const { metrics } = await session.send("Performance.getMetrics");
  return metrics.find((metric) => metric.name === name)?.value ?? NaN;
}

async function arrive(page: Page, endpoint: string) {
  const person = new Person(page);
  await page.goto("/");
  await person.open(sample);
  await connect(page, { endpoint });
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  return { person, session };
}

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
  const before = await seconds(session, "ScriptDuration");
  await person.ask("Tell me everything");
  await expect(person.transcript).toContainText(END, { timeout: 90_000 });
  const spent = (await seconds(session, "ScriptDuration")) - before;
  const speed = stream.length / 1e6 / spent;
  console.log(`decoding in the page: ${speed.toFixed(1)} MB/s (${(stream.length / 1e6).toFixed(1)} MB, ${spent.toFixed(2)} s of script)`);
  server.stop();
  expect(speed).toBeGreaterThanOrEqual(MEGABYTES_A_SECOND_MIN);
});

test("the cost of a fast stream", async ({ page }) => {
  let whole = () => {};
  const written = new Promise<void>((resolve) => (whole = resolve));
  const server = await startEndpoint((answer) => {
    let sent = 0;
    const start = Date.now();
    const timer = setInterval(() => {
      const due = Math.min(TOKENS_A_SECOND * SECONDS, Math.floor(((Date.now() - start) / 1000) * TOKENS_A_SECOND));
      let text = "";
      for (; sent < due; sent += 1) text += frame({ content: sent % 60 === 59 ? " end.\n\n" : " word" });
      if (text !== "") answer.write(text);
      if (sent < TOKENS_A_SECOND * SECONDS) return;
      clearInterval(timer);
      finish(answer);
      whole();
    }, 10);
  });
  const { person, session } = await arrive(page, server.endpoint);
  const before = await seconds(session, "TaskDuration");
  const start = Date.now();
  await person.ask("Tell me everything");
  // Looking at the page meanwhile would count as its work.
  await written;
  const spent = (await seconds(session, "TaskDuration")) - before;
  const share = spent / ((Date.now() - start) / 1000);
  await expect(person.transcript).toContainText(END);
  console.log(`a stream of ${TOKENS_A_SECOND} tokens a second: ${(share * 100).toFixed(1)} % of a core of the page's thread, over ${SECONDS} s`);
  server.stop();
  expect(share).toBeLessThan(CORE_SHARE_MAX);
});
