import type { InspectorSessionItem } from "../../../domain/session/session.js";
import type { SessionKey } from "../../../domain/session/session-key.js";
import { visibleText } from "../../../domain/text/visible-text.js";
import { cutMiddle, widthOf } from "./text-width.js";

/** Spaces that a copy loses, and halves of surrogate pairs. */
const LOST = /^\s|\s$|\s(?=\s|\/)|(?<=\/)\s|\p{Cs}/gu;
/** `export` would take such a name for an option with its value. */
const OPTION_DASH = /^-(?=-[^/]*=|o[./~])/;

const escaped = (character: string) => `\\u{${character.codePointAt(0)!.toString(16)}}`;

/**
 * A session as every command prints it: `acme/s1`. Escapes control characters and characters that a copy loses. Ids contain no backslash,
 * so {@link typedName} can restore them.
 */
export function sessionName({ tenantId, sessionId }: SessionKey): string {
  return visibleText(`${tenantId}/${sessionId}`.replace(LOST, escaped).replace(OPTION_DASH, escaped));
}

export function headingOf(item: InspectorSessionItem, titleLength: number): string {
  const title = (item.title ?? item.prompt ?? "").replace(/\s+/g, " ").slice(0, titleLength);
  return `${sessionName(item)}  ${title}`;
}

export function cutName(name: string, width: number): string {
  const slash = name.indexOf("/");
  if (slash === -1) return cutMiddle(name, width);
  const [tenant, id] = [name.slice(0, slash), name.slice(slash + 1)];
  const forTenant = Math.max(width - 1 - widthOf(id), Math.ceil((width - 1) / 2));
  const cutTenant = cutMiddle(tenant, forTenant);
  return `${cutTenant}/${cutMiddle(id, width - 1 - widthOf(cutTenant))}`;
}

export function unescaped(printed: string): string {
  return printed.replace(/\\u\{([\da-f]{1,6})\}/gi, (text, hex: string) => {
    const code = Number.parseInt(hex, 16);
    return code > 0x10_ff_ff ? text : String.fromCodePoint(code);
  });
}

/** Of each part, an ellipsis stands for any characters. */
export interface TypedName {
  readonly tenant: string | undefined;
  readonly id: string;
}

const ADDRESS = /#\/s\/([^/?]+)\/([^/?]+)/;

export function typedName(text: string): TypedName {
  const [, tenant, id] = ADDRESS.exec(text) ?? [];
  if (tenant !== undefined && id !== undefined) {
    try {
      return { tenant: decodeURIComponent(tenant), id: decodeURIComponent(id) };
    } catch (error) {
      if (!(error instanceof URIError)) throw error;
    }
  }
  const plain = unescaped(text);
  const slash = plain.indexOf("/");
  return { tenant: slash === -1 ? undefined : plain.slice(0, slash), id: plain.slice(slash + 1) };
}

const ELLIPSIS = /…|\.{3}/;

/** The longest text that every id of this name contains. */
export function longestPart({ id }: TypedName): string {
  return id.split(ELLIPSIS).reduce((longest, part) => (part.length > longest.length ? part : longest));
}

export function hasName({ tenantId, sessionId }: InspectorSessionItem, { tenant, id }: TypedName): boolean {
  const isOfTenant =
    tenant === undefined || isMatch(tenantId, tenant) || isMatch(withoutKey(tenantId), withoutKey(tenant));
  return isOfTenant && (ELLIPSIS.test(id) ? isMatch(sessionId, id) : sessionId.startsWith(id));
}

function isMatch(value: string, typed: string): boolean {
  const parts = typed.split(ELLIPSIS).map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`, "su").test(value);
}

/** Among several sources, the tenant `t` of the source `k` is `k:t`. Read alone, the same one is `t`. */
function withoutKey(tenant: string): string {
  return tenant.replace(/^[a-z\d]+(?:-[a-z\d]+)*:/, "");
}
