import { useState } from "react";
import { currentRoute, goTo } from "../../app/address-store.js";
import { nextTheme, nextZone } from "../../app/preferences.js";
import { SESSION_TABS, sessionAddress } from "../../model/address.js";
import { STRINGS } from "../../strings/strings.js";
import { Dialog } from "../parts/dialog.js";
import styles from "./command-palette.module.css";

interface Command {
  readonly label: string;
  readonly key: string;
  run(): void;
}

interface CommandPaletteProps {
  onClose(): void;
  onKeys(): void;
}

/** All commands of the current view, by name. */
export function CommandPalette({ onClose, onKeys }: CommandPaletteProps) {
  const [words, setWords] = useState("");
  const [active, setActive] = useState(0);
  const matching = commands(onKeys).filter(({ label }) =>
    label.toLowerCase().includes(words.toLowerCase().trim()),
  );
  const run = (command: Command | undefined) => {
    if (command === undefined) return;
    onClose();
    command.run();
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
          aria-activedescendant={matching.length > 0 ? `command-${active}` : undefined}
          placeholder={STRINGS.commands.search}
          autoFocus
          value={words}
          onChange={(event) => {
            setWords(event.target.value);
            setActive(0);
          }}
          onKeyDown={(event) => {
            const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
            if (step !== 0) setActive((at) => Math.min(matching.length - 1, Math.max(0, at + step)));
            if (event.key === "Enter") run(matching[active]);
          }}
        />
        <div role="listbox" id="commands" aria-label={STRINGS.commands.label}>
          {matching.map((command, index) => (
            <button
              type="button"
              role="option"
              id={`command-${index}`}
              key={command.label}
              tabIndex={-1}
              aria-selected={index === active}
              onClick={() => run(command)}
            >
              {command.label}
              <kbd>{command.key}</kbd>
            </button>
          ))}
        </div>
        {matching.length === 0 && <p>{STRINGS.commands.none}</p>}
      </div>
    </Dialog>
  );
}

function commands(onKeys: () => void): Command[] {
  const route = currentRoute();
  const press = (key: string) => () => dispatchEvent(new KeyboardEvent("keydown", { key, cancelable: true }));
  const { trace } = STRINGS;
  const ofSession: Command[] =
    route.view !== "session"
      ? [{ label: STRINGS.list.group, key: "g", run: () => setTimeout(press("g")) }]
      : [
          ...SESSION_TABS.map((tab, index) => ({
            label: STRINGS.tabs[tab],
            key: String(index + 1),
            run: () => goTo(sessionAddress(route, tab)),
          })),
          { label: trace.nextError, key: "e", run: () => setTimeout(press("e")) },
          { label: trace.nextHit, key: "n", run: () => setTimeout(press("n")) },
          { label: trace.foldAll, key: "H", run: () => setTimeout(press("H")) },
          { label: trace.unfoldAll, key: "L", run: () => setTimeout(press("L")) },
        ];
  return [
    ...ofSession,
    { label: STRINGS.list.search, key: "/", run: () => setTimeout(press("/")) },
    { label: STRINGS.toSessions, key: "u", run: () => goTo("#/") },
    { label: STRINGS.commands.theme, key: "t", run: nextTheme },
    { label: STRINGS.commands.zone, key: "z", run: nextZone },
    { label: STRINGS.commands.keys, key: "?", run: onKeys },
  ];
}
