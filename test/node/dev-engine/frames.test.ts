import * as fc from "fast-check";
import { expect, it } from "vitest";
import { encodeFrame, encodeJson, FRAME, FrameReader, jsonOf } from "../../../dev/engine/frames.ts";
import type { FrameKind } from "../../../dev/engine/frames.ts";

const kind = fc.constantFrom<FrameKind>(FRAME.start, FRAME.stdout, FRAME.stderr, FRAME.exit);

it("reads frames however the stream was cut", () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ kind, payload: fc.uint8Array({ maxLength: 40 }) })),
      fc.array(fc.nat(30), { minLength: 1 }),
      (frames, cuts) => {
        const stream = Buffer.concat(frames.map((frame) => encodeFrame(frame.kind, frame.payload)));
        const reader = new FrameReader();
        const read = [];
        for (let at = 0, turn = 0; at < stream.length; turn += 1) {
          const size = Math.max(1, cuts[turn % cuts.length] ?? 1);
          read.push(...reader.push(stream.subarray(at, at + size)));
          at += size;
        }
        expect(read.map((frame) => ({ kind: frame.kind, payload: Buffer.from(frame.payload) }))).toEqual(
          frames.map((frame) => ({ kind: frame.kind, payload: Buffer.from(frame.payload) })),
        );
      },
    ),
  );
});

it("carries JSON and refuses what is no frame", () => {
  const [frame] = new FrameReader().push(encodeJson(FRAME.exit, { exitCode: 3 }));
  expect(frame && jsonOf(frame)).toEqual({ exitCode: 3 });
  expect(() => new FrameReader().push(new Uint8Array([9, 0, 0, 0, 0]))).toThrow("kind");
  expect(() => new FrameReader().push(new Uint8Array([1, 255, 0, 0, 0]))).toThrow("frame of");
});
