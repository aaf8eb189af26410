import { changeAddress, currentRoute, goTo } from "../../app/address-store.js";
import { announce } from "../../app/announcer.js";
import { engine } from "../../app/engine.js";
import { sessionAddress } from "../../model/address.js";
import { STRINGS } from "../../strings/strings.js";

// One after another, because each step starts from the result of the one before.
let stepping: Promise<void> = Promise.resolve();

/** Address and direction in which the reader was informed that no further error exists: a repeat begins at the other end. */
let end: { readonly address: string; readonly step: 1 | -1 } | undefined;

/** Shows the next error of the session, or the one before, and says which it is. It never goes around unasked. */
export function stepToError(step: 1 | -1): void {
  stepping = stepping.then(async () => {
    const from = currentRoute();
    // The session was left before its turn came: there is nobody who would answer.
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
