import { describe, expect, it } from "vitest";
import { RecordRoom } from "./record-room.js";

describe("the room for records", () => {
  it("is closed, once it was full, until half of it is free", () => {
    const room = new RecordRoom({ maxWaitingRecords: 4, maxWaitingBytes: 1_000 });
    const taken = Array.from({ length: 5 }, () => room.take(10));
    expect(taken).toEqual([true, true, true, true, false]);
    room.free(10);
    expect([room.take(10), room.isFull]).toEqual([false, true]);
    room.free(10);
    expect([room.take(10), room.isFull]).toEqual([true, false]);
  });

  it("is for one record alone that is larger", () => {
    const room = new RecordRoom({ maxWaitingRecords: 4, maxWaitingBytes: 100 });
    expect([room.take(500), room.take(1)]).toEqual([true, false]);
    room.free(500);
    expect([room.take(60), room.take(60)]).toEqual([true, false]);
  });
});
