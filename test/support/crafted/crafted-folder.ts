export interface CraftedFolder {
  readonly name: string;
  /** The folder of its module. */
  readonly format: "atif" | "codex" | "gemini-cli" | "inspect" | "opencode";
  readonly plant: (folder: string, size: number) => void;
  /** Sizes of a daily test and of a soak. A folder without a daily size repeats what another one shows daily. */
  readonly sizes: readonly [daily: number | undefined, soak: number];
  /** Absent where the planted file is valid history, or no history. */
  readonly warning?: RegExp;
}

export const GOOD = "good";
