import { expect, expectAccessible, nativeRows, sample, test } from "./fixtures";
import { Person } from "./person";
import type { BrowserContext, Page } from "@playwright/test";

// Two tabs of one browser, and what is stored in the end.

const ORDERS = "How many orders are there?";
const STORES = "How many stores are there?";
const ELSEWHERE = "This chat is open in another tab.";

interface StoredChat {
  id: string;
  name: string | null;
  questions: string[];
  revision: number;
}

/** The chats as the browser stores them, oldest first. */
async function stored(page: Page): Promise<StoredChat[]> {
  return page.evaluate(async () => {
    const done = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const database = await done(indexedDB.open("assent"));
    const stores = database.transaction(["chats", "entries"]);
    const ids = (await done(stores.objectStore("chats").getAllKeys())) as string[];
    const chats = [];
    for (const id of ids) {
      const chat = JSON.parse(await done(stores.objectStore("chats").get(id)));
      const entry = JSON.parse(await done(stores.objectStore("entries").get(id)));
      const questions = chat.run.turns.map((turn: { question: string }) => turn.question);
      chats.push({ id, name: entry.name, questions, revision: entry.revision, at: chat.run.turns[0].asked_at_ms });
    }
    database.close();
    return chats.sort((a, b) => a.at - b.at).map(({ at, ...chat }) => chat);
  });
}

async function questions(page: Page): Promise<string[][]> {
  return (await stored(page)).map((chat) => chat.questions);
}

function count(table: string): string {
  return String(nativeRows(sample, `SELECT count(*) FROM ${table}`).rows[0][0]);
}

/** A second tab, with the chat of that question on show. */
async function second(context: BrowserContext, title: string): Promise<Person> {
  const page = await context.newPage();
  await page.goto("/");
  await page.getByRole("navigation", { name: "Chats" }).getByText(title).click();
  return new Person(page);
}

async function begin(page: Page): Promise<Person> {
  const person = new Person(page);
  await page.goto("/");
  await person.open(sample);
  await person.ask(ORDERS);
  await expect(person.card).toBeVisible();
  return person;
}

test("a chat that is open in one tab is read along in another, until that one takes it over", async ({ page, context }) => {
  const first = await begin(page);
  const other = await second(context, ORDERS);
  await expect(other.page.getByText(ELSEWHERE)).toBeVisible();
  await expect(other.composer).toHaveCount(0);
  await expect(other.card).toContainText("This waits for you in the other tab.");
  await expect(other.card.getByRole("button", { name: "Approve" })).toHaveCount(0);
  await expectAccessible(other.page);

  await first.approve();
  await expect(first.transcript).toContainText(count("orders"));
  await expect(other.transcript).toContainText(count("orders"));

  await other.button("Use it here").click();
  await expect(other.composer).toBeVisible();
  await expect(page.getByText(ELSEWHERE)).toBeVisible();
  await expect(first.composer).toHaveCount(0);
  await other.open(sample);
  await other.ask(STORES);
  await other.approve();
  await expect(other.transcript).toContainText(count("stores"));
  await expect(first.transcript).toContainText(STORES);
  await expect.poll(() => questions(page)).toEqual([[ORDERS, STORES]]);
});

test("a chat comes to the tab that waits for it when the other one is closed or shows something else", async ({ page, context }) => {
  const first = await begin(page);
  const other = await second(context, ORDERS);
  await expect(other.page.getByText(ELSEWHERE)).toBeVisible();
  await first.button("New chat").click();
  await expect(other.page.getByText(ELSEWHERE)).toHaveCount(0);
  await page.getByRole("navigation", { name: "Chats" }).getByText(ORDERS).click();
  await expect(page.getByText(ELSEWHERE)).toBeVisible();
  await other.page.close();
  await expect(first.composer).toBeVisible();
  await first.approve();
  await expect(first.transcript).toContainText(count("orders"));
});

test("a reload keeps its own chat, and a new tab begins with an empty one", async ({ page, context }) => {
  const first = await begin(page);
  const fresh = await context.newPage();
  await fresh.goto("/");
  await expect(fresh.getByRole("navigation", { name: "Chats" })).toContainText(ORDERS);
  await expect(fresh.getByText("Ask your SQLite file a question")).toBeVisible();
  await expect(fresh.getByText(ELSEWHERE)).toHaveCount(0);
  await page.reload();
  await expect(first.card).toBeVisible();
  await expect(first.composer).toBeVisible();
});

test("taken over in the middle of an answer, what had arrived is stored and shown in both tabs", async ({ page, context, model }) => {
  model.script([{ text: "The very first words, and many more that come slowly. ".repeat(40), chunkSize: 6, latencyMs: 40 }]);
  const first = await new Person(page).arrive(model);
  await first.ask(ORDERS);
  await expect(first.transcript).toContainText("The very first words");
  const other = await second(context, ORDERS);
  await expect(other.page.getByText(ELSEWHERE)).toBeVisible();
  await other.button("Use it here").click();
  await expect(other.transcript).toContainText("The very first words");
  await expect(other.composer).toBeVisible();
  await expect(first.transcript).toContainText("The very first words");
  await expect(page.getByText(ELSEWHERE)).toBeVisible();
});

test("a name given in one tab survives what the other one saves", async ({ page, context }) => {
  const first = await begin(page);
  const other = await context.newPage();
  await other.goto("/");
  const list = other.getByRole("navigation", { name: "Chats" });
  await list.getByRole("button", { name: `Rename: ${ORDERS}` }).click();
  await list.getByRole("textbox", { name: "Name of the chat" }).fill("Board figures");
  await list.getByRole("textbox", { name: "Name of the chat" }).press("Enter");
  await expect(page.getByRole("navigation", { name: "Chats" })).toContainText("Board figures");
  await first.approve();
  await expect(first.transcript).toContainText(count("orders"));
  await expect.poll(async () => (await stored(page)).map((chat) => chat.name)).toEqual(["Board figures"]);
});

test("a chat that another tab deleted stays in sight and can be brought back whole", async ({ page, context }) => {
  const first = await begin(page);
  const other = await context.newPage();
  await other.goto("/");
  await other.getByRole("button", { name: `Delete: ${ORDERS}` }).click();
  await expect(page.getByText("This chat was deleted in another tab.")).toBeVisible();
  expect(await stored(page)).toEqual([]);
  await first.button("Bring it back").click();
  await expect(first.composer).toBeVisible();
  await expect.poll(() => questions(page)).toEqual([[ORDERS]]);
  await expect(other.getByRole("navigation", { name: "Chats" })).toContainText(ORDERS);
  await first.approve();
  await expect(first.transcript).toContainText(count("orders"));
});

test("without locks and without word from each other, two tabs still lose nothing", async ({ page, context }) => {
  await context.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, "locks", { value: undefined });
    BroadcastChannel.prototype.postMessage = () => {};
  });
  const first = await begin(page);
  await first.approve();
  await expect(first.transcript).toContainText(count("orders"));
  const other = await second(context, ORDERS);
  await expect(other.transcript).toContainText(count("orders"));
  await other.open(sample);
  await first.ask(STORES);
  await first.approve();
  await expect(first.transcript).toContainText(count("stores"));

  await other.ask("How many staff are there?");
  await expect(other.page.getByText("What you did here is kept as a chat of its own.")).toBeVisible();
  await other.approve();
  await expect(other.transcript).toContainText(count("staff"));
  await expect.poll(() => questions(page)).toEqual([
    [ORDERS, STORES],
    [ORDERS, "How many staff are there?"],
  ]);
});

test("without locks, a tab that rests shows what the other one saved", async ({ page, context }) => {
  await context.addInitScript(() => Object.defineProperty(Navigator.prototype, "locks", { value: undefined }));
  const first = await begin(page);
  const other = await second(context, ORDERS);
  await first.approve();
  await expect(first.transcript).toContainText(count("orders"));
  await expect(other.transcript).toContainText(count("orders"));
  await other.open(sample);
  await other.ask(STORES);
  await other.approve();
  await expect(first.transcript).toContainText(count("stores"));
  await expect.poll(() => questions(page)).toEqual([[ORDERS, STORES]]);
});
