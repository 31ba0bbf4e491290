import { env, runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { TaskStore } from "../../src/task/store.ts";
import { acting, eventOf, guid } from "./events.ts";

let objects = 0;

/** A store on the real SQLite of an object nobody else uses. */
function withStore<T>(work: (store: TaskStore, state: DurableObjectState) => T | Promise<T>): Promise<T> {
  const stub = env.TASK.getByName(`store-${++objects}`);
  return runInDurableObject(stub, async (_, state) => work(new TaskStore(state.storage), state));
}

const take = (store: TaskStore, delivery: number, comment: number) =>
  store.accept(eventOf(guid(delivery), comment), acting(comment), 1_000 + delivery);

describe("a delivery", () => {
  it("is taken once by its GUID, whatever else it says the second time", () =>
    withStore((store) => {
      expect(take(store, 1, 900)).toEqual({ accepted: true, request: "r1" });
      expect(take(store, 1, 900)).toEqual({ accepted: false, request: "r1" });
      expect(take(store, 1, 901)).toEqual({ accepted: false, request: "r1" });
      expect(store.ends()).toHaveLength(1);
    }));

  it("is taken once by its trigger: a replay under a new GUID joins, also after the request ended", () =>
    withStore((store) => {
      take(store, 1, 900);
      expect(take(store, 2, 900)).toEqual({ accepted: false, request: "r1" });
      store.end("r1", { state: "answered", text: "a", looked: [] }, 5);
      expect(take(store, 3, 900)).toEqual({ accepted: false, request: "r1" });
      expect(take(store, 3, 901)).toEqual({ accepted: false, request: "r1" });
      expect(store.current()).toBeUndefined();
    }));

  it("of each trigger is kept, and requests run in the order they came", () =>
    withStore((store) => {
      const ids = [3, 1, 2].map((comment, n) => take(store, n, comment).request);
      expect(ids).toEqual(["r1", "r2", "r3"]);
      const ran: number[] = [];
      for (let next = store.current(); next !== undefined; next = store.current()) {
        ran.push(next.event.said.id);
        store.end(next.id, { state: "refused", because: "permission-none" }, 9);
      }
      expect(ran).toEqual([3, 1, 2]);
    }));

  it("comes back as it was stored, word for word", () =>
    withStore((store, state) => {
      const event = { ...eventOf(guid(1), 900) };
      const text = "it's \u0000 \ud83d\ude00 \u2028 \"quoted\" '); DROP TABLE pw_requests; --";
      store.accept(event, { ...acting(900), instruction: text }, 1);
      const again = new TaskStore(state.storage);
      expect(again.current()).toEqual({ id: "r1", kind: "ask", event, instruction: text });
      expect(again.request("r1")).toEqual(again.current());
    }));
});

describe("a request", () => {
  it("has one end: the first", () =>
    withStore((store) => {
      take(store, 1, 900);
      store.end("r1", { state: "answered", text: "first", looked: [] }, 1);
      store.end("r1", { state: "failed", why: "internal" }, 2);
      expect(store.ends()).toEqual([
        { request: "r1", end: { state: "answered", text: "first", looked: [] } },
      ]);
    }));

  it("has ended once its end is stored, whichever that is, and another's says nothing of it", () =>
    withStore((store) => {
      take(store, 1, 900);
      take(store, 2, 901);
      expect([store.hasEnded("r1"), store.hasEnded("r2"), store.hasEnded("r3")]).toEqual([
        false,
        false,
        false,
      ]);
      store.end("r1", { state: "refused", because: "permission-none" }, 1);
      expect([store.hasEnded("r1"), store.hasEnded("r2")]).toEqual([true, false]);
    }));

  it.each(["r2", "r0", "r-1", "", "r1x", "rNaN", "r1; DROP TABLE pw_requests"])("%j is none", (id) =>
    withStore((store) => {
      take(store, 1, 900);
      expect(store.request(id)).toBeUndefined();
    }),
  );
});

describe("a large value", () => {
  const PART = 500_000;

  it.each([
    ["nothing", null],
    ["a small one", { changes: [], skipped: [] }],
    ["exactly one part", "x".repeat(PART - 2)],
    ["one character more than a part", "x".repeat(PART - 1)],
    ["emoji across every border of its parts", "🎉".repeat(150_000)],
    ["emoji, one unit off", `x${"🎉".repeat(150_000)}`],
    ["half a surrogate pair", "a\ud83d"],
    ["control characters and quotes", "\u0000\u001f\"\\'\u2028"],
    ["eight megabytes of base64", "QUJD".repeat(2_000_000)],
  ])("comes back as it was: %s", (_, value) =>
    withStore((store) => {
      take(store, 1, 900);
      store.putValue("r1", "files", value);
      expect(store.getValue("r1", "files")).toEqual(value);
    }),
  );

  it("is replaced whole by a shorter one", () =>
    withStore((store) => {
      store.putValue("r1", "files", "x".repeat(PART * 3));
      store.putValue("r1", "files", "short");
      expect(store.getValue("r1", "files")).toBe("short");
    }));

  it("goes with its request, and another's stays", () =>
    withStore((store) => {
      for (let n = 1; n <= 11; n++) take(store, n, n);
      for (const id of ["r1", "r11"]) store.putValue(id, "files", id);
      store.end("r1", { state: "failed", why: "internal" }, 1);
      expect(store.getValue("r1", "files")).toBeUndefined();
      expect(store.getValue("r11", "files")).toBe("r11");
    }));

  it("that was never put is not there", () =>
    withStore((store) => {
      expect(store.getValue("r1", "files")).toBeUndefined();
    }));
});
