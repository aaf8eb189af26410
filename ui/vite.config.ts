import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** The service that `npm run dev` shows. */
const AGENT_URL = "http://127.0.0.1:7333";

export default defineConfig({
  plugins: [react()],
  // Relative, so that the same build can be mounted under any path.
  base: "./",
  build: {
    outDir: "../dist/ui",
    emptyOutDir: true,
    target: "es2022",
    // Nothing is inlined as data: the page's Content-Security-Policy names files only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  worker: { format: "es" },
  server: { proxy: { "/__inspector": AGENT_URL } },
});
