// The one Vite configuration: the window's page, the unit tests, and the development server, which
// also serves the fixture page. The fixture page is never built: the program ships without it.

import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  // The top of the repository, so that both pages and the recorded events are inside.
  root: here(".."),
  base: "./",
  publicDir: false,
  cacheDir: here("node_modules/.vite"),
  plugins: [react()],
  resolve: {
    // `bench/` has no packages of its own.
    alias: [{ find: /^(react|react-dom)($|\/)/, replacement: `${here("node_modules")}/$1$2` }],
    dedupe: ["react", "react-dom"],
  },
  // The highlighter loads a grammar when it first needs it.
  worker: { format: "es" },
  server: {
    port: 5173,
    strictPort: true,
    // The recorded events lie beside this folder.
    fs: { allow: [here("..")] },
    // What is built there is not the page's, and a Windows for tests has a link to the whole disk.
    watch: { ignored: [here("../target/**")] },
  },
  build: {
    outDir: here("dist"),
    emptyOutDir: true,
    target: "es2022",
    chunkSizeWarningLimit: 1200,
    rollupOptions: {
      input: here("index.html"),
    },
  },
  test: {
    dir: here("src"),
    include: ["**/*.test.{ts,tsx}"],
    environment: "jsdom",
    setupFiles: [here("vitest.setup.ts")],
    // A page under test shares two cores with others.
    testTimeout: 20_000,
  },
});
