/** Whether the person who asked may have it done. Fails closed: what GitHub does not say is a no. */
import type { Refusal } from "../domain/decision.ts";

/** GitHub's `permission` of a collaborator: `maintain` arrives as write, `triage` as read, custom roles as their base. */
export type PermissionLevel = "admin" | "write" | "read" | "none" | "unknown";

/** Undefined where the person may ask, else the reason. */
export function refusePermission(level: PermissionLevel): Refusal | undefined {
  switch (level) {
    case "admin":
    case "write":
      return undefined;
    case "read":
    case "none":
    case "unknown":
      return `permission-${level}`;
  }
}
