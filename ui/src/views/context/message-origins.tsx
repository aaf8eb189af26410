import type { ToolUse } from "../../../../src/domain/conversation/provenance.js";
import { relativePath } from "../../../../src/domain/text/paths.js";
import { engine } from "../../app/engine.js";
import { useAnswer } from "../../app/use-answer.js";
import { changeQuery, type SessionRoute, sessionAddress, speakerOf } from "../../model/address/address.js";
import { CONTEXT_STRINGS } from "../../strings/context-strings.js";
import { Fact } from "../parts/fact.js";
import type { TabProps } from "../parts/tab-props.js";
import styles from "./message-origins.module.css";

interface MessageOriginsProps extends TabProps {
  readonly call: number;
  readonly index: number;
}

const strings = CONTEXT_STRINGS;

export function MessageOrigins({ route, session, call, index }: MessageOriginsProps) {
  const provenance = useAnswer(() => engine.call("contextProvenance", call, index), [call, index]);
  if (provenance === undefined) return null;
  const { source, uses, firstContext, rewrittenAt, dropped, repetitions, moreRepetitions } = provenance;
  const { agent } = route.query;
  const requester = session.tracedAgents.find(({ id }) => id === speakerOf(route.query))?.requestedBy;
  const toCall = (n: number) => (
    <a key={n} href={sessionAddress(route, "context", changeQuery({}, { agent, call: String(n + 1) }))}>
      {strings.call(n + 1)}
    </a>
  );
  const toUse = (use: ToolUse & { readonly stepId: string | undefined }) => (
    <UseLink key={use.toolCallId} route={route} use={use} directory={session.item?.directory ?? ""} />
  );
  return (
    <div role="group" className={styles.panel} aria-label={strings.provenance}>
      <dl>
        <Fact name={strings.from}>
          {source.by === "parent" && requester !== undefined ? (
            <a href={sessionAddress(route, "messages", { agent: requester.agentId, call: requester.callId })}>
              {strings.sources.parent}
            </a>
          ) : uses.length > 0 ? (
            uses.map(toUse)
          ) : (
            strings.sources[source.by]
          )}
        </Fact>
        <Fact name={strings.firstUse}>{toCall(firstContext)}</Fact>
        {rewrittenAt.length > 0 && <Fact name={strings.rewritten}>{rewrittenAt.map(toCall)}</Fact>}
        {dropped !== undefined && (
          <Fact name={strings.dropped}>
            {toCall(dropped.at)}{" "}
            {dropped.removal === undefined
              ? strings.droppedBy(dropped.byCompaction)
              : strings.removedBy[dropped.removal.cause]}
          </Fact>
        )}
        {repetitions.length > 0 && (
          <Fact name={strings.again}>
            {repetitions.map((use) => (
              <span key={use.toolCallId}>
                {toUse(use)} ({strings.same[use.same]})
              </span>
            ))}
            {moreRepetitions > 0 && <span>{strings.more(moreRepetitions)}</span>}
          </Fact>
        )}
      </dl>
    </div>
  );
}

interface UseLinkProps {
  readonly route: SessionRoute;
  readonly use: ToolUse & { readonly stepId: string | undefined };
  readonly directory: string;
}

/** Links to the step in the trace, else to the place among the messages. */
function UseLink({ route, use: { toolCallId, name, paths, text, stepId }, directory }: UseLinkProps) {
  const [path] = paths;
  const what = path === undefined ? `${name} ${text}` : strings.file(name, relativePath(path, directory));
  const { agent } = route.query;
  const address =
    stepId === undefined
      ? sessionAddress(route, "messages", changeQuery({}, { agent, call: toolCallId }))
      : sessionAddress(route, "trace", { event: stepId });
  return <a href={address}>{what}</a>;
}
