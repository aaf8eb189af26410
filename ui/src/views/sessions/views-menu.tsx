import { type FormEvent, useState } from "react";
import { goTo } from "../../app/address-store.js";
import { OFFERED_VIEWS } from "../../app/offered-views.js";
import { prefer, usePreferences } from "../../app/preferences.js";
import type { AddressQuery } from "../../model/address/address.js";
import {
  isViewVisible,
  type SavedView,
  viewAddress,
  viewOf,
  withView,
} from "../../model/sessions/saved-view.js";
import type { SessionColumn } from "../../model/sessions/session-table.js";
import { FILTER_STRINGS as strings } from "../../strings/filter-strings.js";
import { CopyButton } from "../parts/copy-button.js";
import { closePopover, Popover } from "../parts/popover.js";
import styles from "./bar-menus.module.css";

interface ViewsMenuProps {
  readonly query: AddressQuery;
  /** `undefined` without a choice. */
  readonly columns: readonly SessionColumn[] | undefined;
}

const ID = "views";

export function ViewsMenu({ query, columns }: ViewsMenuProps) {
  const { views } = usePreferences();
  const [renamed, setRenamed] = useState<string>();
  const [isOpen, setOpen] = useState(false);
  const current = [...views, ...OFFERED_VIEWS].find((view) => isViewVisible(view, query));
  const open = (view: SavedView) => {
    closePopover(ID);
    goTo(viewAddress(view));
  };
  const save = (name: string) => {
    const view = viewOf(name, query, columns);
    prefer({ views: withView(views, view) });
    open(view);
  };
  const rename = (view: SavedView, name: string) => {
    const others = views.filter((one) => one.name !== name || one === view);
    prefer({ views: others.map((one) => (one === view ? { ...view, name } : one)) });
    setRenamed(undefined);
  };
  return (
    <Popover id={ID} label={current?.name ?? strings.views} hint={strings.viewsHint} onToggle={setOpen}>
      {views.length + OFFERED_VIEWS.length === 0 && <p className={styles.none}>{strings.noViews}</p>}
      {views.length > 0 && (
        <>
          <h2>{strings.ownViews}</h2>
          <ul className={styles.rows}>
            {views.map((view) => (
              <li key={view.name}>
                {renamed === view.name ? (
                  <NameForm
                    label={strings.renamed}
                    button={strings.keep}
                    name={view.name}
                    onName={(name) => rename(view, name)}
                  />
                ) : (
                  <>
                    <ViewLink view={view} isVisible={view === current} onOpen={open} />
                    <button
                      type="button"
                      aria-label={strings.rename(view.name)}
                      title={strings.rename(view.name)}
                      onClick={() => setRenamed(view.name)}
                    >
                      ✎
                    </button>
                    <CopyButton label={strings.link} text={() => linkTo(view)} />
                    <button
                      type="button"
                      aria-label={strings.removeView(view.name)}
                      title={strings.removeView(view.name)}
                      onClick={() => prefer({ views: views.filter((one) => one !== view) })}
                    >
                      ×
                    </button>
                  </>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
      {OFFERED_VIEWS.length > 0 && (
        <>
          <h2>{strings.applicationViews}</h2>
          <ul className={styles.rows}>
            {OFFERED_VIEWS.map((view) => (
              <li key={view.name}>
                <ViewLink view={view} isVisible={view === current} onOpen={open} />
                <CopyButton label={strings.link} text={() => linkTo(view)} />
              </li>
            ))}
          </ul>
        </>
      )}
      {isOpen && <NameForm label={strings.saveAs} button={strings.save} name="" onName={save} />}
    </Popover>
  );
}

interface ViewLinkProps {
  readonly view: SavedView;
  readonly isVisible: boolean;
  onOpen(view: SavedView): void;
}

function ViewLink({ view, isVisible, onOpen }: ViewLinkProps) {
  return (
    <a
      href={viewAddress(view)}
      aria-current={isVisible ? "true" : undefined}
      title={view.filter}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        onOpen(view);
      }}
    >
      {view.name}
      {view.filter !== "" && <small>{view.filter}</small>}
    </a>
  );
}

interface NameFormProps {
  readonly label: string;
  readonly button: string;
  readonly name: string;
  onName(name: string): void;
}

function NameForm({ label, button, name, onName }: NameFormProps) {
  const [typed, setTyped] = useState(name);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (typed.trim() !== "") onName(typed.trim());
  };
  return (
    <form className={styles.naming} onSubmit={submit}>
      <input
        type="text"
        aria-label={label}
        placeholder={label}
        maxLength={100}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <button type="submit" disabled={typed.trim() === ""}>
        {button}
      </button>
    </form>
  );
}

function linkTo(view: SavedView): string {
  return new URL(viewAddress(view), location.href).href;
}
