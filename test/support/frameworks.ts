import { it, type TestContext } from "vitest";
import { type Mounted, recipe } from "./embedding.js";
import { type HostName, startHost } from "./hosts.js";

/** Columns of the table of frameworks in docs/embedding.md. A framework has a test for each. */
export const COLUMNS = ["records", "page in a browser", "prefix", "guard"] as const;
export type Column = (typeof COLUMNS)[number];

/**
 * - `open`: the recipe of the document
 * - `prefixed`: below a base path of the application's
 * - `guarded`: after the framework's own guard
 * - `access`: with an `access` that refuses callers without permission
 */
export type Mount = "open" | "prefixed" | "guarded" | "access";

export function cellTests(
  frameworks: readonly string[],
  column: Column,
  check: (name: string, context: TestContext) => Promise<void>,
): void {
  it.for(frameworks)(`${column}: %s`, check);
}

interface EveryRunFramework {
  readonly host: HostName;
  readonly recipe: string;
  /** Replacement in the recipe for the prefix `/tools`. */
  readonly prefix: readonly [from: string, to: string];
  /** Replacement in the recipe for a guard around the inspector. */
  readonly guard?: readonly [from: string, to: string];
}

const BASE_PATH = ["access })", `access, basePath: "/tools/inspect" })`] as const;

/** Their packages are development dependencies: every run tests them. */
export const EVERY_RUN: Readonly<Record<string, EveryRunFramework>> = {
  Hono: {
    host: "hono",
    recipe: "hono",
    prefix: [`"/", inspector.app`, `"/tools", new Hono().route("/", inspector.app)`],
  },
  "Express 4": {
    host: "express-4",
    recipe: "express",
    prefix: ["app.use(", `const sub = express.Router(); app.use("/tools", sub); sub.use(`],
  },
  "Express 5": {
    host: "express-5",
    recipe: "express",
    prefix: [
      "access });\napp.use(",
      `access, basePath: "/" });\nconst sub = express(); app.use("/tools", sub); sub.use("/inspect", `,
    ],
  },
  Fastify: { host: "fastify", recipe: "fastify", prefix: BASE_PATH },
  Koa: { host: "koa", recipe: "koa", prefix: BASE_PATH },
  "NestJS 11": { host: "nest", recipe: "nest", prefix: BASE_PATH },
  "Node.js": { host: "node", recipe: "node", prefix: BASE_PATH, guard: ["inspector.listener(", "guarded("] },
};

/** @param folder prepared by `prepareEmbedding` with `HOST_PACKAGES` */
export async function startEveryRun(folder: string, name: string, mount: Mount): Promise<Mounted> {
  const { host, recipe: named, prefix, guard } = EVERY_RUN[name]!;
  const text = recipe(named);
  const code = {
    open: [text],
    prefixed: [replaceOnce(text, ...prefix)],
    guarded: [recipe(`${named}-guard`), guard === undefined ? text : replaceOnce(text, ...guard)],
    access: [replaceOnce(text, "{ access, source }", "{ members as access, source }")],
  }[mount];
  const port = await startHost(folder, host, [`import { chat } from "./chat.mjs";`, ...code]);
  return { port, path: mount === "prefixed" ? "/tools/inspect" : "/inspect" };
}

/** @throws Error unless the text has it exactly once */
export function replaceOnce(text: string, from: string, to: string): string {
  const [before, after, ...more] = text.split(from);
  if (before === undefined || after === undefined || more.length > 0) {
    throw new Error(`Expected ${JSON.stringify(from)} once in: ${text}`);
  }
  return before + to + after;
}
