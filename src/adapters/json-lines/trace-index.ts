import type { TraceKeys } from "../../domain/trace-order.js";
import type { Digest } from "./follow-file.js";
import type { JsonLine, MemberValues } from "./json-line.js";
import { NumberColumn } from "./record-columns.js";
import { RecordIndexState, type RecordPlaces } from "./record-index.js";

/** A file of trace envelopes: where they lie, and what the merge has to know of them. */
export interface TracePlaces {
  readonly places: RecordPlaces;
  readonly keys: TraceKeys;
}

const MEMBERS = ["traceId", "sequence", "timestamp"];
const TRACE_ID = 0;
const SEQUENCE = 1;
const TIMESTAMP = 2;

const NO_MEMBERS: MemberValues = { text: () => "", sequence: () => Number.NaN, instant: () => Number.NaN };

class TraceIndexState {
  readonly records = new RecordIndexState();
  readonly #traces = NumberColumn.ofIntegers();
  readonly #sequences = NumberColumn.ofDoubles();
  readonly #instants = NumberColumn.ofDoubles();
  readonly #ordinals = new Map<string, number>();
  readonly #ids: string[] = [];

  get bytes(): number {
    const columns = this.#traces.bytes + this.#sequences.bytes + this.#instants.bytes;
    return this.records.bytes + columns + this.#ids.length * 128;
  }

  add(line: JsonLine): void {
    if (!this.records.add(line)) return;
    const { members = NO_MEMBERS } = line;
    this.#traces.push(this.#ordinalOf(members));
    this.#sequences.push(members.sequence(SEQUENCE));
    this.#instants.push(members.instant(TIMESTAMP));
  }

  view(tail: JsonLine | undefined): TracePlaces {
    const places = this.records.places(tail);
    const known = this.records.starts.size;
    const { members = NO_MEMBERS } = tail ?? {};
    const last = {
      trace: this.#ordinalOf(members),
      sequence: members.sequence(SEQUENCE),
      instant: members.instant(TIMESTAMP),
    };
    const traces = this.#traces;
    const sequences = this.#sequences;
    const instants = this.#instants;
    return {
      places,
      keys: {
        size: places.size,
        traceAt: (position) => (position < known ? traces.at(position) : last.trace),
        sequenceAt: (position) => (position < known ? sequences.at(position) : last.sequence),
        instantAt: (position) => (position < known ? instants.at(position) : last.instant),
        traceId: (trace) => this.#ids[trace] ?? "",
      },
    };
  }

  #ordinalOf(members: MemberValues): number {
    const traceId = members.text(TRACE_ID);
    let trace = this.#ordinals.get(traceId);
    if (trace === undefined) {
      trace = this.#ids.push(traceId) - 1;
      this.#ordinals.set(traceId, trace);
    }
    return trace;
  }
}

export const traceIndex: Digest<TraceIndexState, TracePlaces> = {
  begin: () => new TraceIndexState(),
  add: (state, line) => state.add(line),
  view: (state, tail) => state.view(tail),
  weigh: (state) => state.bytes,
  wanted: { members: MEMBERS, onlyMembers: true },
};
