import { lazy, Suspense } from "react";
import {
  isJsonObject,
  type JsonObject,
  labelField,
  objectField,
  textField,
} from "../../../../src/domain/json/json.js";
import { errorMessage } from "../../../../src/domain/spans/event-facts.js";
import { recordedContent } from "../../../../src/domain/text/preview.js";
import { cacheShare } from "../../../../src/domain/usage/token-counts.js";
import { engine } from "../../app/engine.js";
import type { SpanDetail, TraceRow } from "../../engine/trace-protocol.js";
import { formatDuration } from "../../model/formats.js";
import { otherFields } from "../../model/other-fields.js";
import { STRINGS } from "../../strings/strings.js";
import { CallInput } from "../changes/call-input.js";
import { Instant } from "../parts/instant.js";
import { JsonTree } from "../parts/json-tree.js";
import { TextBlock } from "../parts/text-block.js";
import { DetailAnswer } from "./detail-answer.js";
import { DetailBookkeeping } from "./detail-bookkeeping.js";
import { CompactionCard, UsageTable } from "./detail-figures.js";
import { DetailImages } from "./detail-images.js";
import styles from "./detail-readable.module.css";
import { rowTitle } from "./row-strings.js";

interface DetailReadableProps {
  readonly detail: SpanDetail;
  readonly agentName: string | undefined;
  onSelect(id: string): void;
}

const FormattedText = lazy(() => import("../texts/formatted-text.js"));
const DetailGiven = lazy(() => import("./detail-given.js"));

const { detail: strings } = STRINGS;

/** The fields of an event of kind `text` that the block and its title show. */
const TEXT_FIELDS = ["text", "thinking", "role"];

export function DetailReadable({ detail, agentName, onSelect }: DetailReadableProps) {
  const { row, answer } = detail;
  const cached = row.usage === undefined ? undefined : cacheShare(row.usage);
  const start = eventOf(detail.start);
  const end = eventOf(detail.end);
  const both: JsonObject = { ...start, ...end };
  const job = objectField(both, "job");
  const { given } = detail;
  const asked = { input: row.kind === "tool" ? undefined : start.input, prompt: both.prompt ?? job.prompt };
  const prompt =
    given.includes("prompt") || given.includes("input") ? undefined : (asked.prompt ?? asked.input);
  const output = both.output ?? both.result ?? job.outputText;
  const error = errorMessage(both.error);
  const stop = labelField(both, "stopReason");
  const textFields = row.kind === "text" ? TEXT_FIELDS : [];
  const rest = otherFields(both, row.usage !== undefined).filter(
    ([name]) => !textFields.includes(name) && !given.includes(name),
  );
  return (
    <>
      {row.error !== undefined && (
        <div className={styles.error} role="note">
          <strong>{strings.error}</strong> {error || (output === undefined ? row.error : strings.seeOutput)}
        </div>
      )}
      <dl className={styles.facts}>
        <Fact name={strings.started}>
          <Instant at={row.at} /> {row.derived && <small>({strings.derived})</small>}
        </Fact>
        {row.state !== "point" && (
          <Fact name={strings.duration}>
            {formatDuration(row.durationMs)}
            {row.state === "open" && ` · ${STRINGS.trace.open}`}
            {row.state === "cut" && ` · ${STRINGS.trace.cut}`}
          </Fact>
        )}
        <Fact name={strings.sequence}>{row.sequence}</Fact>
        {row.agentId !== "" && <Fact name={strings.agent}>{agentName ?? row.agentId}</Fact>}
        {row.kind === "llm" && row.name !== "" && <Fact name={strings.model}>{row.name}</Fact>}
        {cached !== undefined && <Fact name={strings.cacheShare}>{strings.percent(cached)}</Fact>}
        {stop !== undefined && <Fact name={strings.stop}>{stop}</Fact>}
      </dl>
      {row.usage !== undefined && <UsageTable usage={row.usage} />}
      {answer !== undefined && <DetailAnswer answer={answer} onSelect={onSelect} />}
      {row.kind === "compaction" && <CompactionCard events={[start, end]} />}
      {row.kind === "text" && (
        <Block
          title={rowTitle(row, false)}
          value={start.text ?? start.thinking ?? recordedContent(start)}
          formatted
        />
      )}
      {given.length > 0 && (
        <Suspense fallback={null}>
          <DetailGiven id={row.id} />
        </Suspense>
      )}
      <Block title={strings.prompt} value={prompt} />
      {row.kind === "tool" && <InputBlock id={row.id} value={start.input ?? start.args ?? end.input} />}
      <Block
        title={strings.output}
        value={isAnswer(row) ? (joinedText(output) ?? output) : output}
        failed={row.error !== undefined}
        formatted={isAnswer(row)}
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

function Fact({ name, children }: { readonly name: string; readonly children: React.ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

interface BlockProps {
  readonly title: string;
  readonly value: unknown;
  readonly failed?: boolean;
  /** A text is what a model said: Markdown. */
  readonly formatted?: boolean;
}

/** An object with more fields is shown as a tree. */
const MAX_FIELDS = 30;

/** A value under a title. */
function Block({ title, value, failed = false, formatted = false }: BlockProps) {
  if (isEmpty(value)) return null;
  return (
    <section className={styles.block} data-failed={failed}>
      <h3>{title}</h3>
      {formatted && typeof value === "string" ? (
        <Suspense fallback={<TextBlock text={value} />}>
          <FormattedText text={value} />
        </Suspense>
      ) : (
        <Value value={value} />
      )}
    </section>
  );
}

/** The input of a tool call: what it changes, or its fields. */
function InputBlock({ id, value }: { readonly id: string; readonly value: unknown }) {
  return (
    <section className={styles.block}>
      <h3>{strings.input}</h3>
      {isEmpty(value) ? (
        <p>{strings.noInput}</p>
      ) : (
        <CallInput
          ask={() => engine.call("traceChanges", id)}
          recorded={<Value value={value} />}
          rest={(rest) => <Value value={rest} />}
        />
      )}
    </section>
  );
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

/** A string as text, an object field by field, anything else as a tree. */
function Value({ value }: { readonly value: unknown }) {
  const members = isJsonObject(value) ? Object.entries(value) : undefined;
  const hasFields = members !== undefined && members.length > 0 && members.length <= MAX_FIELDS;
  const fields = hasFields ? members : undefined;
  return (
    <>
      {typeof value === "string" && <TextBlock text={value} />}
      {fields?.map(([name, field]) => (
        <div key={name} className={styles.field}>
          <span>{name}</span>
          {typeof field === "string" ? <TextBlock text={field} /> : <JsonTree value={field} />}
        </div>
      ))}
      {typeof value !== "string" && fields === undefined && <JsonTree value={value} />}
    </>
  );
}

/** Tools whose output is what a sub-agent answered. */
const ASKS_AGENT = /^(task|agent|spawn_?agent|delegate\w*)$/i;

function isAnswer({ kind, name, error }: TraceRow): boolean {
  return error === undefined && (kind === "agent" || (kind === "tool" && ASKS_AGENT.test(name)));
}

/** The text of blocks of text; `undefined` where there is anything else. */
function joinedText(value: unknown): string | undefined {
  if (!Array.isArray(value)) return undefined;
  const texts = value.flatMap((block) => (isJsonObject(block) ? (textField(block, "text") ?? []) : []));
  return texts.length === value.length ? texts.join("\n\n") : undefined;
}

function eventOf(envelope: unknown): JsonObject {
  return isJsonObject(envelope) ? objectField(envelope, "event") : {};
}
