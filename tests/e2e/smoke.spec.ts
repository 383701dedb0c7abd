import { expect, expectAccessible, nativeRows, sample, test } from "./fixtures";

test("the page loads, quietly and from one place", async ({ page, site, watch }) => {
  await page.goto("/", { waitUntil: "load" });
  await expect(page).toHaveTitle("Assent");
  await expect(page.locator("#shell")).toHaveCount(0);
  await expectAccessible(page);
  expect(watch.consoleErrors).toEqual([]);
  expect([...watch.origins]).toEqual([new URL(site.url).origin]);
});

test("a script from elsewhere, an inline one and a stray worker do not run", async ({ page }) => {
  await page.goto("/");
  const outcome = await page.evaluate(() => {
    const attempt = (act: () => void) => {
      try {
        act();
        return "taken";
      } catch {
        return "refused";
      }
    };
    return [
      attempt(() => (document.createElement("script").src = "https://example.com/a.js")),
      attempt(() => (document.createElement("script").text = "globalThis.ran = true")),
      attempt(() => document.createElement("img").setAttribute("onerror", "globalThis.ran = true")),
      attempt(() => new Worker("/engine.js")),
    ];
  });
  expect(outcome).toEqual(["refused", "refused", "refused", "refused"]);
});

test("the policy refuses markup that could act", async ({ page }) => {
  await page.goto("/");
  const outcome = await page.evaluate(() => {
    const attempt = (html: string) => {
      try {
        document.createElement("div").innerHTML = html;
        return "taken";
      } catch {
        return "refused";
      }
    };
    return [
      attempt("<p class='a'>plain</p>"),
      attempt("<img src=x onerror=alert(1)>"),
      attempt("<iframe src=x></iframe>"),
      attempt("<a href=' javascript:alert(1)'>x</a>"),
      attempt("<p style='color:red'>x</p>"),
    ];
  });
  expect(outcome).toEqual(["taken", "refused", "refused", "refused", "refused"]);
});

test("the scripted endpoint answers in order and reaches the page's origin", async ({ page, model }) => {
  model.script([
    { text: "Hello", reasoning: "thinking" },
    { calls: [{ name: "run_sql", arguments: { sql: "SELECT 1" } }] },
    { status: 401, message: "wrong key" },
  ]);
  await page.goto("/");
  const answers = await page.evaluate(async (endpoint) => {
    const texts: string[] = [];
    for (const stream of [true, true, false]) {
      const response = await fetch(`${endpoint}/chat/completions`, {
        method: "POST",
        headers: { "Content-Type": "application/json", Authorization: "Bearer k" },
        body: JSON.stringify({ model: "scripted", stream, messages: [{ role: "user", content: "hi" }] }),
      });
      texts.push(`${response.status} ${await response.text()}`);
    }
    return texts;
  }, model.endpoint);
  expect(answers[0]).toContain("reasoning_content");
  expect(answers[0]).toContain("data: [DONE]");
  expect(answers[1]).toContain("run_sql");
  expect(answers[2]).toMatch(/^401 .*wrong key/s);
  expect(model.requests).toHaveLength(3);
  expect(model.requests[0].messages[0].content).toBe("hi");
  expect(model.headers(0)["content-type"]).toBe("application/json");
});

test("each way of failing takes exactly one scripted answer", async ({ page, model }) => {
  model.script([{ text: "a long text that is cut", chunkSize: 4, cutAfterChunks: 2 }, { chaos: "disconnect" }, { chaos: "drop" }, { chaos: "malformed" }]);
  await page.goto("/");
  const outcomes = await page.evaluate(async (endpoint) => {
    const seen: string[] = [];
    for (let request = 0; request < 4; request += 1) {
      const body = JSON.stringify({ model: "scripted", stream: true, messages: [{ role: "user", content: "hi" }] });
      const response = await fetch(`${endpoint}/chat/completions`, { method: "POST", body }).catch(() => null);
      const text = await response?.text().catch(() => "cut");
      seen.push(response === null ? "no answer" : `${response.status} ${text === "cut" ? "cut" : "whole"}`);
    }
    return seen;
  }, model.endpoint);
  expect(outcomes).toEqual(["200 cut", "no answer", "500 whole", "200 whole"]);
  expect(model.requests).toHaveLength(4);
});

test("native SQLite answers for comparison", () => {
  const { columns, rows } = nativeRows(sample, "SELECT 1 AS one, NULL AS none, x'00ff' AS bytes, 9007199254740993 AS large");
  expect(columns).toEqual(["one", "none", "bytes", "large"]);
  expect(rows).toEqual([[1, null, { blob: "00ff" }, { integer: "9007199254740993" }]]);
});
