import { defineConfig } from "@playwright/test";
import base from "../../playwright.config";

export default defineConfig(base, {
  testDir: ".",
  testMatch: "*.spec.ts",
  outputDir: "../../test-results/real-model",
  // A small machine reads a prompt for a minute.
  timeout: 600_000,
  use: { actionTimeout: 30_000 },
});
