import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";

/** What the driver's workers run, after a line that sets ASSENT_BASE. */
export const WORKER_SCRIPT = readFileSync("src/engine/worker/start.js", "utf8");

/** The engine's worker, driven from a page by its own messages, without the interface. */
export class Engine {
  private constructor(readonly page: Page) {}

  /** Starts a worker on the page as the driver does, and waits until it is ready. */
  static async start(page: Page, { plain = false } = {}): Promise<Engine> {
    await page.goto("/");
    await page.evaluate(async ({ plain, script }) => {
      const base = new URL("./", document.baseURI).href;
      const text = `self.ASSENT_BASE=${JSON.stringify(base)};${plain ? "self.ASSENT_PLAIN = true;" : ""}\n${script}`;
      const worker = new Worker(URL.createObjectURL(new Blob([text], { type: "text/javascript" })));
      const replies: any[] = [];
      const waiting: (() => void)[] = [];
      worker.onmessage = ({ data }) => {
        replies.push({ ...JSON.parse(data.body, exact), bytes: data.buffer?.byteLength, sum: data.buffer && sum(data.buffer) });
        waiting.splice(0).forEach((wake) => wake());
      };
      // Two buffers are the same if these are.
      function sum(buffer: ArrayBuffer) {
        let sum = 0;
        for (const byte of new Uint8Array(buffer)) sum = (Math.imul(sum, 16777619) ^ byte) >>> 0;
        return sum;
      }
      // Whole numbers beyond 2^53 would be rounded: they are kept as text.
      function exact(_key: string, value: unknown, context?: { source?: string }) {
        return typeof value === "number" && !Number.isSafeInteger(value) && Number.isInteger(value) ? context?.source ?? value : value;
      }
      const take = async (wanted: string[]) => {
        for (;;) {
          const at = replies.findIndex((reply) => wanted.some((name) => name in reply || reply === name));
          if (at >= 0) return replies.splice(at, 1)[0];
          if (replies.length > 0 && JSON.stringify(replies).includes("Died")) throw new Error(JSON.stringify(replies));
          await new Promise<void>((wake) => waiting.push(wake));
        }
      };
      const isReady = new Promise<void>((resolve) => {
        const hear = ({ data }: MessageEvent) => {
          if (JSON.parse(data.body) === "Ready") {
            replies.length = 0;
            resolve();
          }
        };
        worker.addEventListener("message", hear);
      });
      await isReady;
      Object.assign(window, { engineWorker: worker, engineTake: take });
    }, { plain, script: WORKER_SCRIPT });
    return new Engine(page);
  }

  /** Opens a file where it lies on the disk, as the page does with a chosen one. */
  async openOnDisk(path: string): Promise<any> {
    const input = await this.page.evaluateHandle(() => document.body.appendChild(Object.assign(document.createElement("input"), { type: "file" })));
    await input.setInputFiles(path);
    return input.evaluate((input) => {
      const page = window as any;
      page.engineWorker.postMessage({ body: JSON.stringify({ Open: { id: 1 } }), file: input.files?.[0] });
      return page.engineTake(["Opened", "NotOpened"]);
    });
  }

  /** Sends a request with its files and waits for one of the replies. */
  async ask(request: object | string, replies: string[], files: Record<string, Carried> = {}): Promise<any> {
    return this.page.evaluate(
      async ({ request, replies, files }) => {
        const message: Record<string, unknown> = { body: JSON.stringify(request) };
        for (const [part, file] of Object.entries(files)) {
          const bytes = Uint8Array.from(atob(file.base64), (c) => c.charCodeAt(0));
          message[part] = new File([bytes], file.name);
        }
        const page = window as any;
        page.engineWorker.postMessage(message);
        return page.engineTake(replies);
      },
      { request, replies, files },
    );
  }
}

/** A file on its way into the page. */
export interface Carried {
  name: string;
  base64: string;
}
