import type { Page } from "@playwright/test";
import { expect, expectAccessible, sample, stored, test } from "./fixtures";
import type { Model } from "./model";
import { propose } from "./person";

/** Set, it names a folder for pictures of every screen: both themes, three widths. */
const PICTURES = process.env.ASSENT_PICTURES;
const WIDTHS = [390, 820, 1440];

const ENGLISH = {
  open: "Open a SQLite file",
  ready: "What do you want to know?",
  settings: "Settings",
  endpoint: "Endpoint",
  key: "API key",
  model: "Model",
  keep: "Keep the key on this device",
  passphrase: "Passphrase",
  test: "Test connection",
  report: "Copy report",
  save: "Save",
  composer: "Ask a question about your data",
  ask: "Ask",
  unlock: "Unlock",
  send: "Send answers",
  guess: "Use your best guess",
  card: "Run this query?",
  edit: "Edit",
  cancel: "Cancel",
  approve: "Approve",
  reject: "Reject",
  stop: "Stop",
  stopped: "Stopped",
  answer: "Answer",
  table: "Table",
  chart: "Chart",
  sql: "SQL",
  sent: "Sent",
  body: "Exact body",
  schema: "Schema",
  question: "How many orders are there for each status?",
};

const CHINESE: typeof ENGLISH = {
  open: "打开 SQLite 文件",
  ready: "你想了解什么？",
  settings: "设置",
  endpoint: "接口地址",
  key: "API 密钥",
  model: "模型名称",
  keep: "用口令加密后保存在此设备上",
  passphrase: "口令",
  test: "测试连接",
  report: "复制报告",
  save: "保存",
  composer: "就你的数据提问",
  ask: "提问",
  unlock: "解锁",
  send: "发送回答",
  guess: "按最佳猜测继续",
  card: "运行此查询？",
  edit: "编辑",
  cancel: "取消",
  approve: "批准",
  reject: "拒绝",
  stop: "停止",
  stopped: "已停止",
  answer: "答案",
  table: "表格",
  chart: "图表",
  sql: "SQL",
  sent: "已发送",
  body: "完整内容",
  schema: "表结构",
  question: "每种状态有多少订单？",
};

const SQL = "SELECT status, count(*) AS orders\nFROM orders\nGROUP BY status\nORDER BY orders DESC";
const STREAM = "Orders with each status are counted once. ".repeat(12);

/** Shows the screen in both themes: axe finds nothing in either. */
class Screens {
  #number = 0;

  constructor(
    readonly page: Page,
    readonly language: string,
  ) {}

  async look(name: string) {
    this.#number += 1;
    for (const colorScheme of ["light", "dark"] as const) {
      await this.page.emulateMedia({ colorScheme });
      await test.step(`${name}, ${colorScheme}`, () => expectAccessible(this.page));
      if (PICTURES !== undefined) await this.#draw(name, colorScheme);
    }
  }

  async #draw(name: string, theme: string) {
    const before = this.page.viewportSize()!;
    const number = String(this.#number).padStart(2, "0");
    for (const width of WIDTHS) {
      await this.page.setViewportSize({ width, height: 900 });
      await this.page.screenshot({ path: `${PICTURES}/${number}-${name}-${this.language}-${theme}-${width}.png` });
    }
    await this.page.setViewportSize(before);
  }
}

function script(model: Model) {
  const word = (text: string) => ({ name: "look_up", arguments: { word: text } });
  const option = (id: string, label: string, recommended = false) => ({ id, label, recommended });
  model.script([
    // The connection test.
    { text: "one two three four five six", chunkSize: 4 },
    { calls: [word("apple"), word("pear")] },
    { text: '{"answer":"yes"}' },
    // The question.
    {
      reasoning: "The word orders may mean two things here.",
      calls: [
        {
          name: "ask_user_questions",
          arguments: {
            title: "What counts as an order?",
            questions: [
              { id: "which", question: "Which orders?", type: "SINGLE_CHOICE", options: [option("all", "All of them", true), option("paid", "Only paid ones")] },
              { id: "how", question: "Shown how?", type: "MULTI_CHOICE", options: [option("count", "As a count"), option("share", "As a share")] },
              { id: "also", question: "Anything else?", type: "TEXT" },
            ],
          },
        },
      ],
    },
    propose(SQL),
    { text: "Most orders were **delivered**; see the table for each status." },
    { text: STREAM, chunkSize: 4, latencyMs: 150 },
    { status: 401, message: "Incorrect API key provided" },
  ]);
}

for (const [locale, t] of [
  ["en-US", ENGLISH],
  ["zh-CN", CHINESE],
] as const) {
  test.describe(`in ${locale}`, () => {
    test.use({ locale });

    test("axe finds nothing on any screen, in either theme", async ({ page, model }) => {
      test.setTimeout(PICTURES === undefined ? 120_000 : 480_000);
      script(model);
      const screens = new Screens(page, locale);
      const button = (name: string) => page.getByRole("button", { name, exact: true });
      const open = async () => {
        const chooser = page.waitForEvent("filechooser");
        await button(t.open).first().click();
        await (await chooser).setFiles(sample);
      };
      const ask = async (question: string) => {
        await page.getByRole("textbox", { name: t.composer }).fill(question);
        await button(t.ask).click();
      };

      await page.goto("/");
      await expect(button(t.open).first()).toBeVisible();
      await screens.look("empty");
      await open();
      await expect(page.getByRole("heading", { name: t.ready })).toBeVisible();
      await screens.look("ready");

      await button(t.settings).click();
      const settings = page.getByRole("dialog", { name: t.settings });
      await settings.getByLabel(t.endpoint, { exact: true }).fill(model.endpoint);
      await settings.getByLabel(t.key).fill("test-key");
      await settings.getByLabel(t.model, { exact: true }).fill("scripted");
      await settings.getByLabel(t.keep).check();
      await settings.getByLabel(t.passphrase, { exact: true }).fill("short");
      await button(t.save).click();
      await screens.look("settings-key");
      await settings.getByLabel(t.passphrase, { exact: true }).fill("correct horse battery");
      await button(t.test).click();
      await expect(button(t.report)).toBeVisible();
      await button(t.report).scrollIntoViewIfNeeded();
      await screens.look("settings-test");
      await button(t.save).click();
      await expect(settings).toBeHidden();
      await expect.poll(() => stored(page)).toContain("iterations");

      await page.reload();
      await open();
      await ask(t.question);
      const unlock = page.getByRole("dialog");
      await expect(unlock).toBeVisible();
      await screens.look("unlock");
      await unlock.getByLabel(t.passphrase, { exact: true }).fill("correct horse battery");
      await unlock.getByRole("button", { name: t.unlock }).click();

      await expect(button(t.send)).toBeVisible();
      await screens.look("question");
      await button(t.guess).click();
      const card = page.getByRole("group", { name: t.card });
      await expect(card).toBeVisible();
      await screens.look("card");
      await card.getByRole("button", { name: t.edit }).click();
      await expect(card.getByRole("textbox")).toBeVisible();
      await card.getByRole("textbox").fill(`${SQL}\nLIMIT 3`);
      await screens.look("edit");
      await card.getByRole("button", { name: t.cancel }).click();
      await card.getByRole("button", { name: t.reject }).click();
      await expect(card.getByRole("textbox")).toBeVisible();
      await screens.look("reject");
      await card.getByRole("button", { name: t.cancel }).click();
      await card.getByRole("button", { name: t.approve }).click();

      await expect(page.getByRole("tab", { name: t.answer })).toBeVisible();
      await screens.look("answer");
      for (const tab of ["table", "chart", "sql"] as const) {
        await page.getByRole("tab", { name: t[tab], exact: true }).click();
        await screens.look(tab);
      }
      await page.getByRole("tab", { name: t.sent, exact: true }).click();
      await button(t.body).first().click();
      await screens.look("sent");
      await page.getByRole("tab", { name: t.schema, exact: true }).click();

      await ask("Tell me more");
      await expect(page.getByRole("log")).toContainText("Orders with each");
      await screens.look("streaming");
      await button(t.stop).click();
      await expect(page.getByRole("log")).toContainText(t.stopped);
      await ask("And now?");
      await expect(page.getByRole("log").getByText("401").or(page.getByRole("log").getByText("Incorrect API key")).first()).toBeVisible();
      await screens.look("error");
    });
  });
}
