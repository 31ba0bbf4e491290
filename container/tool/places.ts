/**
 * Where the container's programs keep things, and as whom the agent works. The folders are the image's; the local
 * engine sets them by environment. Nothing else of the environment decides where a file goes.
 */
import { WORKSPACE } from "../../src/domain/container-protocol.ts";

/** An unprivileged user, by number: the image's passwd file is not asked. */
type User = { readonly uid: number; readonly gid: number };

export type Places = {
  /** The agent's folder. The agent may do anything inside it at any time. */
  readonly workspace: string;
  /** Ours alone (mode 0700): the base commit's repository and what was checked out. */
  readonly state: string;
  /** Who owns the workspace. Absent when the program's own user does: outside the image. */
  readonly agent?: User;
};

/** Read PATCHWRIGHT_WORKSPACE, PATCHWRIGHT_STATE and PATCHWRIGHT_AGENT_UID/GID. The ids count only for root. */
export function placesFrom(env: Readonly<Record<string, string | undefined>>, ownUid: number): Places {
  const folders = {
    workspace: env["PATCHWRIGHT_WORKSPACE"] ?? WORKSPACE,
    state: env["PATCHWRIGHT_STATE"] ?? "/var/lib/patchwright",
  };
  const uid = Number(env["PATCHWRIGHT_AGENT_UID"] ?? Number.NaN);
  const gid = Number(env["PATCHWRIGHT_AGENT_GID"] ?? uid);
  if (ownUid !== 0 || !Number.isInteger(uid) || !Number.isInteger(gid) || uid <= 0 || gid <= 0)
    return folders;
  return { ...folders, agent: { uid, gid } };
}

/** The places of this process. */
export function ownPlaces(): Places {
  return placesFrom(process.env, process.getuid?.() ?? -1);
}
