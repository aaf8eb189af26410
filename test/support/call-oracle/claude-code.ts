import path from "node:path";
import { asSent } from "./claude-code-requests.js";
import {
  beginningOf,
  groupedBy,
  isRaw,
  listIn,
  type OracleCall,
  type OracleMessage,
  objectIn,
  type Raw,
  type RawLine,
  type RawMessage,
  rawLines,
  textIn,
} from "./oracle-call.js";

interface Node extends RawLine {
  readonly uuid: string;
  /** The previous record of its file. */
  readonly before: string | undefined;
}

/**
 * The model calls of a file, each with the messages from its first record back to the beginning, or to the last compaction.
 * @param file a session, or a sub-agent
 * @param session of a sub-agent: the file of its session, in which its conversation may continue
 * @param copied records of an earlier session: their calls are not the file's own
 */
export function callsOf(
  file: string,
  session?: string,
  copied: ReadonlySet<string> = new Set(),
): OracleCall[] {
  const lines = rawLines(file);
  const ownNodes = nodesIn(lines);
  const byUuid = (nodes: readonly Node[]) => new Map(nodes.map((one) => [one.uuid, one]));
  const fork = lines.find(({ record }) => record.type === "fork-context-ref")?.record;
  const conversation = {
    own: byUuid(ownNodes),
    nodes: byUuid([...(session === undefined ? [] : nodesIn(rawLines(session))), ...ownNodes]),
    inherited: fork && textIn(fork, "parentLastUuid"),
  };
  const calls = [...callsByAnswer(ownNodes)].flatMap(([answerId, records]) => {
    const places = records.map(({ line }) => line);
    const [first] = records;
    if (copied.has(recordName(first!.record))) return [];
    const messages = asSent(first!.record, seenBy(first!, conversation), lines);
    return [{ file: path.basename(file), places, answerId, messages }];
  });
  return session === undefined ? [...calls, ...progressCalls(lines)] : calls;
}

/** Includes copies in progress records, and the messages of requests. */
export function messagesIn(file: string): RawMessage[] {
  return rawLines(file).flatMap(({ file: name, line, record }) => {
    const { message } = isProgress(record) ? objectIn(objectIn(record, "data"), "message") : record;
    return isRaw(message) ? [{ key: `${name}:${line}`, file: name, value: message }] : [];
  });
}

/** The same in every copy of a record: a fork does not change instants. */
export function recordName({ uuid, timestamp }: Raw): string {
  return `${uuid} ${timestamp}`;
}

function nodesIn(lines: readonly RawLine[]): Node[] {
  const named = lines.filter(({ record }) => textIn(record, "uuid") !== undefined);
  return named.map((one, at) => ({
    ...one,
    uuid: String(one.record.uuid),
    before: textIn(named[at - 1]?.record ?? {}, "uuid"),
  }));
}

function callsByAnswer(nodes: readonly Node[]): Map<string, Node[]> {
  const isAnswer = ({ record }: Node) => record.type === "assistant" && record.isApiErrorMessage !== true;
  return groupedBy(nodes.filter(isAnswer), (one) => answerOf(one) ?? one.uuid);
}

interface Conversation {
  readonly own: ReadonlyMap<string, Node>;
  /** Also those of its session, which come first. */
  readonly nodes: ReadonlyMap<string, Node>;
  /** Of a fork: its last record in the parent. */
  readonly inherited: string | undefined;
}

function seenBy(first: Node, conversation: Conversation): OracleMessage[] {
  const { own, nodes } = conversation;
  const { way, boundary } = wayTo(first, conversation);
  const all = [...nodes.values()];
  const before = all.slice(0, all.indexOf(first));
  // Results of parallel calls each have their own call as parent, and only one of them is an ancestor.
  const answers = new Set([...way].map((one) => `${one.file} ${answerOf(one)}`));
  const isPiece = (one: Node) => answerOf(one) !== undefined && answers.has(`${one.file} ${answerOf(one)}`);
  const said = new Set(before.filter((one) => way.has(one) || isPiece(one)));
  const asked = new Set([...said].flatMap((one) => blocksOf(one).map(({ id }) => `${one.file} ${id}`)));
  const isResult = (one: Node) =>
    blocksOf(one).some(
      (block) => block.type === "tool_result" && asked.has(`${one.file} ${block.tool_use_id}`),
    );
  // The agent that sums up a session has further input as children of the session's records.
  const isBeside = ({ uuid, record }: Node) =>
    own.has(uuid) && nodes.has(String(record.parentUuid)) && !own.has(String(record.parentUuid));
  const seen = before.filter((one) => said.has(one) || isResult(one) || isBeside(one));
  const kept = keptBy(boundary, nodes).filter((one) => !seen.includes(one));
  const anchor = seen.findIndex(({ uuid }) => uuid === preserved(boundary).anchorUuid) + 1;
  const cleared = new Set(seen.flatMap(({ record }) => clearedBy(record)));
  return [...seen.slice(0, anchor), ...kept, ...seen.slice(anchor)]
    .filter(({ record }) => isRaw(record.message) && record.isApiErrorMessage !== true)
    .map((one) => messageOf(one, cleared));
}

/** From a call back to the beginning, or to the compaction. */
function wayTo(first: Node, { nodes, inherited }: Conversation) {
  const way = new Set<Node>();
  for (let one: Node | undefined = first; one !== undefined; ) {
    const next = parentOf(one, nodes, inherited);
    if (next === undefined || way.has(next)) break;
    way.add(next);
    if (next.record.subtype === "compact_boundary") return { way, boundary: next };
    one = next;
  }
  return { way, boundary: undefined };
}

/** Without a parent, or with a missing one, a record follows the previous record; `null` means no parent. */
function parentOf(
  { record, before, file }: Node,
  nodes: ReadonlyMap<string, Node>,
  inherited: string | undefined,
): Node | undefined {
  if (record.parentUuid === null) {
    const parent = nodes.get(inherited ?? "");
    return parent?.file === file ? undefined : parent;
  }
  return nodes.get(String(record.parentUuid)) ?? nodes.get(before ?? "");
}

/** Messages before a compaction that stay verbatim, after its anchor record. */
function keptBy(boundary: Node | undefined, nodes: ReadonlyMap<string, Node>): Node[] {
  const { uuids } = preserved(boundary);
  return Array.isArray(uuids) ? uuids.flatMap((uuid) => nodes.get(String(uuid)) ?? []) : [];
}

function preserved(boundary: Node | undefined): Raw {
  return objectIn(objectIn(boundary?.record ?? {}, "compactMetadata"), "preservedMessages");
}

/** Tool calls whose results a micro-compaction removed. */
function clearedBy(record: Raw): unknown[] {
  if (record.subtype !== "microcompact_boundary") return [];
  const { compactedToolIds } = { ...record, ...objectIn(record, "microcompactMetadata") } as Raw;
  return Array.isArray(compactedToolIds) ? compactedToolIds : [];
}

function messageOf(one: Node, cleared: ReadonlySet<unknown>): OracleMessage {
  const message = objectIn(one.record, "message");
  const key = `${one.file}:${one.line}`;
  const gone = blocksOf(one).find(({ tool_use_id }) => cleared.has(tool_use_id));
  return {
    key,
    role: String(message.role),
    text: beginningOf(message.content),
    answerId: answerOf(one),
    ...(gone === undefined ? {} : { gone: beginningOf(gone.content) }),
  };
}

function answerOf({ record }: Node): string | undefined {
  return record.type === "assistant" ? textIn(objectIn(record, "message"), "id") : undefined;
}

function blocksOf({ record }: Node): Raw[] {
  return listIn(objectIn(record, "message"), "content");
}

function isProgress(record: Raw): boolean {
  return objectIn(record, "data").type === "agent_progress";
}

/** For sub-agents with only copies in the session's file: each call has the earlier copies as input. */
function progressCalls(all: readonly RawLine[]): OracleCall[] {
  const copies = all.filter(({ record }) => isProgress(record));
  const agents = groupedBy(copies, ({ record }) => String(objectIn(record, "data").agentId));
  return [...agents.values()].flatMap((lines) => {
    const nodes = lines.map((one): Node => {
      const copied = objectIn(objectIn(one.record, "data"), "message");
      return { ...one, record: copied, uuid: String(copied.uuid), before: undefined };
    });
    return [...callsByAnswer(nodes)].map(([answerId, records]) => ({
      file: records[0]!.file,
      places: records.map(({ line }) => line),
      answerId,
      messages: nodes.slice(0, nodes.indexOf(records[0]!)).map((one) => messageOf(one, new Set())),
    }));
  });
}
