import { defineConfig } from "@playwright/test";
import base from "../../playwright.config";

export default defineConfig(base, { testDir: ".", testMatch: "*.bench.ts", outputDir: "../../test-results/bench", timeout: 120_000, use: { trace: "off", screenshot: "off" } });
