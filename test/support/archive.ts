import { archiveLines, type SessionToExport } from "../../src/application/export/archive-lines.js";
import type { ArchiveLines } from "../../src/application/ports/export.js";
import { lift } from "../../src/application/sources/lift.js";
import type { InspectorDataSource } from "../../src/index.js";

export async function archiveOf(source: InspectorDataSource): Promise<string[]> {
  const { items } = await lift(source).findSessions({ withFacts: true });
  const opened: SessionToExport[] = [];
  for (const session of items) {
    const snapshot = await source.openSession!(session.tenantId, session.sessionId);
    opened.push({ session, snapshot: snapshot! });
  }
  const options = { writer: "1.0.0", exportedAt: 0, part: null, redaction: null };
  return allOf(archiveLines(opened, options));
}

export async function allOf(lines: ArchiveLines): Promise<string[]> {
  const all: string[] = [];
  for await (const batch of lines) all.push(...batch);
  return all;
}

export async function* linesOf(lines: readonly string[]): ArchiveLines {
  yield lines;
}
