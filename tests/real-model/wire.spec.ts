import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { connect, expect, sample, test } from "../e2e/fixtures";
import { fixture, Person } from "../e2e/person";

/** A model of this size answers nonsense: what counts is how it travels. */
let server: ChildProcess;
let origin = "";

test.beforeAll(async () => {
  const python = process.env.ASSENT_REAL_MODEL_PYTHON;
  if (python === undefined) throw new Error("run this by `cargo xtask test --real-model`, which makes the Python environment");
  const started = spawn(python, [fileURLToPath(new URL("serve.py", import.meta.url))], { stdio: ["pipe", "pipe", "ignore"] });
  server = started;
  origin = await new Promise<string>((resolve, reject) => {
    let printed = "";
    started.stdout.on("data", (data) => {
      printed += data;
      const address = /^address (\S+)$/m.exec(printed)?.[1];
      if (address !== undefined) resolve(address);
    });
    started.on("exit", (code) => reject(new Error(`the model server ended (${code}) before it listened: ${printed}`)));
  });
});

test.afterAll(() => {
  server?.stdin?.end();
});

async function isIdle(): Promise<boolean> {
  const slots = await (await fetch(`${origin}/slots`)).json();
  return slots.every((slot: { is_processing: boolean }) => !slot.is_processing);
}

test("llama.cpp is reached across origins, lists its model and streams", async ({ page }) => {
  await page.goto("/");
  await page.getByRole("button", { name: "Settings", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Endpoint").fill(`${origin}/v1`);
  await dialog.getByRole("button", { name: "List models" }).click();
  await expect(dialog).toContainText("1 model", { timeout: 30_000 });
  await dialog.getByLabel("Model", { exact: true }).fill("SmolLM2");
  await dialog.getByRole("button", { name: "Test connection" }).click();
  await expect(dialog.getByRole("button", { name: "Copy report" })).toBeVisible({ timeout: 480_000 });
  const results = dialog.getByRole("list", { name: "Connection test" });
  for (const name of ["Reachable from this page", "Key", "List of models", "Streaming"]) {
    await expect(results.getByRole("listitem").filter({ hasText: name }).first()).toContainText("works");
  }
});

test("Stop ends the request within a second and frees llama.cpp", async ({ page }) => {
  await page.addInitScript(() => {
    const { abort } = AbortController.prototype;
    AbortController.prototype.abort = function (reason) {
      Object.assign(window, { abortedAt: performance.now() });
      abort.call(this, reason);
    };
    addEventListener("click", ({ timeStamp }) => Object.assign(window, { clickedAt: timeStamp }), true);
  });
  const person = new Person(page);
  await page.goto("/");
  await person.open(fixture("other.db"));
  await connect(page, { endpoint: `${origin}/v1` });
  await person.ask("Tell a long story about the sea.");
  const turn = person.transcript.getByRole("article").last();
  // The first words, after the whole prompt was read.
  await expect(turn.locator("[data-live=true], .proposal").first()).toBeVisible({ timeout: 480_000 });
  expect(await isIdle()).toBe(false);
  await person.button("Stop").click();
  const waited = await page.evaluate(() => {
    const { clickedAt, abortedAt } = window as unknown as Record<string, number>;
    return abortedAt - clickedAt;
  });
  expect(waited).toBeGreaterThanOrEqual(0);
  expect(waited).toBeLessThan(1_000);
  // llama.cpp itself looks once a second whether anybody still listens.
  await expect.poll(isIdle, { timeout: 10_000 }).toBe(true);
  await expect(turn).toContainText("Stopped");
});

test("a prompt that llama.cpp has no room for is said to be too long", async ({ page }) => {
  const person = new Person(page);
  await page.goto("/");
  await person.open(sample);
  await connect(page, { endpoint: `${origin}/v1` });
  await person.ask("Which of all these orders is the best one? ".repeat(180));
  await expect(person.transcript).toContainText("The chat is too long for this model", { timeout: 60_000 });
});
