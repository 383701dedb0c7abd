import { fileURLToPath } from "node:url";
import { expect, type Locator, type Page } from "@playwright/test";
import { connect, sample } from "./fixtures";
import type { Turn } from "./model";

/** What a person does with the page, by the names that the page promises. */
export class Person {
  readonly card: Locator;
  readonly composer: Locator;
  readonly transcript: Locator;

  constructor(readonly page: Page) {
    this.card = page.getByRole("group", { name: "Run this query?" });
    this.composer = page.getByRole("textbox", { name: "Ask a question about your data" });
    this.transcript = page.getByRole("log");
  }

  /** Opens the page, a file and the endpoint: ready to ask. */
  async arrive(model: { endpoint: string }, file = sample): Promise<this> {
    await this.page.goto("/");
    await this.open(file);
    await connect(this.page, model);
    return this;
  }

  async open(file: string | string[]): Promise<void> {
    const chooser = this.page.waitForEvent("filechooser");
    await this.page.getByRole("button", { name: "Open a SQLite file" }).first().click();
    await (await chooser).setFiles(file);
  }

  async ask(question: string): Promise<void> {
    await this.composer.fill(question);
    await this.page.getByRole("button", { name: "Ask", exact: true }).click();
  }

  button(name: string): Locator {
    return this.page.getByRole("button", { name, exact: true });
  }

  async approve(): Promise<void> {
    await this.card.getByRole("button", { name: "Approve" }).click();
  }

  /** The rows that the page shows in the table tab of the last result. */
  async rows(): Promise<string[][]> {
    await this.page.getByRole("tab", { name: "Table" }).last().click();
    const table = this.page.getByRole("grid").last();
    await expect(table).toBeVisible();
    return table.evaluate((element) =>
      [...element.querySelectorAll("tbody tr")].map((row) =>
        [...row.querySelectorAll("td")].map((cell) => cell.textContent?.trim() ?? ""),
      ),
    );
  }
}

/** A complete proposal, as a model sends it. */
export function propose(sql: string, more: Record<string, string> = {}): Turn {
  return {
    calls: [
      {
        name: "run_sql",
        arguments: {
          reasoning: "The question needs one query.",
          analysis: "One table, its columns as they are.",
          sql,
          final_check: "The columns answer the question.",
          ...more,
        },
      },
    ],
  };
}

/** A small file of the project's own fixtures. */
export function fixture(name: string): string {
  return fileURLToPath(new URL(`../fixtures/files/${name}`, import.meta.url));
}
