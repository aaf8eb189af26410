import { type ReactNode, Suspense } from "react";
import {
  isJsonObject,
  type JsonObject,
  labelField,
  labelOf,
  objectField,
  textField,
} from "../../../../src/domain/json/json.js";
import { compactionTokens, errorMessage } from "../../../../src/domain/spans/event-facts.js";
import { recordedContent } from "../../../../src/domain/spans/preview.js";
import type { SpanKind } from "../../../../src/domain/spans/span.js";
import {
  formatCost,
  formatCount,
  formatDuration,
  formatFineDollars,
  formatLongCost,
  formatShare,
  formatTokens,
} from "../../../../src/domain/text/figures.js";
import { plausibleInstant } from "../../../../src/domain/trace/instant.js";
import { cacheShare } from "../../../../src/domain/usage/token-counts.js";
import type { TokenUsage } from "../../../../src/domain/usage/token-usage.js";
import type { SpanDetail, TraceRow } from "../../engine/trace/trace-protocol.js";
import { otherFields } from "../../model/trace/other-fields.js";
import { STRINGS } from "../../strings/strings.js";
import { TRACE_STRINGS } from "../../strings/trace-strings.js";
import { Fact } from "../parts/fact.js";
import { Instant } from "../parts/instant.js";
import { JsonTree } from "../parts/json-tree.js";
import { lazyView } from "../parts/lazy-view.js";
import { Block, DetailAnswer, DetailBookkeeping, DetailImages, InputBlock } from "./detail-blocks.js";
import styles from "./detail-readable.module.css";
import { rowTitle } from "./row-strings.js";

const DetailInput = lazyView(() => import("./detail-input.js"));

const { detail: strings, header } = STRINGS;

interface RecordedStep {
  readonly row: TraceRow;
  readonly start: JsonObject;
  readonly end: JsonObject;
}

interface KindDetails {
  facts?(step: RecordedStep): ReactNode;
  content?(step: RecordedStep): ReactNode;
  readonly fields?: readonly string[];
  input?(step: RecordedStep): ReactNode;
  isAnswer?(row: TraceRow): boolean;
}

const ASKS_AGENT = /^(task|agent|spawn_?agent|delegate\w*)$/i;

const DETAILS_OF: { readonly [kind in SpanKind]?: KindDetails } = {
  llm: {
    facts: ({ row }) => row.name !== "" && <Fact name={strings.model}>{row.name}</Fact>,
  },
  text: {
    content: ({ row, start }) => (
      <Block
        title={rowTitle(row, false)}
        value={start.text ?? start.thinking ?? recordedContent(start)}
        formatted
      />
    ),
    fields: ["text", "thinking", "role"],
  },
  compaction: {
    content: ({ start, end }) => <CompactionCard events={[start, end]} />,
  },
  tool: {
    input: ({ row, start, end }) => <InputBlock id={row.id} value={start.input ?? start.args ?? end.input} />,
    isAnswer: ({ name }) => ASKS_AGENT.test(name),
  },
  agent: {
    isAnswer: () => true,
  },
  span: {
    fields: ["name", "startedAt", "durationMs"],
  },
};

interface DetailReadableProps {
  readonly detail: SpanDetail;
  readonly agentName: string | undefined;
  onSelect(id: string): void;
}

export function DetailReadable({ detail, agentName, onSelect }: DetailReadableProps) {
  const { row, answer, inputs: inputMembers } = detail;
  const { facts, content, fields = [], input, isAnswer } = DETAILS_OF[row.kind] ?? {};
  const cached = row.usage === undefined ? undefined : cacheShare(row.usage);
  const start = eventOf(detail.start);
  const end = eventOf(detail.end);
  const step = { row, start, end };
  const both: JsonObject = { ...start, ...end };
  const job = objectField(both, "job");
  const prompt = both.prompt ?? job.prompt ?? (input === undefined ? start.input : undefined);
  const output = both.output ?? both.result ?? job.outputText;
  const error = errorMessage(both.error);
  const stop = labelField(both, "stopReason");
  const answers = row.error === undefined && isAnswer?.(row) === true;
  const rest = otherFields(both, row.usage !== undefined).filter(
    ([name]) => !fields.includes(name) && !inputMembers.includes(name),
  );
  return (
    <>
      {row.error !== undefined && (
        <div className={styles.error} role="note">
          <strong>{strings.error}</strong> {error || (output === undefined ? row.error : strings.seeOutput)}
        </div>
      )}
      <dl className={styles.facts}>
        {plausibleInstant(row.at) !== undefined && (
          <Fact name={strings.started}>
            <Instant at={row.at} /> {row.derived && <small>({strings.derived})</small>}
          </Fact>
        )}
        {row.state !== "point" && (
          <Fact name={strings.duration}>
            {formatDuration(row.durationMs)}
            {row.state === "open" && ` · ${STRINGS.trace.open}`}
            {row.state === "cut" && ` · ${STRINGS.trace.cut}`}
          </Fact>
        )}
        {row.repeats !== undefined && <Fact name={strings.calls}>{formatCount(row.repeats.calls)}</Fact>}
        {row.cost !== undefined && (
          <Fact name={TRACE_STRINGS.cost} hint={formatLongCost(row.cost)}>
            {formatCost(row.cost, formatFineDollars)}
          </Fact>
        )}
        <Fact name={strings.sequence}>{row.sequence}</Fact>
        {row.agentId !== "" && <Fact name={strings.agent}>{agentName ?? row.agentId}</Fact>}
        {facts?.(step)}
        {cached !== undefined && <Fact name={strings.cacheShare}>{formatShare(cached)}</Fact>}
        {stop !== undefined && <Fact name={strings.stop}>{stop}</Fact>}
      </dl>
      {row.usage !== undefined && <UsageTable usage={row.usage} />}
      {answer !== undefined && <DetailAnswer answer={answer} onSelect={onSelect} />}
      {content?.(step)}
      {inputMembers.length > 0 && (
        <Suspense fallback={null}>
          <DetailInput id={row.id} />
        </Suspense>
      )}
      {!inputMembers.includes("prompt") && !inputMembers.includes("input") && (
        <Block title={strings.prompt} value={prompt} />
      )}
      {input?.(step)}
      <Block
        title={strings.output}
        value={answers ? (joinedText(output) ?? output) : output}
        failed={row.error !== undefined}
        formatted={answers}
      />
      <DetailImages detail={detail} />
      <DetailBookkeeping bookkeeping={detail.bookkeeping} onSelect={onSelect} />
      {rest.length > 0 && (
        <section className={styles.block}>
          <h3>{strings.fields}</h3>
          <JsonTree value={Object.fromEntries(rest)} />
        </section>
      )}
    </>
  );
}

function CompactionCard({ events }: { readonly events: readonly JsonObject[] }) {
  const facts = events.map(compactionTokens);
  const before = facts.map(({ tokensBefore }) => tokensBefore).find((tokens) => tokens !== undefined);
  const after = facts.map(({ tokensAfter }) => tokensAfter).find((tokens) => tokens !== undefined);
  const trigger = events.map((event) => labelOf(event.trigger)).find((word) => word !== undefined);
  return (
    <div className={styles.card}>
      {before !== undefined && <Figure name={strings.before} value={formatTokens(before)} />}
      {after !== undefined && <Figure name={strings.after} value={formatTokens(after)} />}
      {before !== undefined && after !== undefined && (
        <Figure name={strings.freed} value={formatTokens(before - after)} />
      )}
      {trigger !== undefined && <Figure name={strings.trigger} value={trigger} />}
    </div>
  );
}

function Figure({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <span>{name}</span>
      <b>{value}</b>
    </div>
  );
}

function UsageTable({ usage }: { readonly usage: TokenUsage }) {
  return (
    <table className={styles.usage}>
      <thead>
        <tr>
          <th>{header.input}</th>
          <th>{header.output}</th>
          <th>{header.cacheRead}</th>
          <th>{header.cacheWrite}</th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <td>{formatCount(usage.inputTokens)}</td>
          <td>{formatCount(usage.outputTokens)}</td>
          <td>{formatCount(usage.cacheReadTokens)}</td>
          <td>{formatCount(usage.cacheWriteTokens)}</td>
        </tr>
      </tbody>
    </table>
  );
}

/** `undefined` unless all blocks are texts. */
function joinedText(value: unknown): string | undefined {
  if (!Array.isArray(value)) return undefined;
  const texts = value.flatMap((block) => (isJsonObject(block) ? (textField(block, "text") ?? []) : []));
  return texts.length === value.length ? texts.join("\n\n") : undefined;
}

function eventOf(envelope: unknown): JsonObject {
  return isJsonObject(envelope) ? objectField(envelope, "event") : {};
}
