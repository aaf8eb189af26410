import { formatCount } from "../../../../src/domain/text/figures.js";
import { prefer, THEMES, usePreferences, ZONES } from "../../app/preferences.js";
import { MANY_SESSIONS } from "../../app/use-overview-first.js";
import { OVERVIEW_STRINGS } from "../../strings/overview-strings.js";
import { STRINGS } from "../../strings/strings.js";
import styles from "./preferences-menu.module.css";

const { commands, keys } = STRINGS;

interface PreferencesMenuProps {
  onCommands(): void;
  onKeys(): void;
}

export function PreferencesMenu({ onCommands, onKeys }: PreferencesMenuProps) {
  const { theme, zone, overviewFirst } = usePreferences();
  return (
    <div className={styles.menu}>
      <Choices
        label={commands.themeLabel}
        shortcut="t"
        options={THEMES.map((value) => ({ value, label: commands.themes[value] }))}
        value={theme}
        onChoose={(chosen) => prefer({ theme: chosen })}
      />
      <Choices
        label={commands.zoneLabel}
        shortcut="z"
        options={ZONES.map((value) => ({ value, label: commands.zones[value] }))}
        value={zone}
        onChoose={(chosen) => prefer({ zone: chosen })}
      />
      <fieldset>
        <legend>{OVERVIEW_STRINGS.opening}</legend>
        <label>
          <input
            type="checkbox"
            checked={overviewFirst}
            onChange={(event) => prefer({ overviewFirst: event.currentTarget.checked })}
          />
          {OVERVIEW_STRINGS.first(formatCount(MANY_SESSIONS))}
        </label>
      </fieldset>
      <hr />
      <button type="button" onClick={() => leaveFor(onCommands)}>
        {commands.label} <kbd>Ctrl K</kbd>
      </button>
      <button type="button" onClick={() => leaveFor(onKeys)}>
        {keys.label} <kbd>?</kbd>
      </button>
    </div>
  );
}

/** The menu returns the focus first, so that a dialog can return it there. */
function leaveFor(open: () => void): void {
  document.getElementById("menu")?.hidePopover();
  open();
}

interface ChoicesProps<T extends string> {
  readonly label: string;
  readonly shortcut: string;
  readonly options: readonly { readonly value: T; readonly label: string }[];
  readonly value: T;
  onChoose(value: T): void;
}

function Choices<T extends string>({ label, shortcut, options, value, onChoose }: ChoicesProps<T>) {
  return (
    <fieldset>
      <legend>
        {label} <kbd>{shortcut}</kbd>
      </legend>
      {options.map((option) => (
        <label key={option.value}>
          <input
            type="radio"
            name={label}
            checked={option.value === value}
            onChange={() => onChoose(option.value)}
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  );
}
