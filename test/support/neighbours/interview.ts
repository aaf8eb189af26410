import { Handles } from "../../../src/adapters/mcp/handles.js";
import type { Tool } from "../../../src/adapters/mcp/tool.js";
import { TOOLS } from "../../../src/adapters/mcp/tools.js";
import { createInspectorContainer, createInspectorRoute, InProcessPool } from "../../../src/advanced.js";
import type { InspectorUseCases } from "../../../src/application/questions/use-cases.js";
import { useCasesOf } from "../../../src/composition/container.js";
import type { InspectorDataSource } from "../../../src/index.js";
import { expectConforms, expectHeadConforms } from "../openapi.js";

/** A session, and a text that lies in it and in no other one. */
export interface Asked {
  readonly tenantId: string;
  readonly sessionId: string;
  readonly text: string;
}

/** The answers to everything that can be asked of a session, each as its text, by its question. */
export type Answers = Readonly<Record<string, string>>;

export type Body = Readonly<Record<string, unknown>>;

interface Listed {
  readonly tenantId: string;
  readonly sessionId: string;
}

export type Key = Listed;

/** Everything that can be asked of a source, and how it is asked. */
export class Interview {
  readonly failures: unknown[] = [];
  readonly #route: ReturnType<typeof createInspectorRoute>;
  readonly #useCases: InspectorUseCases;

  constructor(source: InspectorDataSource) {
    const container = createInspectorContainer(source, { pool: new InProcessPool() });
    this.#useCases = useCasesOf(container);
    // Longer than anything takes, on a machine that is busy, too.
    const timeoutMs = 600_000;
    this.#route = createInspectorRoute(container, {
      timeoutMs,
      onError: (error) => void this.failures.push(error),
    });
  }

  /** The answer's text; it has to be one of success. */
  async get(path: string, conforms = false): Promise<string> {
    const text = await this.file(path, conforms);
    JSON.parse(text);
    return text;
  }

  /** The same of an answer that need be no JSON. */
  async file(path: string, conforms = false): Promise<string> {
    const response = await this.#route.request(path);
    const text = conforms ? await expectConforms(response, path) : await response.text();
    if (response.status !== 200) {
      throw new Error(`${path} is answered with ${response.status}: ${text}`, {
        cause: this.failures.at(-1),
      });
    }
    return text;
  }

  async head(path: string): Promise<string> {
    const response = await this.#route.request(path, { method: "HEAD" });
    expectHeadConforms(response, path, "HEAD");
    return String(response.status);
  }

  /** All sessions that there are. */
  async listed(conforms: boolean): Promise<readonly Listed[]> {
    return (JSON.parse(await this.get("/sessions", conforms)) as { sessions: readonly Listed[] }).sessions;
  }

  /** Everything that there is to ask of a session, whose records may be hostile; what was answered otherwise than it should be. */
  async faultsOf({ tenantId, sessionId }: Key): Promise<string[]> {
    const faults: string[] = [];
    for (const list of ["trace", "orchestration", "messages", "summary"]) {
      const path = `/sessions/${encodeURIComponent(sessionId)}/${list}?${queryOf({ tenantId })}`;
      try {
        await this.get(path, list === "summary" || list === "orchestration");
      } catch (error) {
        const { message, cause } = error as Error;
        faults.push(`${message.slice(0, 500)} ${cause instanceof Error ? cause.stack : ""}`);
      }
    }
    return faults;
  }

  tools(): readonly Tool[] {
    return TOOLS.map((toolOf) => toolOf(this.#useCases));
  }

  handles(): Handles {
    return new Handles(this.#useCases);
  }
}

export function queryOf(values: object): string {
  return new URLSearchParams(Object.entries(values) as [string, string][]).toString();
}

/** Follows the cursors of a list to its end; the pages. */
export async function pagesOf(ask: (cursor: object) => Promise<string>): Promise<string[]> {
  const pages: string[] = [];
  for (let cursor: unknown = ""; cursor !== null; ) {
    pages.push(await ask(cursor === "" ? {} : { cursor }));
    cursor = (JSON.parse(pages.at(-1)!) as Body).nextCursor ?? null;
    if (pages.length > 20_000) throw new Error("There is no last page.");
  }
  return pages;
}

/** The elements of a list that are of a session, as texts. */
export function ownOf({ tenantId, sessionId }: Key, list: string, pages: readonly string[]): string {
  const all = pages.flatMap((page) => (JSON.parse(page) as Body)[list] as readonly Listed[]);
  const own = all.filter((one) => one.tenantId === tenantId && one.sessionId === sessionId);
  return JSON.stringify(own);
}
