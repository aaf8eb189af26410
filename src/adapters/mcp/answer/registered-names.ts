import { registeredEventTypes } from "../../../domain/dialects/event-kinds.js";
import { fileUseOf } from "../../../domain/dialects/file-tools.js";

export type NameKind =
  | "agent"
  | "event"
  | "file"
  | "label"
  | "model"
  | "note"
  | "project"
  | "role"
  | "session"
  | "source"
  | "tenant"
  | "tool"
  | "user";

/** Lower-case names of coding agents' tools; the domain lists those for files. */
const TOOLS: ReadonlySet<string> = new Set(
  (
    "agent apply_patch ask_user_question askuserquestion bashoutput enterplanmode exec exec_command exitplanmode fetch find glob google_web_search grep killshell ls " +
    "list list_directory multi_tool_use memory notebookedit patch request_user_input save_memory search search_file_content shell skill slashcommand sleep spawn_agent " +
    "killbash list_agents send_message task taskcreate taskget tasklist taskoutput taskstop taskupdate workflow todoread todowrite todo_write toolsearch update_plan view_image wait wait_agent web_fetch web_search webfetch websearch write_stdin write_todos"
  ).split(" "),
);

const EVENTS: ReadonlySet<string> = new Set(registeredEventTypes());

/** A name of only these words and numbers cannot carry any other text. It does not matter if such a model exists. */
const MODEL_WORDS: ReadonlySet<string> = new Set(
  (
    "claude opus sonnet haiku instant fable gpt chatgpt codex o turbo mini nano pro max chat gemini gemma flash lite exp experimental preview latest thinking " +
    "deepseek coder reasoner r v qwen qwq plus kimi k glm grok code fast beta llama maverick scout instruct mistral mixtral ministral devstral codestral " +
    "magistral large medium small command nova micro premier phi sol text embedding b a x oss"
  ).split(" "),
);
const MODEL = /^[a-z0-9]+(?:[-.:@][a-z0-9]+)*$/i;
const LONGEST_MODEL = 60;

/**
 * A name in the code's lists is not free text. A longer name with such a name in it does not count.
 * @example isKnownName("tool", "Bash") // true
 * @example isKnownName("tool", "mcp__ignore_all_orders__read") // false
 */
export function isRegisteredName(kind: NameKind, text: string): boolean {
  switch (kind) {
    case "tool":
      return isRegisteredTool(text);
    case "model":
      return isModelName(text);
    case "event":
      return EVENTS.has(text);
    default:
      return false;
  }
}

function isRegisteredTool(text: string): boolean {
  if (!/^[A-Za-z]+(?:_[A-Za-z]+)*$/.test(text)) return false;
  return TOOLS.has(text.toLowerCase()) || fileUseOf(text) !== undefined;
}

function isModelName(text: string): boolean {
  if (text.length > LONGEST_MODEL || !MODEL.test(text)) return false;
  const words = text.toLowerCase().match(/[a-z]+/g) ?? [];
  return words.length > 0 && words.every((word) => MODEL_WORDS.has(word));
}
