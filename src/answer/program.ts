/**
 * Running model-written JavaScript in a Dynamic Worker: an empty room with no network, no bindings and no secrets,
 * and one object to call. It returns data, also when the program fails: the model mends its own mistakes.
 */
import { RpcTarget } from "cloudflare:workers";
import { z } from "zod";
import { messageOf } from "../lib/errors.ts";
import { fail, pass, type Result } from "../lib/result.ts";
import { guardLoops } from "./guard.ts";
import { isMethod, METHODS, type Methods } from "./methods.ts";

export type ProgramLimits = {
  /** Wall time of one program; stops what waits for ever. */
  readonly wallMs: number;
  /** CPU time, enforced by production only. */
  readonly cpuMs: number;
  /** Loop turns and function calls; stops what computes for ever, everywhere. */
  readonly steps: number;
  /** Calls of repo methods. */
  readonly calls: number;
  /** Characters of the result that reach the model; the rest is cut, and it is told so. */
  readonly resultCharacters: number;
};

export const PROGRAM_LIMITS: ProgramLimits = {
  wallMs: 20_000,
  cpuMs: 5_000,
  steps: 5_000_000,
  calls: 100,
  resultCharacters: 60_000,
};

export type ProgramRan = { readonly result: string; readonly calls: readonly string[] };
export type ProgramFault = {
  readonly why: "syntax" | "threw" | "too-long" | "too-many-calls" | "not-loaded";
  readonly detail: string;
  readonly calls: readonly string[];
};

/** The child's compatibility date: the Worker's own, so that both speak the same RPC. */
const COMPATIBILITY_DATE = "2026-11-01";

/**
 * @param loader the `worker_loaders` binding
 * @param methods the host's side; the child only ever sees a stub of a meter around it
 */
export async function runProgram(
  loader: WorkerLoader,
  code: string,
  methods: Methods,
  limits: ProgramLimits = PROGRAM_LIMITS,
): Promise<Result<ProgramRan, ProgramFault>> {
  const purse = `pay_${crypto.randomUUID().replaceAll("-", "")}`;
  const guarded = guardLoops(code, purse);
  if (!guarded.ok) return fail({ ...guarded.fault, calls: [] });
  const meter = new Meter(methods, limits.calls);
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    const child = loader.load({
      compatibilityDate: COMPATIBILITY_DATE,
      mainModule: "program.js",
      modules: { "program.js": programModule(guarded.value, purse, limits) },
      // Left out, the child would inherit this Worker's network.
      globalOutbound: null,
      env: {},
      limits: { cpuMs: limits.cpuMs, subRequests: limits.calls },
    });
    const late = new Promise<"late">((resolve) => {
      timer = setTimeout(() => resolve("late"), limits.wallMs);
    });
    const entrypoint = child.getEntrypoint() as unknown as ProgramEntrypoint;
    const said = await Promise.race([entrypoint.run(meter), late]);
    if (said === "late") return meter.fault("too-long", `it did not end within ${limits.wallMs} ms`);
    if (meter.exhausted) return meter.fault("too-many-calls", `it made more than ${limits.calls} calls`);
    const ran = Ran.safeParse(said);
    if (!ran.success) return meter.fault("threw", "it replaced what runs it");
    if (!ran.data.ok)
      return meter.fault(ran.data.error.includes(STEPS_SPENT) ? "too-long" : "threw", ran.data.error);
    return pass({ result: cut(ran.data.text, limits.resultCharacters), calls: meter.calls });
  } catch (thrown) {
    // workerd ends a request that waits for something nothing will ever settle, well before our clock does.
    const hung = /never generate a response|hung/.test(messageOf(thrown));
    return hung
      ? meter.fault("too-long", "it waits for something that never comes")
      : meter.fault("not-loaded", messageOf(thrown));
  } finally {
    clearTimeout(timer);
    meter.close();
  }
}

type ProgramEntrypoint = { run(methods: Meter): Promise<unknown> };

/** What the child answers. Its code shares a realm with the model's, so nothing about it is taken on trust. */
const Ran = z.discriminatedUnion("ok", [
  z.object({ ok: z.literal(true), text: z.string() }),
  z.object({ ok: z.literal(false), error: z.string() }),
]);

function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most)}\n[cut: ${text.length - most} more characters; return less]`;
}

const STEPS_SPENT = "the program took too many steps";

/** The only object the child holds. It counts, checks and closes; the methods behind it never see a bad argument. */
class Meter extends RpcTarget {
  readonly #methods: Methods;
  readonly #limit: number;
  readonly #calls: string[] = [];
  #count = 0;
  #closed = false;

  constructor(methods: Methods, limit: number) {
    super();
    this.#methods = methods;
    this.#limit = limit;
  }

  get calls(): readonly string[] {
    return this.#calls;
  }

  get exhausted(): boolean {
    return this.#count > this.#limit;
  }

  close(): void {
    this.#closed = true;
  }

  fault(why: ProgramFault["why"], detail: string): { ok: false; fault: ProgramFault } {
    return fail({ why, detail: detail.slice(0, 2_000), calls: this.calls });
  }

  /** Called from the child. Answers faults as data, so that no stack of ours crosses over. */
  async call(name: unknown, input: unknown): Promise<{ value: unknown } | { error: string }> {
    if (this.#closed) return { error: "the program has ended" };
    // Before anything is parsed or kept: a flood of calls must cost the host next to nothing.
    if (++this.#count > this.#limit) return { error: "too many calls" };
    if (typeof name !== "string" || !isMethod(name)) {
      return { error: `there is no repo.${String(name)}; there are ${Object.keys(METHODS).join(", ")}` };
    }
    const parsed = METHODS[name].input.safeParse(input ?? {});
    if (!parsed.success) {
      const issue = parsed.error.issues[0];
      return {
        error: `repo.${name}: ${issue?.path.map(String).join(".") || "its argument"}: ${issue?.message}`,
      };
    }
    this.#calls.push(`${name}(${JSON.stringify(parsed.data).slice(0, 200)})`);
    try {
      const method = this.#methods[name] as (input: unknown) => Promise<unknown>;
      return { value: await method(parsed.data) };
    } catch (thrown) {
      return { error: `repo.${name}: ${messageOf(thrown).slice(0, 500)}` };
    }
  }
}

/**
 * The module the child runs. The program is a function in it, so whatever it must not change has a name it cannot know.
 * Calls over the limit end in the child: thousands that wait for their answers would hold up the host's whole process.
 */
function programModule(program: string, purse: string, limits: ProgramLimits): string {
  return `import { WorkerEntrypoint } from "cloudflare:workers";
let ${purse}_left = ${limits.steps};
let ${purse}_calls = 0;
const ${purse} = () => { if (--${purse}_left < 0) throw new Error(${JSON.stringify(STEPS_SPENT)}); };
const show = (value) => {
  if (typeof value === "string") return value;
  try { return JSON.stringify(value, undefined, 1) ?? String(value); } catch { return String(value); }
};
export default class extends WorkerEntrypoint {
  async run(methods) {
    // Taken before any of the program runs: what it does to prototypes afterwards is not on the way of a call.
    const call = methods.call;
    const printed = [];
    const print = (...values) => { if (printed.length < 200) printed.push(values.map(show).join(" ")); };
    const repo = new Proxy({}, { get: (_, name) => async (input) => {
      // One more than the limit is sent, so that the host knows.
      if (++${purse}_calls > ${limits.calls + 1}) throw new Error("too many calls");
      const answer = await call(name, input);
      if ("error" in answer) throw new Error(answer.error);
      return answer.value;
    }});
    try {
      const value = await program(repo, { log: print, error: print, warn: print, info: print });
      const text = [...printed, value === undefined ? "" : show(value)].filter(Boolean).join("\\n");
      return { ok: true, text: text || "(the program returned nothing)" };
    } catch (thrown) {
      const said = thrown instanceof Error ? thrown.name + ": " + thrown.message : "it threw " + show(thrown);
      return { ok: false, error: [...printed, said].join("\\n") };
    }
  }
}
${program}
`;
}
