import { Suspense, useEffect, useState } from "react";
import type { ContextChange } from "../../../../src/domain/conversation/compare-contexts.js";
import { formatEstimate } from "../../../../src/domain/text/figures.js";
import { changeAddress } from "../../app/address-store.js";
import { engine } from "../../app/engine.js";
import { useAnswer } from "../../app/use-answer.js";
import type { ContextLine, ShortenedText } from "../../engine/messages/message-protocol.js";
import { changeQuery, sessionAddress } from "../../model/address/address.js";
import { CONTEXT_STRINGS } from "../../strings/context-strings.js";
import { STRINGS } from "../../strings/strings.js";
import { lazyView } from "../parts/lazy-view.js";
import type { TabProps } from "../parts/tab-props.js";
import { TextBlock } from "../texts/text-block.js";
import styles from "./context-lines.module.css";
import { DroppedSection } from "./dropped-section.js";
import { HeadRow } from "./head-row.js";
import { MessageOrigins } from "./message-origins.js";

interface ContextComparisonProps extends TabProps {
  readonly base: number;
  readonly call: number;
  readonly version: number;
}

const { context: strings, messages } = STRINGS;
const words = CONTEXT_STRINGS;

const CHANGES: readonly ContextChange[] = ["added", "rewritten", "dropped", "kept"];
const MOST_OPEN = 4;
const STEP = 60;

export function ContextComparisonView({ route, session, base, call, version }: ContextComparisonProps) {
  const { find = "" } = route.query;
  const [visible, setVisible] = useState(STEP);
  const requestKey = JSON.stringify([base, call, version, find]);
  const answer = useAnswer(async () => {
    setVisible(STEP);
    return { requestKey, comparison: await engine.call("contextCompare", base, call, find) };
  }, [requestKey]);
  if (answer?.comparison === undefined) return null;
  const { lines, counts } = answer.comparison;
  const isCurrent = answer.requestKey === requestKey;
  const changed = lines.filter(({ change }) => change !== "kept" && change !== "run").length;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by keyboard
    <section className={styles.lines} aria-label={strings.label} aria-busy={!isCurrent} tabIndex={0}>
      <p className={styles.counts}>
        {CHANGES.filter((change) => counts[change].messages > 0).map((change) => (
          <span key={change} data-change={change}>
            {strings.changes[change]} {counts[change].messages} · {formatEstimate(counts[change].tokens)}
          </span>
        ))}
      </p>
      <p className={styles.find}>
        <input
          type="search"
          aria-label={words.find}
          placeholder={words.find}
          value={find}
          onChange={({ currentTarget: { value } }) =>
            changeAddress(changeQuery(route.query, { find: value }))
          }
        />
        {find !== "" && <span role="status">{isCurrent && words.matches(lines.length)}</span>}
      </p>
      {find === "" && counts.dropped.messages + counts.rewritten.messages > 0 && (
        <DroppedSection route={route} session={session} base={base} call={call} version={version} />
      )}
      {find === "" && <HeadRow key={call} call={call} version={version} />}
      <ol>
        {lines
          .slice(0, visible)
          .map((line) =>
            line.change === "run" ? (
              <MessageRun
                key={`run ${line.from}`}
                line={line}
                route={route}
                session={session}
                call={line.of === "kept" ? call : base}
              />
            ) : (
              <MessageRow
                key={`${line.change} ${(line.after ?? line.before)?.index}`}
                line={line}
                route={route}
                session={session}
                call={line.change === "dropped" ? base : call}
                isOpen={
                  find === "" &&
                  (line.change === "added" || line.change === "dropped") &&
                  changed <= MOST_OPEN
                }
              />
            ),
          )}
      </ol>
      {lines.length > visible && (
        <button type="button" onClick={() => setVisible(visible + STEP * 5)}>
          {strings.messages(lines.length - visible)} …
        </button>
      )}
    </section>
  );
}

interface MessageRunProps extends TabProps {
  readonly line: Extract<ContextLine, { change: "run" }>;
  readonly call: number;
}

function MessageRun({ line, route, session, call }: MessageRunProps) {
  const [previous, setPrevious] = useState<readonly ContextLine[]>();
  const unfold = async () => setPrevious(await engine.call("contextRun", call, line.from, line.to, line.of));
  return (
    <li className={styles.run} data-change={line.of}>
      <button
        type="button"
        aria-expanded={previous !== undefined}
        onClick={previous === undefined ? unfold : () => setPrevious(undefined)}
      >
        {previous === undefined ? "▸" : "▾"} {strings.runs[line.of](line.count)} ·{" "}
        {formatEstimate(line.tokens)}
      </button>
      {previous !== undefined && (
        <ol>
          {previous
            .slice(0, STEP * 5)
            .map(
              (row) =>
                row.change !== "run" && (
                  <MessageRow
                    key={(row.after ?? row.before)?.index}
                    line={row}
                    route={route}
                    session={session}
                    call={call}
                    isOpen={false}
                  />
                ),
            )}
        </ol>
      )}
    </li>
  );
}

const TextDiff = lazyView(() => import("./text-diff.js"));

interface MessageRowProps extends TabProps {
  readonly line: Exclude<ContextLine, { change: "run" }>;
  readonly call: number;
  readonly isOpen: boolean;
}

type Unfolded = { readonly before: string; readonly after: string } | ShortenedText;

const SIGNS = { added: "+", kept: "=", rewritten: "~", dropped: "−" } as const;

function MessageRow({ line, route, session, call, isOpen }: MessageRowProps) {
  const { change, before, after } = line;
  const message = after ?? before!;
  const [open, setOpen] = useState<Unfolded>();
  const unfold = async () => {
    if (change === "rewritten") {
      const sides = [before!, after!].map(({ index }) => engine.call("contextText", index));
      const [a, b] = await Promise.all(sides);
      setOpen({ before: a!, after: b! });
    } else setOpen(await engine.call("contextBeginning", message.index));
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: what the reader folds stays folded
  useEffect(() => {
    if (isOpen) void unfold();
  }, []);
  return (
    <li data-change={change}>
      <button
        type="button"
        className={styles.row}
        aria-expanded={open !== undefined}
        onClick={open === undefined ? unfold : () => setOpen(undefined)}
      >
        <span className={styles.sign} title={strings.changes[change]}>
          <span aria-hidden="true">{SIGNS[change]}</span>
          <span className="visually-hidden">{strings.changes[change]}</span>
        </span>
        <span className={styles.origin}>{messages.origins[message.origin]}</span>
        <span className={styles.preview}>{message.preview}</span>
        <small>{formatEstimate(message.tokens)}</small>
      </button>
      {open !== undefined && (
        <div className={styles.text}>
          <MessageOrigins route={route} session={session} call={call} index={message.index} />
          {message.index >= 0 && (
            <a
              href={sessionAddress(
                route,
                "messages",
                changeQuery({}, { agent: route.query.agent, at: String(Math.floor(message.index)) }),
              )}
            >
              {strings.inMessages}
            </a>
          )}
          {"after" in open ? (
            <Suspense fallback={null}>
              <TextDiff before={open.before} after={open.after} />
            </Suspense>
          ) : (
            <TextBlock
              text={open.text}
              length={open.length}
              full={() => engine.call("contextText", message.index)}
            />
          )}
        </div>
      )}
    </li>
  );
}
