import { isJsonObject, type JsonObject, jsonIn, labelOf } from "../../domain/json/json.js";
import { FACTS, type Fact } from "./fact-spellings.js";
import { COMPACTED, type DialectKind, KINDS, KINDS_BY_NAME } from "./kind-spellings.js";
import { OWN_ATTRIBUTES } from "./own-attributes.js";
import type { RecordedSpan } from "./recorded-span.js";
import { spanUsage } from "./span-usage.js";
import { USAGES } from "./usage-spellings.js";

/** The cheap part of a span's meaning, for sorting many spans. */
export interface SpanOutline {
  readonly kind: DialectKind;
  readonly sessionId: string | undefined;
  readonly userId: string | undefined;
  readonly namedTenantId: string | undefined;
  readonly serviceName: string | undefined;
  readonly hasFailed: boolean;
}

const OWNERS = ["sessionId", "userId", "tenantId", "serviceName"] as const satisfies readonly Fact[];

export const OUTLINE_ATTRIBUTES: ReadonlySet<string> = new Set([
  ...KINDS.map(({ attribute }) => attribute),
  ...(["model", ...OWNERS] as const).flatMap((fact) => FACTS[fact].map(([name]) => name)),
  ...USAGES.flatMap(({ within, input, output }) => (within === undefined ? [input, output] : [within])),
  COMPACTED,
  OWN_ATTRIBUTES.kind,
  OWN_ATTRIBUTES.unfinished,
  "metadata",
  "error.type",
]);

export const TENANT_ATTRIBUTES: ReadonlySet<string> = new Set(
  (["tenantId", "serviceName"] as const).flatMap((fact) => FACTS[fact].map(([name]) => name)),
);

export function ownTenant(attributes: JsonObject, resource: JsonObject): string | undefined {
  const own = ownersIn(attributes);
  const ofProcess = ownersIn(resource);
  return own.tenantId ?? ofProcess.tenantId ?? own.serviceName ?? ofProcess.serviceName;
}

export function spanOutline(span: RecordedSpan): SpanOutline {
  const own = ownersIn(span.attributes);
  const ofProcess = ownersIn(span.resource);
  return {
    kind: kindOf(span),
    sessionId: own.sessionId ?? ofProcess.sessionId ?? sessionInMetadata(span.attributes),
    userId: own.userId ?? ofProcess.userId,
    namedTenantId: own.tenantId ?? ofProcess.tenantId,
    serviceName: own.serviceName ?? ofProcess.serviceName,
    hasFailed: hasFailed(span),
  };
}

type Owner = (typeof OWNERS)[number];

const OWNERS_BY_NAME = new Map(
  OWNERS.flatMap((owner) => FACTS[owner].map(([name], rank) => [name, { owner, rank }] as const)),
);

function ownersIn(attributes: JsonObject): { readonly [Name in Owner]?: string } {
  const owners: { [Name in Owner]?: string } = {};
  const ranks: { [Name in Owner]?: number } = {};
  for (const name in attributes) {
    const row = OWNERS_BY_NAME.get(name);
    if (row === undefined || row.rank > (ranks[row.owner] ?? row.rank)) continue;
    const text = labelOf(attributes[name]);
    if (text === undefined) continue;
    owners[row.owner] = text;
    ranks[row.owner] = row.rank;
  }
  return owners;
}

const KINDS_BY_VALUE = KINDS.map(({ attribute, values }) => {
  const kinds = new Map<string, DialectKind[]>();
  for (const [kind, names] of Object.entries(values) as [DialectKind, readonly string[]][])
    for (const name of names) kinds.set(name, [...(kinds.get(name) ?? []), kind]);
  return { attribute, kinds };
});

function kindOf({ attributes, name, scope }: RecordedSpan): DialectKind {
  if (attributes[OWN_ATTRIBUTES.kind] === "step") return "other";
  let step: DialectKind | undefined;
  for (const { attribute, kinds } of KINDS_BY_VALUE) {
    const value = attributes[attribute];
    if (typeof value !== "string") continue;
    for (const kind of kinds.get(value.toLowerCase()) ?? []) {
      if (kind !== "other") return kind;
      step = kind;
    }
  }
  const byName = KINDS_BY_NAME.find((row) => scope === (row.scope ?? scope) && row.name.test(name));
  const kind = byName?.kind ?? step;
  if (kind !== undefined) return kind;
  const isCall = textIn(attributes, "model") !== undefined && spanUsage(attributes) !== undefined;
  if (isCall) return "model";
  return isTrue(attributes[COMPACTED]) ? "compaction" : "other";
}

/** Some writers make texts of all values. */
export function isTrue(value: unknown): boolean {
  return value === true || value === "true";
}

export function hasFailed({ status, attributes }: RecordedSpan): boolean {
  return status === "error" || attributes["error.type"] !== undefined;
}

/** OpenInference stores a framework's run metadata as JSON text. */
function sessionInMetadata({ metadata }: JsonObject): string | undefined {
  const value = parsed(metadata);
  return isJsonObject(value) ? (labelOf(value.session_id) ?? labelOf(value.thread_id)) : undefined;
}

export function textIn(attributes: JsonObject, fact: Fact): string | undefined {
  for (const name of NAMES.get(fact)!) {
    const text = labelOf(attributes[name]);
    if (text !== undefined) return text;
  }
  return undefined;
}

const NAMES = new Map(
  Object.entries(FACTS).map(([fact, rows]) => [fact, rows.map(([name]) => name)] as const),
);

export function parsed(value: unknown): unknown {
  if (typeof value !== "string" || !/^\s*[[{"]/.test(value)) return value;
  const json = jsonIn(value);
  return isJsonObject(json) || Array.isArray(json) || typeof json === "string" ? json : value;
}
