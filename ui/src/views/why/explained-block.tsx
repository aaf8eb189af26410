import type {
  ExplainedLines,
  LineCandidate,
  WriterContext,
} from "../../../../src/domain/changes/line-explanation.js";
import { LINE_MATCHES } from "../../../../src/domain/changes/line-owners.js";
import { keyText } from "../../../../src/domain/session/session-key.js";
import { formatCount, formatEstimate, formatShare } from "../../../../src/domain/text/figures.js";
import { visibleText } from "../../../../src/domain/text/visible-text.js";
import { plausibleInstant } from "../../../../src/domain/trace/instant.js";
import { changeQuery, sessionAddress } from "../../model/address/address.js";
import { STRINGS } from "../../strings/strings.js";
import { WHY_STRINGS as strings } from "../../strings/why-strings.js";
import { Fact } from "../parts/fact.js";
import { Instant } from "../parts/instant.js";
import styles from "./why-view.module.css";

export function ExplainedBlock({ block }: { readonly block: ExplainedLines }) {
  const { from, to, text, candidates, commit } = block;
  const [likeliest, ...others] = candidates;
  return (
    <li className={styles.block} data-known={likeliest !== undefined}>
      <h2>
        <small>{strings.lines(formatCount(from), formatCount(to))}</small> <code>{visibleText(text)}</code>
      </h2>
      {likeliest === undefined ? (
        <p className={styles.nobody}>{strings.nobody}</p>
      ) : (
        <Candidate candidate={likeliest} />
      )}
      {commit !== undefined && (
        <p className={styles.hint}>
          <code>{commit.id?.slice(0, 10)}</code> {visibleText(commit.summary)} · {visibleText(commit.author)}
          {plausibleInstant(commit.timestamp) !== undefined && " · "}
          <Instant at={commit.timestamp} />
        </p>
      )}
      {others.length > 0 && (
        <details>
          <summary>{strings.others(others.length)}</summary>
          {others.map((candidate) => (
            <Candidate key={keyText(candidate, candidate.call.id)} candidate={candidate} />
          ))}
        </details>
      )}
    </li>
  );
}

function Candidate({ candidate }: { readonly candidate: LineCandidate }) {
  const { title, call, path, score, evidence, saw, sessionId } = candidate;
  const counts = LINE_MATCHES.flatMap((match) => {
    const count = evidence.lines[match];
    return count === undefined ? [] : [strings.matches[match](formatCount(count))];
  });
  const reasons = [
    strings.score(formatShare(score)),
    ...counts,
    `${strings.paths[evidence.path]} (${visibleText(path)})`,
    ...(evidence.commit === undefined ? [] : [strings.commits[evidence.commit]]),
  ];
  return (
    <dl className={styles.candidate}>
      <Fact name={strings.wrote}>
        <Instant at={call.timestamp} />
        {plausibleInstant(call.timestamp) !== undefined && " · "}
        <a href={sessionAddress(candidate)}>{visibleText(title || sessionId)}</a> ·{" "}
        <a href={sessionAddress(candidate, "trace", { event: call.id })}>
          {visibleText(call.tool)}: {strings.step}
        </a>
      </Fact>
      {saw !== undefined && <Saw candidate={candidate} saw={saw} />}
      <Fact name={strings.evidence}>{reasons.join(" · ")}</Fact>
    </dl>
  );
}

interface SawProps {
  readonly candidate: LineCandidate;
  readonly saw: WriterContext;
}

function Saw({ candidate, saw }: SawProps) {
  const { call } = candidate;
  const agent = call.agentId;
  const { because, ownWords, newWords, source, messages, countedTokens, estimatedTokens } = saw;
  return (
    <>
      <Fact name={strings.saw}>
        {source === null ? (
          strings.unknown
        ) : (
          <a href={sessionAddress(candidate, "context", changeQuery({}, { agent, event: saw.call }))}>
            {strings.messages(
              formatCount(messages),
              formatEstimate(countedTokens ?? estimatedTokens, countedTokens === undefined),
            )}
          </a>
        )}
      </Fact>
      <Fact name={strings.because}>
        {because === null ? (
          strings.nothing
        ) : (
          <>
            {because.index < 0 ? (
              STRINGS.messages.origins[because.origin]
            ) : (
              <a
                href={sessionAddress(
                  candidate,
                  "messages",
                  changeQuery({}, { agent, at: String(Math.floor(because.index)) }),
                )}
              >
                {STRINGS.messages.origins[because.origin]} #{Math.floor(because.index)}
              </a>
            )}{" "}
            {because.source !== undefined && <small>{strings.from[because.source.by]}</small>}
            <q>{visibleText(because.text)}</q>
          </>
        )}
      </Fact>
      {because !== null && <Words name={strings.words} words={because.words} />}
      <Words name={strings.ownWords} words={ownWords} />
      <Words name={strings.newWords} words={newWords} />
    </>
  );
}

function Words({ name, words }: { readonly name: string; readonly words: readonly string[] }) {
  if (words.length === 0) return null;
  return (
    <Fact name={name}>
      {words.map((word) => (
        <code key={word}>{visibleText(word)} </code>
      ))}
    </Fact>
  );
}
