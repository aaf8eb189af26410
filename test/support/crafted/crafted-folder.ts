/** A folder with one good session and something beside it that an attacker wrote. */
export interface CraftedFolder {
  readonly name: string;
  /** The format, by the folder of its module. */
  readonly format: "atif" | "codex" | "gemini-cli" | "inspect" | "opencode";
  /** Writes what the attacker wrote, in this size. */
  readonly plant: (folder: string, size: number) => void;
  /** How much of it a daily test plants, and a soak. */
  readonly sizes: readonly [daily: number, soak: number];
  /** What the list warns of; nothing where what was planted is a sound history, or none at all. */
  readonly warning?: RegExp;
}

/** The id of the good session. */
export const GOOD = "good";
