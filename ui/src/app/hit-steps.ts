import type { SearchHit } from "../../../src/domain/search/search-hit.js";
import type { HitRef } from "../engine/search/search-store.js";
import { hitAddress, hitKey, searchRequest, type ValidRoute } from "../model/search/search.js";
import { currentRoute, goTo } from "./address-store.js";
import { engine } from "./engine.js";
import { whenResult } from "./use-search.js";

interface ResultsPosition {
  readonly top: number;
  readonly hit: HitRef | undefined;
}

const positions = new Map<string, ResultsPosition>();

export function resultsPosition(): ResultsPosition {
  return positions.get(searchKey()) ?? { top: 0, hit: undefined };
}

export function rememberResultsPosition(changes: Partial<ResultsPosition>): void {
  positions.set(searchKey(), { ...resultsPosition(), ...changes });
}

export function rememberHit(hit: SearchHit): void {
  const { tenantId, sessionId } = hit;
  rememberResultsPosition({ hit: { tenantId, sessionId, key: hitKey(hit) } });
}

function searchKey(): string {
  return JSON.stringify(searchRequest(currentRoute()));
}

// Each step starts from the result of the one before.
let stepping: Promise<void> = Promise.resolve();

/** Within a session this replaces the address, so that "back" leads to the results. */
export function stepToHit(step: 1 | -1): void {
  stepping = stepping.then(async () => {
    const from = currentRoute();
    const request = searchRequest(from);
    if (from.view === "unknown" || request === undefined) return;
    const name = from.view === "session" ? "address" : "sessions";
    const { hash } = location;
    const isLeft = () => location.hash !== hash;
    await whenResult(name, request, isLeft);
    if (isLeft()) return;
    const hit = await engine.call("searchNext", openedHit(from), step, name);
    // A selection may have changed the address meanwhile.
    const now = currentRoute();
    if (hit === undefined || now.view === "unknown" || now.query.q !== from.query.q) return;
    if (now.view === "sessions") rememberHit(hit);
    goTo(hitAddress(hit, now), now.view === "session");
  });
}

function openedHit(from: ValidRoute): HitRef {
  if ("sessionId" in from) return { tenantId: from.tenantId, sessionId: from.sessionId, key: from.query.hit };
  return resultsPosition().hit ?? { tenantId: "", sessionId: "", key: undefined };
}
