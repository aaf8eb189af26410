import { type ReactNode, useEffect, useState } from "react";
import type { SearchHit } from "../../../../src/domain/search/search-hit.js";
import type { InspectorSessionItem } from "../../../../src/domain/session/session.js";
import { keyText } from "../../../../src/domain/session/session-key.js";
import { goTo } from "../../app/address-store.js";
import { engine } from "../../app/engine.js";
import { useAnswer } from "../../app/use-answer.js";
import { useSearch, useSearchRequest, useSettled } from "../../app/use-search.js";
import { formatAddress, sessionAddress } from "../../model/address/address.js";
import { isCommandMatch } from "../../model/lists/command-match.js";
import { hitAddress, hitKey, type ValidRoute } from "../../model/search/search.js";
import { sessionTitle } from "../../model/sessions/session-title.js";
import { tenantName } from "../../model/text/tenant-name.js";
import { STRINGS } from "../../strings/strings.js";
import { Dialog } from "../parts/dialog.js";
import { SearchStatus } from "../search/search-status.js";
import { Snippet } from "../search/snippet.js";
import styles from "./command-palette.module.css";
import { commands } from "./commands.js";

interface CommandPaletteProps {
  onClose(): void;
  onKeys(): void;
}

interface Option {
  readonly id: string;
  readonly label: ReactNode;
  readonly hint: ReactNode;
  run(): void;
}

const MOST_SESSIONS = 6;

export function CommandPalette({ onClose, onKeys }: CommandPaletteProps) {
  const [words, setWords] = useState("");
  const [active, setActive] = useState<string>();
  const typed = words.trim();
  const results: ValidRoute = { view: "sessions", query: { q: typed } };
  const request = typed === "" ? undefined : { q: typed, kinds: [], tenantId: "", sessionId: "" };
  useSearchRequest("commands", request);
  useEffect(() => () => void engine.call("search", "commands", undefined), []);
  const matches = useSearch("commands", request);
  const hits = (matches?.first ?? []).flatMap((line) => (line.type === "hit" ? [line.hit] : []));
  const sessions = useSessionsWith(typed);

  const matching = commands(onKeys)
    .filter(({ label, keywords = "" }) => isCommandMatch(label, keywords, typed))
    .map(({ label, key, run }): Option => ({ id: label, label, hint: key && <kbd>{key}</kbd>, run }));
  const everywhere: Option = {
    id: "everywhere",
    label: STRINGS.search.commandsFor(typed),
    hint: undefined,
    run: () => goTo(formatAddress(results)),
  };
  const groups: readonly (readonly [label: string, options: readonly Option[]])[] = [
    [STRINGS.commands.label, typed === "" ? matching : [...matching, everywhere]],
    [STRINGS.commands.sessions, sessions.map(sessionOption)],
    [STRINGS.commands.contents, hits.map((hit) => hitOption(hit, results))],
  ];
  const options = groups.flatMap(([, of]) => of);
  // Sessions may be inserted above hits: the selection stays.
  const chosen = Math.max(
    0,
    options.findIndex(({ id }) => id === active),
  );
  const run = (option: Option | undefined) => {
    if (option === undefined) return;
    onClose();
    option.run();
  };
  return (
    <Dialog label={STRINGS.commands.label} onClose={onClose}>
      <div className={styles.palette}>
        <input
          type="text"
          role="combobox"
          aria-label={STRINGS.commands.search}
          aria-expanded="true"
          aria-controls="commands"
          aria-activedescendant={options.length > 0 ? `command-${chosen}` : undefined}
          placeholder={STRINGS.commands.search}
          autoFocus
          value={words}
          onChange={(event) => {
            setWords(event.currentTarget.value);
            setActive(undefined);
          }}
          onKeyDown={(event) => {
            const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
            if (step !== 0) {
              event.preventDefault();
              setActive(options[Math.min(options.length - 1, Math.max(0, chosen + step))]?.id);
            }
            if (event.key === "Enter") run(options[chosen]);
          }}
        />
        <div role="listbox" id="commands" aria-label={STRINGS.commands.label}>
          {groups
            .filter(([, of]) => of.length > 0)
            .map(([label, of], index) => (
              <div key={label} role="group" aria-label={label}>
                {index > 0 && <p aria-hidden="true">{label}</p>}
                {of.map((option) => (
                  <OptionButton
                    key={option.id}
                    option={option}
                    index={options.indexOf(option)}
                    selected={options[chosen] === option}
                    onChoose={run}
                  />
                ))}
              </div>
            ))}
        </div>
        {typed !== "" && (
          <footer>
            <SearchStatus name="commands" state={matches} />
          </footer>
        )}
      </div>
    </Dialog>
  );
}

interface OptionButtonProps {
  readonly option: Option;
  readonly index: number;
  readonly selected: boolean;
  onChoose(option: Option): void;
}

function OptionButton({ option, index, selected, onChoose }: OptionButtonProps) {
  return (
    <button
      ref={(element) => {
        if (selected) element?.scrollIntoView({ block: "nearest" });
      }}
      type="button"
      role="option"
      id={`command-${index}`}
      tabIndex={-1}
      aria-selected={selected}
      onClick={() => onChoose(option)}
    >
      <span>{option.label}</span>
      {option.hint}
    </button>
  );
}

function sessionOption(session: InspectorSessionItem): Option {
  const { tenantId, sessionId } = session;
  return {
    id: keyText({ tenantId, sessionId }),
    label: sessionTitle(session) ?? sessionId,
    hint: <small>{tenantName(session).name}</small>,
    run: () => goTo(sessionAddress(session)),
  };
}

function hitOption(hit: SearchHit, results: ValidRoute): Option {
  return {
    id: keyText(hit, hitKey(hit)),
    label: <Snippet snippet={hit.snippet} />,
    hint: <small>{STRINGS.search.kinds[hit.in]}</small>,
    run: () => goTo(hitAddress(hit, results)),
  };
}

function useSessionsWith(typed: string): readonly InspectorSessionItem[] {
  const settled = useSettled(typed);
  const find = async (q: string) => ({ q, sessions: await engine.call("findSessions", q, MOST_SESSIONS) });
  const answer = useAnswer(() => (settled ? find(settled) : undefined), [settled]);
  return typed !== "" && answer?.q === typed ? answer.sessions : [];
}
