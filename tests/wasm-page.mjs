// Opens the page of wasm-bindgen's test runner, prints its output, and ends with its verdict.
import { chromium } from "@playwright/test";

const TIMEOUT_MS = 120_000;
const [address] = process.argv.slice(2);

const browser = await chromium.launch({
  executablePath: process.env.ASSENT_CHROMIUM || undefined,
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"],
});
let passed = false;
const said = [];
try {
  const page = await browser.newPage();
  page.on("console", (message) => said.push(message.text()));
  page.on("pageerror", (error) => said.push(String(error)));
  await page.goto(address);
  const output = page.locator("#output");
  await page
    .waitForFunction(() => document.getElementById("output")?.textContent?.includes("test result: "), undefined, { timeout: TIMEOUT_MS })
    .catch(() => console.error(`no result after ${TIMEOUT_MS / 1000} s: a test hangs, or the module does not load`));
  const text = (await output.textContent()) ?? "";
  console.log(text.trim());
  passed = text.includes("test result: ok");
} finally {
  await browser.close();
}
if (!passed) {
  for (const line of said) console.error(line);
  process.exit(1);
}
