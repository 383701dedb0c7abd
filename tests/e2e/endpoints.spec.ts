import { connect, expect, expectAccessible, nativeRows, sample, test } from "./fixtures";
import { Person, propose } from "./person";

const SQL = "SELECT name FROM categories ORDER BY name LIMIT 3";

for (const [family, path] of [["Anthropic messages", "v1/messages"], ["Ollama's own chat", "api/chat"]]) {
  test(`the same journey over ${family}`, async ({ page, model }) => {
    const native = nativeRows(sample, SQL);
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
    expect(await person.rows()).toEqual(native.rows.map((row) => row.map(String)));
    expect(model.requests).toHaveLength(3);
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
