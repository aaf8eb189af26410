import { createInspectorContainer, TOKENS } from "../../../src/advanced.js";
import type { InspectorDataSource } from "../../../src/index.js";

interface Key {
  readonly tenantId: string;
  readonly sessionId: string;
}

/** One HTML file, without redaction. */
export async function exportedSessions(
  source: InspectorDataSource,
  sessions: readonly Key[],
): Promise<AsyncIterable<Uint8Array>> {
  const exporter = createInspectorContainer(source).resolve(TOKENS.exportSession);
  return (await exporter.execute({ sessions, format: "html", redact: "none" })).bytes;
}

export async function bytesOf(pieces: Promise<AsyncIterable<Uint8Array>>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of await pieces) all.push(piece);
  return Buffer.concat(all);
}
