import { defineConfig, type HtmlTagDescriptor, type Plugin } from "vite";

/** The service that `npm run dev` shows. */
const AGENT_URL = "http://127.0.0.1:7333";

/**
 * The entry starts the engine and then imports the rest of the page. The page names that rest in its head, so that the
 * browser fetches it meanwhile instead of one file after the other.
 */
function preloadRest(): Plugin {
  return {
    name: "preload-rest",
    transformIndexHtml: {
      order: "post",
      handler(_html, { bundle = {}, chunk }) {
        const files = new Set<string>();
        const styles = new Set<string>();
        const add = (file: string) => {
          const found = bundle[file];
          if (found?.type !== "chunk" || files.has(file) || chunk?.imports.includes(file)) return;
          files.add(file);
          for (const style of found.viteMetadata?.importedCss ?? []) styles.add(style);
          for (const next of found.imports) add(next);
        };
        // Which view an address names is known in the browser alone.
        const isPage = (file: string) => bundle[file]?.type === "chunk" && bundle[file].name === "app";
        for (const file of chunk?.dynamicImports ?? []) if (isPage(file)) add(file);
        const tag = (rel: string, file: string): HtmlTagDescriptor => ({
          tag: "link",
          attrs: { rel, crossorigin: true, href: `./${file}` },
          injectTo: "head",
        });
        return [
          ...[...files].map((file) => tag("modulepreload", file)),
          ...[...styles].map((file) => tag("stylesheet", file)),
        ];
      },
    },
  };
}

export default defineConfig({
  plugins: [preloadRest()],
  // Relative, so that the same build can be mounted under any path.
  base: "./",
  // Preact does what React DOM does, in a sixth of the bytes that a browser has to load before it shows anything.
  resolve: { alias: { react: "preact/compat", "react-dom": "preact/compat" } },
  build: {
    outDir: "../dist/ui",
    emptyOutDir: true,
    target: "es2022",
    // The first ones that know `light-dark()`, which the colours are told by: all of 2024.
    cssTarget: ["chrome123", "edge123", "firefox120", "safari17.5"],
    // Nothing is inlined as data: the page's Content-Security-Policy names files only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // "use client" says nothing to a page that has no server.
      checks: { moduleLevelDirective: false },
      output: {
        // Every server knows the type of a text, and a browser displays it.
        assetFileNames: ({ names }) =>
          `assets/[name]-[hash]${names.some((name) => name.endsWith(".md")) ? ".txt" : "[extname]"}`,
        // Few files, because each is work for the browser and the service before anything is painted: what starts the engine, what every
        // view needs, and each of the two views that one begins with. The rest comes with its view.
        codeSplitting: {
          groups: [
            {
              name: "engine",
              test: /rolldown[\\/]runtime|preload-helper|src[\\/](app[\\/](engine|surroundings|page-files|page-parts)|engine|api|model[\\/](address[\\/]address|text[\\/]error-text|sessions[\\/]session-table))/,
              priority: 2,
            },
            {
              name: "page",
              test: /node_modules[\\/](preact|@tanstack)[\\/]|src[\\/](app|styles|strings[\\/](strings|view-strings|search-strings)|views[\\/](commands|page|parts)[\\/](?!json-tree|listbox-panel))/,
              priority: 1,
            },
            {
              name: "session",
              test: /src[\\/]views[\\/](session[\\/]|trace[\\/](?!detail)|search[\\/]session-search)/,
            },
            { name: "sessions", test: /src[\\/]views[\\/]sessions[\\/]/ },
          ],
        },
      },
    },
  },
  worker: { format: "es" },
  server: { proxy: { "/__inspector": AGENT_URL } },
});
