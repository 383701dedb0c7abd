import { expect, test } from "../../tests/e2e/fixtures";
import { arrive, END, finish, pace, spent, startEndpoint } from "./endpoint";

const TOKENS_A_SECOND = 500;
const SECONDS = 10;
const CORE_SHARE_MAX = 0.2;

/** Words in paragraphs of sixty. */
const word = (n: number) => (n % 60 === 59 ? " end.\n\n" : " word");

/** The arguments of one call, a word a token: reasoning first, then the statement. */
function argument(n: number): string {
  const all = TOKENS_A_SECOND * SECONDS;
  if (n === 0) return '{"reasoning":"Because';
  if (n === all / 2) return '","analysis":"One table.","sql":"SELECT 1';
  if (n === all - 1) return '","final_check":"Yes."}';
  return n < all / 2 ? " word" : n % 20 === 0 ? ",\\n  name" : " + 1";
}

const STREAMS: [string, (n: number) => Record<string, unknown>][] = [
  ["an answer", (n) => ({ content: word(n) })],
  ["reasoning", (n) => ({ reasoning_content: word(n) })],
  [
    "an answer below open reasoning",
    (n) => (n < (TOKENS_A_SECOND * SECONDS) / 2 ? { reasoning_content: word(n) } : { content: word(n) }),
  ],
  [
    "a proposal",
    (n) => ({ tool_calls: [{ index: 0, ...(n === 0 && { id: "call_1", type: "function" }), function: { ...(n === 0 && { name: "run_sql" }), arguments: argument(n) } }] }),
  ],
];

for (const [name, token] of STREAMS) {
  test(`the cost of a fast stream: ${name}`, async ({ page }) => {
    let whole = () => {};
    const written = new Promise<void>((resolve) => (whole = resolve));
    let end = () => {};
    let begun = 0;
    const server = await startEndpoint(async (answer) => {
      begun = Date.now();
      await pace(answer, TOKENS_A_SECOND, SECONDS, token);
      end = () => finish(answer);
      whole();
    });
    const { person, session } = await arrive(page, server.endpoint);
    await page.evaluate(() => {
      const tasks: { start: number; ms: number }[] = [];
      const noted = ({ duration, startTime }: PerformanceEntry) => ({ start: performance.timeOrigin + startTime, ms: duration });
      new PerformanceObserver((list) => tasks.push(...list.getEntries().map(noted))).observe({ type: "longtask" });
      Object.assign(window, { tasks });
    });
    const before = await spent(session);
    const start = Date.now();
    await person.ask("Tell me everything");
    if (name.includes("open reasoning")) await page.getByRole("button", { name: /Thinking/ }).click({ clickCount: 2 });
    // Looking at the page meanwhile would count as its work.
    await written;
    const after = await spent(session);
    const seconds = (Date.now() - start) / 1000;
    const share = (kind: keyof typeof after) => (after[kind] - before[kind]) / seconds;
    const percent = (part: number) => `${(part * 100).toFixed(1)} %`;
    // Those of the click on Ask come before; bench interaction has them.
    const tasks = await page.evaluate(() => (window as unknown as { tasks: { start: number; ms: number }[] }).tasks);
    const long = tasks.filter(({ start }) => start > begun).map(({ start, ms }) => `${ms.toFixed(0)} ms at ${((start - begun) / 1000).toFixed(1)} s`);
    console.log(
      `${name}, ${TOKENS_A_SECOND} tokens a second for ${SECONDS} s: ${percent(share("TaskDuration"))} of a core of the page's thread ` +
        `(script ${percent(share("ScriptDuration"))}, style ${percent(share("RecalcStyleDuration"))}, layout ${percent(share("LayoutDuration"))}), ` +
        `tasks over 50 ms: ${long.length === 0 ? "none" : long.join(", ")}`,
    );
    end();
    await expect(person.transcript).toContainText(END);
    server.stop();
    expect(share("TaskDuration")).toBeLessThan(CORE_SHARE_MAX);
    expect(long).toEqual([]);
  });
}
