/** Repository roles of people, from least to most, and how GitHub's API words them. */

const ROLES = ["none", "read", "triage", "write", "maintain", "admin"] as const;
export type Role = (typeof ROLES)[number];

/** True when `role` includes all that `least` may do. */
export function atLeast(role: Role, least: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(least);
}

/** The legacy `permission` word: GitHub REST maps triage to read and maintain to write; `role_name` keeps the role. */
export function legacyPermission(role: Role): "none" | "read" | "write" | "admin" {
  if (role === "triage") return "read";
  if (role === "maintain") return "write";
  return role;
}

/** The `permissions` object of repository and user answers. */
export function permissionFlags(
  role: Role,
): Record<"admin" | "maintain" | "push" | "triage" | "pull", boolean> {
  return {
    admin: role === "admin",
    maintain: atLeast(role, "maintain"),
    push: atLeast(role, "write"),
    triage: atLeast(role, "triage"),
    pull: atLeast(role, "read"),
  };
}
