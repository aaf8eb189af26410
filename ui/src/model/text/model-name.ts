/** A provider's prefix, such as `openai/` or `us.anthropic.`. */
const PROVIDER = /^.*\/|^(?:[a-z]{2,6}\.)?anthropic\./;
const VERSION = /[-@](?:\d{8}|\d{4}-\d{2}-\d{2})(?:-v\d+(?::\d+)?)?$/;
const CLAUDE = /^claude-(?:([a-z]+)-(\d{1,2})(?:-(\d{1,2}))?|(\d)(?:-(\d))?-([a-z]+))(?:-latest)?$/;

/**
 * Short, for a column.
 * @example shortModel("claude-sonnet-4-5-20250929") // "Sonnet 4.5"
 * @example shortModel("openai/gpt-5-codex") // "gpt-5-codex"
 */
export function shortModel(model: string): string {
  const name = model.replace(PROVIDER, "").replace(VERSION, "");
  const claude = CLAUDE.exec(name);
  if (claude === null) return name || model;
  const [, family, major, minor, oldMajor, oldMinor, oldFamily] = claude;
  const word = family ?? oldFamily!;
  const version = [major ?? oldMajor, minor ?? oldMinor].filter((part) => part !== undefined);
  return `${word[0]!.toUpperCase()}${word.slice(1)} ${version.join(".")}`;
}
