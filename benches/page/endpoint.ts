import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { CDPSession, Page } from "@playwright/test";
import { connect, sample } from "../../tests/e2e/fixtures";
import { Person } from "../../tests/e2e/person";

/** Ends every answer that a bench writes. */
export const END = "That was all.";

/** One frame of a stream of chat completions. */
export function frame(delta: Record<string, unknown>): string {
  const chunk = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta, finish_reason: null }] };
  return `data: ${JSON.stringify(chunk)}\n\n`;
}

/** An endpoint that writes an answer in its own way. */
export async function startEndpoint(write: (answer: ServerResponse) => void) {
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

export function finish(answer: ServerResponse) {
  answer.end(`${frame({ content: `\n\n${END}` })}data: [DONE]\n\n`);
}

/** Writes `perSecond` frames a second for `seconds`, in bursts of 10 ms, as a fast server's packets come. */
export function pace(answer: ServerResponse, perSecond: number, seconds: number, token: (n: number) => Record<string, unknown>): Promise<void> {
  return new Promise((resolve) => {
    const start = Date.now();
    let sent = 0;
    const timer = setInterval(() => {
      const due = Math.min(perSecond * seconds, Math.floor(((Date.now() - start) / 1000) * perSecond));
      let text = "";
      for (; sent < due; sent += 1) text += frame(token(sent));
      if (text !== "") answer.write(text);
      if (sent < perSecond * seconds) return;
      clearInterval(timer);
      resolve();
    }, 10);
  });
}

const METRICS = ["TaskDuration", "ScriptDuration", "LayoutDuration", "RecalcStyleDuration"] as const;
export type Spent = Record<(typeof METRICS)[number], number>;

/** Seconds that the page's thread has worked so far, in all and by kind. */
export async function spent(session: CDPSession): Promise<Spent> {
  const { metrics } = await session.send("Performance.getMetrics");
  const value = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? NaN;
  return Object.fromEntries(METRICS.map((name) => [name, value(name)])) as Spent;
}

/** A page with a file and an endpoint, ready to be asked. */
export async function arrive(page: Page, endpoint: string) {
  const person = new Person(page);
  await page.goto("/");
  await person.open(sample);
  await connect(page, { endpoint });
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  return { person, session };
}
