import { taggedParts } from "./tagged-text.js";

/** Texts that agents insert into a conversation: their environment, the date, reminders. */
const INJECTED: ReadonlySet<string> = new Set([
  "App context",
  "Apps instructions",
  "Collaboration mode",
  "Env",
  "Environment context",
  "Local command caveat",
  "Multi agent mode",
  "Permissions instructions",
  "Plugins instructions",
  "Recommended plugins",
  "Skills instructions",
  "System reminder",
]);

/** Bounds the work: a longer text is compared unchanged, and not displayed. */
const MOST_CHARACTERS = 200_000;

const LONGEST_PATH = 4_096;

/** Replaces an id, an instant or a duration. */
const MARK = "#";

const MONTHS = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)";
const CLOCK = String.raw`\d{1,2}:\d\d(?::\d\d(?:[.,]\d+)?)?`;

/** Linear for hostile text: repetitions are bounded, or end at the end of a word. */
const VARYING = [
  // 2026-01-15, 2026-01-15T09:00:00.000Z, 2026-01-15 09:00:00 +0000
  String.raw`\b\d{4}-\d\d-\d\d(?:[T ]${CLOCK}(?: ?(?:Z|UTC|[+-]\d\d:?\d\d))?)?`,
  // Thu Nov 26 03:49:46 UTC 2026, Nov 26 03:49, Nov 26, 2026
  String.raw`\b(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? )?${MONTHS} {1,2}\d{1,2}\b(?:,? (?:${CLOCK}|\d{4}))?(?: [A-Z]{3,4})?(?: \d{4}\b)?`,
  String.raw`\b\d{1,2}:\d\d:\d\d(?:[.,]\d+)?\b`,
  String.raw`\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\b`,
  // toolu_01AbC…, call_x9…, msg_…: a vendor's prefix, and letters with a digit.
  String.raw`\b(?:toolu|call|msg|req|resp|run|chatcmpl|fc|rs|ws|task|agent|session|sess|thread|turn|bash|shell)[_-](?=[A-Za-z0-9]{0,30}\d)[A-Za-z0-9]{6,64}\b`,
  // Hashes; short ones have both letters and digits.
  String.raw`\b(?=[a-f]{0,64}\d)(?=\d{0,64}[a-f])[0-9a-f]{7,64}\b`,
  // Instants, process ids and request numbers.
  String.raw`\b\d{9,}\b`,
];

const IDS = new RegExp(VARYING.join("|"), "g");
/** Duration in a tool's own output: 12ms, 1.25 s, 0.3 seconds. */
const TOOK = /\b\d+(?:\.\d+)? ?ms\b|\b\d+\.\d+ ?s(?:ec(?:ond)?s?)?\b/g;

export class ComparableTexts {
  readonly #folders: RegExp | undefined;

  /** @param directory the session's working directory; `""` if it is not recorded */
  constructor(directory: string) {
    const root = directory.replace(/[\\/]{1,100}$/, "");
    if (root.length < 2 || root.length > LONGEST_PATH) return;
    // Spellings: plain, in JSON text, and with the other separator.
    const spellings = [root.replaceAll("\\", "\\\\"), root, root.replaceAll("\\", "/")];
    const paths = [...new Set(spellings)].map(escaped).join("|");
    // Agents derive folder names from it.
    const name = escaped(root.replace(/[^A-Za-z0-9]/g, "-"));
    this.#folders = new RegExp(
      `(?<![\\w.~\\\\-]|[^/]/)(?:${paths})(?:/|\\\\{1,2}|(?![\\w.-]))|(?<=[/\\\\])${name}(?=[/\\\\])`,
      "g",
    );
  }

  /**
   * Removes the parts that differ from run to run: ids, instants, the path of the session's folder, and the agent's own insertions.
   * @param isResult true for a tool's result, which may contain a duration
   * @example new ComparableTexts("/home/ada/shop").of("cat /home/ada/shop/a.ts") // "cat a.ts"
   */
  of(text: string, isResult = false): string {
    let comparable = this.visibleText(text).replace(IDS, MARK);
    if (isResult) comparable = comparable.replace(TOOK, MARK);
    return `${comparable}${text.slice(MOST_CHARACTERS)}`.trim();
  }

  /** Removes only the path of the folder and the agent's own insertions. */
  visibleText(text: string): string {
    const head = text.length > MOST_CHARACTERS ? text.slice(0, MOST_CHARACTERS) : text;
    const comparable = head.includes("<") ? withoutInjected(head) : head;
    if (this.#folders === undefined) return comparable;
    return comparable.replace(this.#folders, (folder) => (/[\\/]$/.test(folder) ? "" : "."));
  }
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

function withoutInjected(text: string): string {
  const parts = taggedParts(text);
  return parts
    .filter(({ label }) => !INJECTED.has(label))
    .map((part) => part.text)
    .join("\n");
}
