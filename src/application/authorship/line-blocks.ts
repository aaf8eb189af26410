import type { CommitOfLine, LineClaim } from "../../domain/changes/line-claims.js";
import type { ExplainedLines, LineCandidate, WriterContext } from "../../domain/changes/line-explanation.js";
import { labelOf } from "../../domain/json/json.js";
import { excerptOf } from "../../domain/text/excerpt.js";
import { formatInstant } from "../../domain/trace/instant.js";
import type { SessionEdit } from "./file-edits-reader.js";

const MOST_CANDIDATES = 3;
const MOST_OF_TEXT = 160;

export interface ClaimedLine {
  readonly number: number;
  readonly text: string;
  readonly claims: readonly LineClaim<SessionEdit>[];
  readonly commit: CommitOfLine | undefined;
}

export function blocksOf(lines: readonly ClaimedLine[]): ClaimedLine[][] {
  const blocks: ClaimedLine[][] = [];
  for (const line of lines) {
    const last = blocks.at(-1)?.[0];
    const [a, b] = [last?.claims[0]?.edit, line.claims[0]?.edit];
    const isSame =
      last !== undefined && a === b && (a !== undefined || last.commit?.commit.id === line.commit?.commit.id);
    if (isSame) blocks.at(-1)!.push(line);
    else blocks.push([line]);
  }
  return blocks;
}

export function explainedBlock(
  block: readonly ClaimedLine[],
  saw: ReadonlyMap<SessionEdit, WriterContext>,
): ExplainedLines {
  const byEdit = new Map<SessionEdit, LineClaim<SessionEdit>[]>();
  for (const { claims } of block) {
    for (const claim of claims) byEdit.set(claim.edit, [...(byEdit.get(claim.edit) ?? []), claim]);
  }
  const writer = block[0]!.claims[0]?.edit;
  const sum = (claims: readonly LineClaim<SessionEdit>[]) =>
    claims.reduce((total, { score }) => total + score, 0);
  const candidates = [...byEdit]
    .sort(([a, of], [b, others]) => Number(b === writer) - Number(a === writer) || sum(others) - sum(of))
    .slice(0, MOST_CANDIDATES)
    .map(([edit, claims]) => candidateOf(edit, claims, saw.get(edit)));
  const { number: from, commit } = block[0]!;
  const sample = block.find(({ text }) => text.trim() !== "") ?? block[0]!;
  return {
    from,
    to: block.at(-1)!.number,
    text: excerptOf(sample.text, MOST_OF_TEXT) ?? "",
    candidates,
    ...(commit === undefined ? {} : { commit: commit.commit }),
  };
}

function candidateOf(
  { session, id, sequence, at, tool, agentId, edit }: SessionEdit,
  claims: readonly LineClaim<SessionEdit>[],
  saw: WriterContext | undefined,
): LineCandidate {
  const title = labelOf(session.title);
  const lines: Partial<Record<LineClaim<SessionEdit>["match"], number>> = {};
  for (const { match } of claims) lines[match] = (lines[match] ?? 0) + 1;
  const { path, commit, isAlternative } = claims[0]!;
  const score = claims.reduce((sum, one) => sum + one.score, 0) / claims.length;
  return {
    tenantId: session.tenantId,
    sessionId: session.sessionId,
    ...(title === undefined ? {} : { title }),
    call: { id, sequence, timestamp: formatInstant(at), tool, ...(agentId === "" ? {} : { agentId }) },
    path: edit.path,
    score: Math.round(score * 100) / 100,
    evidence: { lines, path, ...(commit === undefined ? {} : { commit }), isAlternative },
    ...(saw === undefined ? {} : { saw }),
  };
}
