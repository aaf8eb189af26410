import { type KeyboardEvent, useRef } from "react";
import { changeAddress } from "../../app/address-store.js";
import { useKeys } from "../../app/use-keys.js";
import { type AddressQuery, changeQuery } from "../../model/address.js";
import { STRINGS } from "../../strings/strings.js";

/** The search of all sessions. Enter and the arrow down lead to what it found; Escape clears it, and then leaves it. */
export function ListSearch({ query }: { readonly query: AddressQuery }) {
  const field = useRef<HTMLInputElement>(null);
  useKeys({ "/": () => field.current?.focus() });
  const { q = "" } = query;
  const searchFor = (words: string) => changeAddress(changeQuery(query, { q: words }));
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.isComposing) return;
    if (event.key === "Escape") {
      event.preventDefault();
      if (q === "") field.current?.blur();
      else searchFor("");
    }
    if (event.key === "Enter" || event.key === "ArrowDown") {
      event.preventDefault();
      focusFound();
    }
  };
  return (
    <search>
      <input
        ref={field}
        type="search"
        aria-label={STRINGS.list.search}
        placeholder={STRINGS.list.search}
        value={q}
        onChange={(event) => searchFor(event.currentTarget.value)}
        onKeyDown={press}
      />
      <span aria-hidden="true">
        <kbd>/</kbd>
      </span>
    </search>
  );
}

/** To the sessions; where no title has it, to what was found in contents. */
function focusFound(): void {
  document.querySelector<HTMLElement>('main [role="grid"], main [role="list"] a')?.focus();
}
