/** Other text in angle brackets stays text. */
const TAGS = [
  "app-context",
  "apps_instructions",
  "bash-input",
  "bash-stderr",
  "bash-stdout",
  "collaboration_mode",
  "command-args",
  "command-message",
  "command-name",
  "env",
  "environment_context",
  "local-command-caveat",
  "local-command-stderr",
  "local-command-stdout",
  "multi_agent_mode",
  "permissions_instructions",
  "persisted-output",
  "plugins_instructions",
  "recommended_plugins",
  "skills_instructions",
  "subagent_notification",
  "system-reminder",
  "task-notification",
  "tool_use_error",
  "turn_aborted",
  "user_instructions",
  "user_query",
  "user_shell_command",
].join("|");

const OPENING = new RegExp(`<(${TAGS})>`, "g");
const ANY = new RegExp(`</?(?:${TAGS})>`, "g");

export interface TaggedPart {
  readonly label: string;
  readonly text: string;
}

/**
 * A tag without its end is text. Empty pieces are skipped.
 * @example taggedParts("<command-name>/init</command-name>") // [{ label: "Command name", text: "/init" }]
 */
export function taggedParts(text: string): readonly TaggedPart[] {
  const parts: TaggedPart[] = [];
  const add = (label: string, piece: string) => {
    if (piece.trim() !== "") parts.push({ label, text: piece.trim() });
  };
  const endless = new Set<string>();
  let done = 0;
  for (const { 0: opening, 1: tag = "", index } of text.matchAll(OPENING)) {
    if (index < done || endless.has(tag)) continue;
    const from = index + opening.length;
    const end = text.indexOf(`</${tag}>`, from);
    if (end === -1) {
      endless.add(tag);
      continue;
    }
    add("", text.slice(done, index));
    add(labelOf(tag), text.slice(from, end));
    done = end + tag.length + 3;
  }
  if (done === 0) return [{ label: "", text }];
  add("", text.slice(done));
  return parts;
}

export function withoutTags(text: string): string {
  return text.includes("<") ? text.replace(ANY, " ") : text;
}

function labelOf(tag: string): string {
  const words = tag.replace(/[-_]/g, " ");
  return words[0]!.toUpperCase() + words.slice(1);
}
