import type { Page } from "@playwright/test";
import { connect, expect, stored, test } from "./fixtures";

// Theme and language, from the first frame on, and never at the cost of other settings.

const themeButton = (page: Page) => page.getByRole("button", { name: /^Theme:/ });

/** Holds back the driver, which reads the stored settings, until the result is called. */
async function withoutDriver(page: Page): Promise<() => void> {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/*_driver.wasm", async (route) => {
    await held;
    await route.continue();
  });
  return release;
}

async function chooseDark(page: Page): Promise<void> {
  await themeButton(page).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "light");
  await themeButton(page).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await expect.poll(() => stored(page)).toContain('"theme":"Dark"');
}

test("the first frame is in the chosen theme and language, before the page has started", async ({ page }) => {
  await page.goto("/");
  await chooseDark(page);
  await page.getByRole("button", { name: "中文" }).click();
  await expect(page.locator("html")).toHaveAttribute("lang", "zh-CN");
  await expect.poll(() => stored(page)).toContain('"language":"Chinese"');
  const dark = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);

  await page.route("**/*_bg.wasm", () => {});
  await page.addInitScript(() => {
    requestAnimationFrame(function look() {
      if (document.body === null) return requestAnimationFrame(look);
      const { lang, dataset } = document.documentElement;
      Object.assign(globalThis, { first: [dataset.theme, lang, getComputedStyle(document.body).backgroundColor] });
    });
  });
  await page.reload({ waitUntil: "commit" });
  await page.waitForFunction(() => "first" in globalThis);
  await expect(page.locator("#shell")).toBeVisible();
  expect(await page.evaluate(() => (globalThis as any).first)).toEqual(["dark", "zh-CN", dark]);
  expect(dark).not.toBe("rgb(255, 255, 255)");
});

test("the page starts in the language of the last visit, before its settings are read", async ({ page }) => {
  await page.goto("/");
  await page.getByRole("button", { name: "中文" }).click();
  await expect.poll(() => stored(page)).toContain('"language":"Chinese"');
  const release = await withoutDriver(page);
  await page.reload();
  await expect(page.getByRole("button", { name: "设置", exact: true })).toBeVisible();
  release();
});

test("a browser that keeps nothing shows the page all the same", async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, "localStorage", {
      get() {
        throw new DOMException("denied", "SecurityError");
      },
    });
  });
  await page.goto("/");
  await themeButton(page).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "light");
});

test("the theme and language buttons change nothing else, also before the stored settings are read", async ({ page, model }) => {
  await page.goto("/");
  await connect(page, model);
  await expect.poll(() => stored(page)).toContain(model.endpoint);
  const release = await withoutDriver(page);
  await page.reload();
  await themeButton(page).click();
  await themeButton(page).click();
  await page.getByRole("button", { name: "中文" }).click();
  release();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await expect(page.locator("html")).toHaveAttribute("lang", "zh-CN");
  await expect.poll(() => stored(page)).toContain('"theme":"Dark"');
  expect(await stored(page)).toContain(`"endpoint":"${model.endpoint}"`);
});

test("settings that are opened before they are read show what is stored", async ({ page, model }) => {
  await page.goto("/");
  await connect(page, model);
  await expect.poll(() => stored(page)).toContain(model.endpoint);
  const release = await withoutDriver(page);
  await page.reload();
  await page.getByRole("button", { name: "Settings", exact: true }).click();
  release();
  const dialog = page.getByRole("dialog", { name: "Settings" });
  await expect(dialog.getByLabel("Endpoint")).toHaveValue(model.endpoint);
});
