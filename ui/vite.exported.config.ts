import path from "node:path";
import { defineConfig, type Plugin } from "vite";
import { slimPrices } from "../scripts/slim-prices.mjs";

const OWN = path.join(import.meta.dirname, "src/standalone");

/** Puts what a page that is a file has around it in the place of what a served one has. */
function ownSurroundings(): Plugin {
  return {
    name: "own-surroundings",
    enforce: "pre",
    resolveId: (source, importer) =>
      importer !== undefined && /(^|\/)surroundings\.js$/.test(source)
        ? path.join(OWN, "surroundings.ts")
        : undefined,
  };
}

function slimPriceTable(): Plugin {
  return {
    name: "slim-price-table",
    transform: {
      filter: { id: /[\\/]@pydantic[\\/]genai-prices[\\/]dist[\\/]index\.js$/ },
      handler: (code) => ({ code: slimPrices(code), map: null }),
    },
  };
}

/** The package says it of its compiled files alone: tsyringe needs what this one loads before it. */
function keepMetadata(): Plugin {
  return {
    name: "keep-metadata",
    transform: {
      filter: { id: /[\\/]src[\\/]composition[\\/]metadata\.ts$/ },
      handler: (code) => ({ code, moduleSideEffects: true }),
    },
  };
}

/**
 * The scripts of a page that is a file, each of them one text that imports nothing. The mode says which: `loader`, `worker` or `page`.
 * `scripts/exported-page.mjs` builds them and puts them together.
 */
export default defineConfig(({ mode }) => ({
  root: import.meta.dirname,
  plugins: [ownSurroundings(), keepMetadata(), slimPriceTable()],
  resolve: { alias: { react: "preact/compat", "react-dom": "preact/compat" } },
  define: { "process.env.NODE_ENV": '"production"' },
  build: {
    outDir: "../dist/exported",
    emptyOutDir: false,
    // The loader runs in older browsers than the page, and says there that they are too old.
    target: mode === "loader" ? "es2018" : "es2022",
    cssTarget: ["chrome123", "edge123", "firefox120", "safari17.5"],
    cssCodeSplit: false,
    modulePreload: false,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 2_000,
    rolldownOptions: {
      input: path.join(OWN, `${mode}.ts`),
      // No thread is started there, so no module has to say where it is.
      checks: { moduleLevelDirective: false, emptyImportMeta: false },
      output: {
        format: mode === "page" ? "es" : "iife",
        codeSplitting: false,
        entryFileNames: "[name].js",
        assetFileNames: "[name][extname]",
      },
    },
  },
}));
