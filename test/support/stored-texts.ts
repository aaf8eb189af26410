import fc from "fast-check";
import pg from "pg";
import { toOrderedBytes, toStoredText } from "../../src/adapters/postgres/stored-values.js";

export interface StoredTexts {
  readonly tenantId?: string;
  readonly sessionId: string;
  /** Milliseconds of a minute; the largest is the newest session. */
  readonly at?: number;
  readonly records: readonly (
    | string
    | { readonly table: string; readonly record?: string; readonly raw?: string }
  )[];
}

const literal = (text: string) => pg.escapeLiteral(toStoredText(text));

/** Records are envelopes unless they name a table; `raw` is in hexadecimal digits. */
export function storing(sessions: readonly StoredTexts[]): string {
  return sessions
    .flatMap(({ tenantId = "acme", sessionId, at = 0, records }) => {
      const place = toOrderedBytes(tenantId, sessionId).toString("hex");
      const ids = `${literal(tenantId)}, ${literal(sessionId)}`;
      return [
        `INSERT INTO agent_inspector.sessions VALUES (${ids}, gen_random_uuid(), 0, '', NULL, NULL, '', NULL, 0, NULL, NULL,
          '2026-01-15T12:00:00.${String(at).padStart(3, "0")}Z', '\\x${place}', 'idle', 0, 0, 0, 0, 0,
          '{"activity":{}}', '{"activity":{}}', 0, 0, 0, 0, 0)`,
        ...records.map((given, position) => {
          const {
            table,
            record = "",
            raw,
          } = typeof given === "string"
            ? { table: "trace_envelopes", record: given }
            : (given as { table: string; record?: string; raw?: string });
          const keys = table === "trace_envelopes" ? ", 't1', 0, 0" : "";
          const columns = `tenant_id, session_id, position, record_key, bytes, record, raw${keys && ", trace_id, sequence, instant"}`;
          return `INSERT INTO agent_inspector.${table} (${columns}) VALUES (${ids}, ${position}, gen_random_uuid(),
            octet_length(${pg.escapeLiteral(record)}), ${pg.escapeLiteral(record)}, ${raw === undefined ? "NULL" : `'\\x${raw}'`}${keys})`;
        }),
      ];
    })
    .join(";\n");
}

const SHORT: { readonly [character: string]: string } = {
  '"': '\\"',
  "\\": "\\\\",
  "/": "\\/",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};

/** Spellings of a code unit: itself, a short escape, four digits in small letters, capitals, or both. */
const spelling = fc.constantFrom("plain", "plain", "plain", "short", "small", "capital", "mixed");

function spelled(character: string, way: string): string {
  const isEscapedAlways =
    character < " " || character === '"' || character === "\\" || /\p{Surrogate}/u.test(character);
  const short = SHORT[character];
  if (way === "short" && short !== undefined) return short;
  if (!isEscapedAlways && (way === "plain" || way === "short")) return character;
  const units = Array.from({ length: character.length }, (_, i) =>
    character.charCodeAt(i).toString(16).padStart(4, "0"),
  );
  const digits = units.map((unit) =>
    way === "capital"
      ? unit.toUpperCase()
      : way === "mixed"
        ? unit.replace(/[a-f]/, (digit) => digit.toUpperCase())
        : unit,
  );
  return digits.map((unit) => `\\u${unit}`).join("");
}

/** A text, and its JSON text with one of JSON's spellings for each character. */
export const spelledText = (text: fc.Arbitrary<string>, way: fc.Arbitrary<string> = spelling) =>
  text.chain((said) => {
    const characters = [...said];
    const ways = fc.array(way, { minLength: characters.length, maxLength: characters.length });
    return ways.map((chosen) => ({
      said,
      json: `"${characters.map((character, i) => spelled(character, chosen[i]!)).join("")}"`,
    }));
  });
