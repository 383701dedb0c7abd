import { connect, expect, nativeRows, reconnect, sample, test } from "./fixtures";
import { fixture, Person, propose } from "./person";

/** Every trouble ends in a clear sentence with a next step; the chat stays usable. */
async function stillUsable(person: Person): Promise<void> {
  await person.ask("Are you there?");
  await expect(person.transcript).toContainText("Still here.");
}

test("a file that is no database is named as such", async ({ page }) => {
  const person = new Person(page);
  await page.goto("/");
  await person.open(fixture("text.db"));
  await expect(page.getByText(/not a SQLite database/i).first()).toBeVisible();
  await person.open(sample);
  await expect(page.getByText("read-only").first()).toBeVisible();
});

test("an empty file is named as such", async ({ page }) => {
  const person = new Person(page);
  await page.goto("/");
  await person.open(fixture("zero.db"));
  await expect(page.getByText(/empty/i).first()).toBeVisible();
});

test("two files at once are not guessed between", async ({ page }) => {
  const person = new Person(page);
  await page.goto("/");
  await person.open([fixture("other.db"), sample]);
  await expect(page.getByText(/one file at a time/i).first()).toBeVisible();
});

test("a cancelled picker changes nothing", async ({ page }) => {
  await page.goto("/");
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Open a SQLite file" }).first().click();
  await (await chooser).setFiles([]);
  await expect(page.getByRole("button", { name: "Open a SQLite file" }).first()).toBeVisible();
  await expect(page.getByRole("alert")).toHaveCount(0);
});

test("an endpoint without a model name leads to Settings", async ({ page }) => {
  const person = new Person(page);
  await page.goto("/");
  await person.open(sample);
  await page.getByRole("button", { name: "Settings" }).click();
  const dialog = page.getByRole("dialog", { name: "Settings" });
  await dialog.getByLabel("Endpoint").fill("http://127.0.0.1:9/v1");
  await dialog.getByRole("button", { name: "Save" }).click();
  await person.ask("How many orders?");
  await expect(person.transcript).toContainText("No model endpoint is set yet.");
  await person.transcript.getByRole("button", { name: /settings/i }).click();
  await expect(dialog).toBeVisible();
});

test("a refused key (401) names the key and Settings", async ({ page, model }) => {
  model.script([{ status: 401, message: "Incorrect API key provided" }, { text: "Still here." }]);
  const person = await new Person(page).arrive(model);
  await person.ask("How many orders?");
  await expect(person.transcript).toContainText("refused the API key (401)");
  await expect(person.transcript).not.toContainText("test-key");
  await stillUsable(person);
});

test("an unknown model (404) names the model", async ({ page, model }) => {
  model.script([{ status: 404, message: "The model `scripted` does not exist" }, { text: "Still here." }]);
  const person = await new Person(page).arrive(model);
  await person.ask("How many orders?");
  await expect(person.transcript).toContainText("does not know this model");
  await stillUsable(person);
});

test("a dead endpoint is said to be unreachable, with what to check", async ({ page, model }) => {
  model.script([{ text: "Still here." }]);
  const person = await new Person(page).arrive({ endpoint: "http://127.0.0.1:9/v1" });
  await person.ask("How many orders?");
  await expect(person.transcript).toContainText("could not be reached");
  await expect(person.transcript).toContainText("CORS");
  await reconnect(page, model);
  await person.open(sample);
  await stillUsable(person);
});

test("a stream cut in the middle keeps what had arrived and offers another try", async ({ page, model }) => {
  model.script([{ text: "The answer begins here and then goes on.", chunkSize: 8, cutAfterChunks: 4 }, { text: "Whole now." }]);
  const person = await new Person(page).arrive(model);
  await person.ask("Tell me");
  await expect(person.transcript).toContainText("cut off in the middle");
  await expect(person.transcript).toContainText("The answer");
  await person.transcript.getByRole("button", { name: "Try again" }).click();
  await expect(person.transcript).toContainText("Whole now.");
});

test("a web page instead of an answer is shown for what it is", async ({ page, model, site }) => {
  model.script([{ text: "Still here." }]);
  const person = await new Person(page).arrive({ endpoint: `${site.url}v1` });
  await person.ask("How many orders?");
  await expect(person.transcript).toContainText("web page instead of a model's reply");
  await reconnect(page, model);
  await person.open(sample);
  await stillUsable(person);
});

test("an unknown tool and broken arguments go back to the model", async ({ page, model }) => {
  model.script([
    { calls: [{ name: "drop_database", arguments: {} }] },
    { calls: [{ name: "run_sql", arguments: "{\"sql\": \"SELECT" }] },
    { text: "Still here." },
  ]);
  const person = await new Person(page).arrive(model);
  await person.ask("Do something odd");
  await expect(person.transcript).toContainText("Still here.");
  expect(JSON.stringify(model.requests[1].messages)).toContain("there is no tool `drop_database`");
  expect(JSON.stringify(model.requests[2].messages)).toMatch(/not valid JSON|missing/);
});

test("the same failing SQL three times ends with an honest explanation", async ({ page, model }) => {
  const failing = propose("SELECT nothing_like_this FROM orders", { error_check: "Trying again." });
  model.script([failing, failing, failing, { text: "Still here." }]);
  const person = await new Person(page).arrive(model);
  await person.ask("q");
  await expect(person.transcript).toContainText("No working query was found in three tries");
  await expect(person.transcript).toContainText("nothing_like_this");
  expect(JSON.stringify(model.requests[2].messages)).toContain("take another approach");
  await stillUsable(person);
});

test("a model that never stops calling tools is stopped", async ({ page, model }) => {
  const looking = { calls: [{ name: "list_tables", arguments: {} }] };
  model.script([...Array(16).fill(looking), { text: "Still here." }]);
  const person = await new Person(page).arrive(model);
  await person.ask("q");
  await expect(person.transcript).toContainText("16 times without reaching an answer");
  await stillUsable(person);
});

test("where the endpoint fails, the built-in translator can answer that one question", async ({ page, model }) => {
  model.script([{ status: 401, message: "Incorrect API key provided" }]);
  const stores = String(nativeRows(sample, "SELECT count(*) FROM stores").rows[0][0]);
  const person = await new Person(page).arrive(model);
  await person.ask("How many stores are there?");
  await person.button("Answer with the built-in translator").click();
  await person.approve();
  await expect(person.transcript).toContainText(stores);
  expect(model.requests).toHaveLength(1);
});
