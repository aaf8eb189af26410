import { changeAddress, currentRoute, goTo } from "../../app/address-store.js";
import { announce } from "../../app/announcer.js";
import { engine } from "../../app/engine.js";
import { sessionAddress } from "../../model/address/address.js";
import { STRINGS } from "../../strings/strings.js";

// Each step starts from the result of the previous one.
let stepping: Promise<void> = Promise.resolve();

/** The reader was informed here that no further error exists: a repeat begins at the other end. */
let end: { readonly address: string; readonly step: 1 | -1 } | undefined;

/** Announces its position. Goes around only on a repeat. */
export function stepToError(step: 1 | -1): void {
  stepping = stepping.then(async () => {
    const from = currentRoute();
    // The session was left: the engine cannot answer.
    if (from.view !== "session") return;
    const address = location.hash;
    const around = end?.address === address && end.step === step;
    const { tab, query, at, of } = await engine.call(
      "findError",
      from.tab ?? "trace",
      from.query,
      step,
      around,
    );
    if (location.hash !== address) return;
    const { none, last, first, position } = STRINGS.errors;
    end = query === undefined && of > 0 ? { address, step } : undefined;
    announce(of === 0 ? none : query !== undefined ? position(at, of) : step === 1 ? last : first, true);
    if (query === undefined) return;
    if (tab === from.tab) changeAddress(query);
    else goTo(sessionAddress(from, tab, { ...query }));
  });
}
