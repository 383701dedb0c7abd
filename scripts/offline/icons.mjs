// Draws public/icons from public/icon.svg. Run by hand when that changes: `node scripts/offline/icons.mjs`.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { chromium } from "@playwright/test";

const icon = readFileSync(new URL("../../public/icon.svg", import.meta.url), "utf8");
const browser = await chromium.launch({ executablePath: process.env.ASSENT_CHROMIUM || undefined, args: ["--no-sandbox"] });
// A maskable icon fills its square and keeps the drawing in the middle, as its edge is cut to any shape.
const maskable = icon.replace('rx="8"', "").replace('viewBox="0 0 32 32"', 'viewBox="-2 -2 36 36"').replace("<rect", '<rect x="-2" y="-2"').replace('width="32" height="32"', 'width="36" height="36"');
for (const [name, size, drawing] of [["icon-192", 192, icon], ["icon-512", 512, icon], ["icon-maskable-512", 512, maskable]]) {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  await page.setContent(`<style>body { margin: 0 } svg { display: block; inline-size: 100vw; block-size: 100vh }</style>${drawing}`);
  await page.screenshot({ path: fileURLToPath(new URL(`../../public/icons/${name}.png`, import.meta.url)), omitBackground: true });
}
await browser.close();
