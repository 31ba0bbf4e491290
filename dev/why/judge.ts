/** What would be done with one delivery: the Worker's own reading and deciding, without its door and its storage. */
import { z } from "zod";
import { parseConfig, type ConfigFault } from "../../src/config/parse.ts";
import { decide } from "../../src/triggers/decide.ts";
import { refusePermission } from "../../src/triggers/permission.ts";
import { readPayload } from "../../src/webhooks/read-event.ts";

export const Level = z.enum(["admin", "maintain", "write", "triage", "read", "none"]);

export type Delivery = {
  /** The X-GitHub-Event header. */
  readonly event: string;
  readonly payload: unknown;
  /** The sender's, in the repository. */
  readonly permission: z.infer<typeof Level>;
  /** The text of .github/patchwright.yml. */
  readonly config?: string;
};

export type Verdict = {
  readonly act: boolean;
  readonly kind?: string;
  readonly because: string;
  /** Where a payload does not fit its event. */
  readonly key?: string;
  readonly instruction?: string;
  /** What is wrong with the config; the defaults hold then. */
  readonly config?: readonly ConfigFault[];
};

/** GitHub's API says write for maintain and read for triage. */
const GRANTS = {
  admin: "admin",
  maintain: "write",
  write: "write",
  triage: "read",
  read: "read",
  none: "none",
} as const;

/** @param slug the App's own, which is mentioned and never answered */
export function judge(delivery: Delivery, slug: string): Verdict {
  const verdict = verdictOn(delivery, slug);
  const config = parseConfig(delivery.config);
  return config.ok ? verdict : { ...verdict, config: config.fault };
}

function verdictOn({ event: name, payload, permission }: Delivery, slug: string): Verdict {
  const event = readPayload({ id: "00000000-0000-0000-0000-000000000000", name }, withInstallation(payload));
  if (!event.ok) {
    const { fault } = event;
    return { act: false, because: fault.why, ...("key" in fault && { key: fault.key }) };
  }
  if ("unhandled" in event.value) return { act: false, because: "event-not-handled" };
  const decision = decide(event.value, { slug });
  if (!decision.act) return { act: false, because: decision.because };
  const refusal = refusePermission(GRANTS[permission]);
  if (refusal !== undefined) return { act: false, because: refusal };
  const { kind, because, instruction } = decision;
  return { act: true, kind, because, instruction };
}

/** Deliveries to an App name its installation; the payloads that documentation shows often do not. */
function withInstallation(payload: unknown): unknown {
  if (typeof payload !== "object" || payload === null || "installation" in payload) return payload;
  return { ...payload, installation: { id: 1 } };
}
