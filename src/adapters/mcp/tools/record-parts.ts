import { isJsonObject, type JsonObject } from "../../../domain/json/json.js";

/** Encrypted or signed fields of vendors: long, and useless to a reader. */
const SEALS: ReadonlySet<string> = new Set([
  "signature",
  "thoughtSignature",
  "thought_signature",
  "encrypted_content",
  "encryptedContent",
  "reasoning_opaque",
]);

const DEEPEST = 12;

function withoutSeals(value: unknown, levels = DEEPEST): unknown {
  if (levels === 0 || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((element) => withoutSeals(element, levels - 1));
  const members = Object.entries(value).filter(([name]) => !SEALS.has(name));
  return Object.fromEntries(members.map(([name, member]) => [name, withoutSeals(member, levels - 1)]));
}

/** Omits the other columns of its row, and the rest of the original line: `jsonFrom` gives both. */
export function eventAlone({ event }: JsonObject): unknown {
  if (!isJsonObject(event)) return withoutSeals(event ?? {});
  const { type: _, agentId: __, toolName: ___, stored, record, ...rest } = event;
  const isDerived = isJsonObject(stored) && isJsonObject(record);
  return withoutSeals(isDerived ? rest : { ...rest, ...defined({ stored, record }) });
}

function defined(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, member]) => member !== undefined));
}

/** A vendor's metadata of an answer. The steps of the trace have it as figures. */
const OF_ANSWERS: ReadonlySet<string> = new Set([
  "id",
  "model",
  "stop_reason",
  "stop_sequence",
  "stop_details",
  "usage",
]);

export function messageAlone(message: JsonObject): unknown {
  if (message.content === undefined) return withoutSeals(message);
  const members = Object.entries(message).filter(([name]) => !OF_ANSWERS.has(name));
  return withoutSeals(Object.fromEntries(members));
}
