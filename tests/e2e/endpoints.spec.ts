import { connect, expect, expectAccessible, nativeRows, sample, test } from "./fixtures";
import type { Turn } from "./model";
import { Person, propose } from "./person";

const SQL = "SELECT name FROM categories ORDER BY name LIMIT 3";

const FAMILIES = [
  ["chat completions", "v1"],
  ["Anthropic messages", "v1/messages"],
  ["Ollama's own chat", "api/chat"],
] as const;

/** What a server may do instead of answering, how often it has to until the page asks, and what is said then. */
const TROUBLES: [Turn, number, RegExp][] = [
  [{ chaos: "drop" }, 5, /The endpoint reported an error of its own/],
  [{ chaos: "malformed" }, 1, /could not be understood/],
  [{ chaos: "disconnect" }, 2, /could not be reached/],
  [{ text: "The answer begins here and then goes on.", chunkSize: 8, cutAfterChunks: 4 }, 1, /cut off in the middle/],
];

for (const [family, path] of FAMILIES) {
  test(`the same journey over ${family}`, async ({ page, model }) => {
    const native = nativeRows(sample, SQL);
    const bodies: string[] = [];
    page.on("request", (request) => {
      if (request.method() === "POST") bodies.push(request.postData() ?? "");
    });
    model.script([
      { reasoning: "Names are in one table.", calls: [{ name: "list_tables", arguments: {} }] },
      propose(SQL),
      { text: "Three names in order." },
    ]);
    const person = new Person(page);
    await page.goto("/");
    await person.open(sample);
    await connect(page, { endpoint: new URL(path, model.endpoint).href });
    await person.ask("Which categories?");
    await person.approve();
    await expect(person.transcript).toContainText("Three names in order.");
    await person.transcript.getByRole("button", { name: /Thought for/ }).click();
    await expect(person.transcript).toContainText("Names are in one table.");
    expect(await person.rows()).toEqual(native.rows.map((row) => row.map(String)));
    expect(model.requests).toHaveLength(3);
    expect(bodies).toHaveLength(3);
    // Thinking goes back: over messages with its signature, to Ollama as it came.
    if (family === "Ollama's own chat") expect(bodies[1]).toContain('"thinking":"Names are in one table."');
    if (family === "Anthropic messages") expect(bodies[1]).toMatch(/"thinking":"Names are in one table\.","signature":"[^"]+"/);
  });

  test(`every trouble of a server ends in a sentence and a working retry over ${family}`, async ({ page, model }) => {
    await page.clock.install();
    const person = new Person(page);
    await page.goto("/");
    await person.open(sample);
    await connect(page, { endpoint: new URL(path, model.endpoint).href });
    for (const [trouble, times, said] of TROUBLES) {
      model.script([...Array(times).fill(trouble), { text: "Whole again." }]);
      await person.ask("Tell me");
      const turn = person.transcript.getByRole("article").last();
      // The pauses between tries need not be waited for.
      await expect(async () => {
        await page.clock.fastForward(20_000);
        await expect(turn).toContainText(said, { timeout: 500 });
      }).toPass();
      await turn.getByRole("button", { name: "Try again" }).click();
      await expect(turn).toContainText("Whole again.");
    }
  });
}

test("the inspector lists every request, exactly and without the key", async ({ page, model }) => {
  model.script([propose(SQL), { text: "Three names in order." }]);
  const person = await new Person(page).arrive(model);
  await person.ask("Which categories?");
  await person.approve();
  await expect(person.transcript).toContainText("Three names in order.");
  await page.getByRole("tab", { name: "Sent" }).click();
  const panel = page.getByRole("tabpanel", { name: "Sent" });
  await expect(panel.getByRole("listitem")).toHaveCount(2);
  await expect(panel).toContainText(new URL(model.endpoint).origin);
  await panel.getByRole("button", { name: "Exact body" }).first().click();
  await expect(panel).toContainText('"role":"tool"');
  await expect(panel).not.toContainText("test-key");
  await expectAccessible(page);
});

test("the connection test says what works and what to do", async ({ page, model }) => {
  const call = (word: string) => ({ name: "look_up", arguments: { word } });
  model.script([
    { text: "one two three four five six", chunkSize: 4 },
    { calls: [call("apple"), call("pear")] },
    { text: '{"answer":"yes"}' },
  ]);
  await page.goto("/");
  await page.getByRole("button", { name: "Settings", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Endpoint").fill(model.endpoint);
  await dialog.getByLabel("Model", { exact: true }).fill("test-model");
  await dialog.getByRole("button", { name: "Test connection" }).click();
  await expect(dialog.getByRole("button", { name: "Copy report" })).toBeVisible();
  const results = dialog.getByRole("list", { name: "Connection test" });
  for (const name of ["Reachable from this page", "Key", "Streaming", "Tool calls", "Several calls at once", "JSON replies"]) {
    await expect(results.getByRole("listitem").filter({ hasText: name }).first()).toContainText("works");
  }
  await dialog.getByLabel("Endpoint").fill("http://127.0.0.1:11434/api");
  await dialog.getByRole("button", { name: "Test connection" }).click();
  await expect(results).toContainText("OLLAMA_ORIGINS");
  await expectAccessible(page);
});
