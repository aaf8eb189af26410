import { isJsonObject, textField } from "../../domain/json.js";
import type { ContainedFiles } from "../jsonl/contained-files.js";
import type { AgentFile } from "./project-layout.js";
import type { AgentMeta } from "./session-agents.js";

/** A meta file holds a few words; a longer one is none. */
const MAX_LENGTH = 64 * 1024;

const decoder = new TextDecoder();

/** What the meta files beside sub-agents' files say. One that is missing or no JSON says nothing: other records link too. */
export async function readAgentMetas(
  files: ContainedFiles,
  agents: readonly AgentFile[],
): Promise<ReadonlyMap<string, AgentMeta>> {
  const metas = new Map<string, AgentMeta>();
  for (const { agentId, metaPath } of agents) {
    const text = await readShort(files, metaPath);
    if (text === undefined) continue;
    const meta = parse(text);
    if (!isJsonObject(meta)) continue;
    metas.set(agentId, {
      agentType: textField(meta, "agentType"),
      description: textField(meta, "description"),
      toolUseId: textField(meta, "toolUseId"),
    });
  }
  return metas;
}

async function readShort(files: ContainedFiles, path: string): Promise<string | undefined> {
  const file = (await files.open(path))?.handle;
  if (file === undefined) return undefined;
  try {
    const { buffer, bytesRead } = await file.read(new Uint8Array(MAX_LENGTH), 0, MAX_LENGTH, 0);
    return decoder.decode(buffer.subarray(0, bytesRead));
  } finally {
    await file.close();
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
