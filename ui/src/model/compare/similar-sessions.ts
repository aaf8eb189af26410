import { compareSessions, type InspectorSessionItem } from "../../../../src/domain/session/session.js";
import { keyText, type SessionKey } from "../../../../src/domain/session/session-key.js";
import { ComparableTexts } from "../../../../src/domain/text/comparable-text.js";

/** At most one of `prompt` and `similar` applies. */
type Likeness = "prompt" | "similar" | "project" | "model";

export interface ComparableSession {
  readonly session: InspectorSessionItem;
  readonly alike: readonly Likeness[];
  /** From 0 to 1. Missing facts count as different. */
  readonly likeness: number;
}

type Existing = SessionKey &
  Partial<Pick<InspectorSessionItem, "directory" | "prompt" | "title" | "model" | "models">>;

const WEIGHTS = { prompt: 0.6, project: 0.25, model: 0.15 };
const SIMILAR = 0.5;

/**
 * Compares prompts first, then the folder (else the tenant), then the models; equal ones are sorted newest first. Skips the session
 * itself and duplicates.
 */
export function mostSimilarFirst(
  one: Existing,
  sessions: readonly InspectorSessionItem[],
): readonly ComparableSession[] {
  const byKey = new Map(sessions.map((session) => [keyText(session), session]));
  byKey.delete(keyText(one));
  const words = wordsOf(one);
  return [...byKey.values()]
    .map((session) => compared(one, words, session))
    .sort((a, b) => b.likeness - a.likeness || compareSessions(a.session, b.session));
}

function compared(one: Existing, words: Words, session: InspectorSessionItem): ComparableSession {
  const prompt = sharedPart(words, wordsOf(session));
  const isSameProject =
    one.directory === undefined ? one.tenantId === session.tenantId : one.directory === session.directory;
  const model = sharedPart(modelsOf(one), modelsOf(session));
  const alike: Likeness[] = [];
  if (prompt === 1) alike.push("prompt");
  else if (prompt >= SIMILAR) alike.push("similar");
  if (isSameProject) alike.push("project");
  if (model === 1) alike.push("model");
  const project = isSameProject ? 1 : 0;
  const likeness = prompt * WEIGHTS.prompt + project * WEIGHTS.project + model * WEIGHTS.model;
  return { session, alike, likeness };
}

type Words = ReadonlySet<string>;

/** Uses the title without a prompt. Skips ids, instants and the folder. */
function wordsOf({ prompt, title, directory = "" }: Existing): Words {
  const text = new ComparableTexts(directory).of(prompt ?? title ?? "");
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}#_./-]+/gu));
}

function modelsOf({ model, models = model === undefined ? [] : [model] }: Existing): Words {
  return new Set(models);
}

function sharedPart(a: Words, b: Words): number {
  let shared = 0;
  for (const word of a) if (b.has(word)) shared++;
  return shared === 0 ? 0 : shared / (a.size + b.size - shared);
}
