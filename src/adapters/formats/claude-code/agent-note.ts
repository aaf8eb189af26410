import { isJsonObject, jsonIn, objectField, textField } from "../../../domain/json/json.js";
import { previewText } from "../../../domain/text/preview-text.js";
import { eachLine } from "../../files/bytes/line.js";
import { parseLine } from "../../files/bytes/parse-line.js";
import { readBeginning, readShort } from "../../files/bytes/read-short.js";
import {
  type AgentNote,
  MAX_NOTE,
  orphanTitle,
  type TranscriptFile,
} from "../../transcripts/folder/transcript-files.js";
import { blocksOf, firstText } from "./record.js";

/** Content of `agent-<id>.meta.json`. Invalid JSON is ignored: other records link agents, too. */
export function readNote(text: string): AgentNote | undefined {
  const note = jsonIn(text);
  if (!isJsonObject(note)) return undefined;
  return {
    role: textField(note, "agentType"),
    description: textField(note, "description"),
    toolCallId: textField(note, "toolUseId"),
  };
}

/** Characters. */
const TITLE = 100;

/** Title of a sub-agent whose session is gone: role and task, otherwise the prompt. */
export function titleOfOrphan(
  root: string,
  { path, notePath, agentId }: TranscriptFile,
  parentId: string,
): string {
  const text = notePath === undefined ? undefined : readShort(root, notePath, MAX_NOTE);
  const { role, description } = (text === undefined ? undefined : readNote(text)) ?? {};
  const noted = [role, description].filter((name) => name !== undefined).join(": ");
  return orphanTitle([noted || previewText(firstPrompt(root, path), TITLE) || agentId], parentId);
}

const BEGINNING = 16 * 1024;

function firstPrompt(root: string, file: string): string {
  let prompt = "";
  eachLine({ from: 0, bytes: readBeginning(root, file, BEGINNING) ?? new Uint8Array() }, (line) => {
    if (line.number !== 1) return;
    prompt = firstText(blocksOf(objectField(parseLine(line).record ?? {}, "message"))) ?? "";
  });
  return prompt;
}
