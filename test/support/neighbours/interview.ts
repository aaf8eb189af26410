import { Handles } from "../../../src/adapters/mcp/tools/handles.js";
import type { Tool } from "../../../src/adapters/mcp/tools/tool.js";
import { TOOLS } from "../../../src/adapters/mcp/tools/tools.js";
import { createInspectorContainer, createInspectorRoute, InProcessPool } from "../../../src/advanced.js";
import type { InspectorUseCases } from "../../../src/application/questions/use-cases.js";
import { useCasesOf } from "../../../src/composition/container.js";
import type { InspectorDataSource } from "../../../src/index.js";
import { expectConforms, expectHeadConforms } from "../openapi.js";

/** `text` is in this session and in no other one. */
export interface Asked {
  readonly tenantId: string;
  readonly sessionId: string;
  readonly text: string;
}

/** Texts by question. */
export type Answers = Readonly<Record<string, string>>;

export type Body = Readonly<Record<string, unknown>>;

interface Listed {
  readonly tenantId: string;
  readonly sessionId: string;
}

export type Key = Listed;

export class Interview {
  readonly failures: unknown[] = [];
  readonly #route: ReturnType<typeof createInspectorRoute>;
  readonly #useCases: InspectorUseCases;

  constructor(source: InspectorDataSource) {
    const container = createInspectorContainer(source, { pool: new InProcessPool() });
    this.#useCases = useCasesOf(container);
    // Longer than any answer takes, on a busy machine, too.
    const timeoutMs = 600_000;
    this.#route = createInspectorRoute(container, {
      timeoutMs,
      onError: (error) => void this.failures.push(error),
    });
  }

  /** Fails unless the answer is a success. */
  async get(path: string, conforms = false): Promise<string> {
    const text = await this.file(path, conforms);
    JSON.parse(text);
    return text;
  }

  /** Not necessarily JSON. */
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

  async listed(conforms: boolean): Promise<readonly Listed[]> {
    return (JSON.parse(await this.get("/sessions", conforms)) as { sessions: readonly Listed[] }).sessions;
  }

  /** Asks everything about a session with hostile records. @returns unexpected answers */
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

export async function pagesOf(ask: (cursor: object) => Promise<string>): Promise<string[]> {
  const pages: string[] = [];
  for (let cursor: unknown = ""; cursor !== null; ) {
    pages.push(await ask(cursor === "" ? {} : { cursor }));
    cursor = (JSON.parse(pages.at(-1)!) as Body).nextCursor ?? null;
    if (pages.length > 20_000) throw new Error("There is no last page.");
  }
  return pages;
}

export function ownOf({ tenantId, sessionId }: Key, list: string, pages: readonly string[]): string {
  const all = pages.flatMap((page) => (JSON.parse(page) as Body)[list] as readonly Listed[]);
  const own = all.filter((one) => one.tenantId === tenantId && one.sessionId === sessionId);
  return JSON.stringify(own);
}
