// A browser on the fixture page, served from the sources.

import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { createServer } from "vite";

const here = fileURLToPath(new URL("..", import.meta.url));

/** Calls `use` with a way to open the page, and ends what it started. CHROMIUM names the browser. */
export async function withPage(port, use) {
  const server = await createServer({
    configFile: `${here}vite.config.ts`,
    server: { port: Number(port), strictPort: true, hmr: false, watch: null },
    logLevel: "error",
  });
  await server.listen();
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
  });
  try {
    await use(async (query, size = "1280x820", colorScheme = "light") => {
      const [width, height] = size.split("x").map(Number);
      const context = await browser.newContext({
        viewport: { width, height },
        timezoneId: "UTC",
        colorScheme,
      });
      const tab = await context.newPage();
      await tab.goto(`http://localhost:${port}/bench/turn-result.html?${query}`);
      await tab.waitForSelector("html[data-ready]");
      return { tab, close: () => context.close() };
    });
  } finally {
    await browser.close();
    await server.close();
  }
}
