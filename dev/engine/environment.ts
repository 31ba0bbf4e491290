/**
 * The environment of a container's processes: an allow list, never this process's own. A developer's ANTHROPIC_API_KEY,
 * GITHUB_TOKEN or NODE_OPTIONS stay where they are.
 */
import { join } from "node:path";

/** Marks every process of a container, so that those which left its process group are found at the end. */
export const CONTAINER_MARK = "PATCHWRIGHT_CONTAINER";

/** The harness says where its daemon listens by this name; the engine answers with a free port of its own choice. */
export const DAEMON_PORT = "CF_HARNESS_PORT";

export type Folders = {
  readonly root: string;
  readonly workspace: string;
  readonly state: string;
  readonly home: string;
  readonly tmp: string;
};

export function foldersIn(root: string): Folders {
  return {
    root,
    workspace: join(root, "workspace"),
    state: join(root, "state"),
    home: join(root, "home"),
    tmp: join(root, "tmp"),
  };
}

export type Setting = {
  readonly folders: Folders;
  readonly path: readonly string[];
  readonly proxyUrl: string;
  readonly mark: string;
  readonly agentUser: { readonly uid: number; readonly gid: number } | undefined;
};

/** `asked` first, so that it cannot move the folders, the proxy or the mark. */
export function processEnvironment(
  setting: Setting,
  asked: Readonly<Record<string, string>>,
): Record<string, string> {
  const { folders, path, proxyUrl, mark, agentUser } = setting;
  return {
    LANG: "C.UTF-8",
    ...asked,
    PATH: path.join(":"),
    HOME: folders.home,
    TMPDIR: folders.tmp,
    PATCHWRIGHT_WORKSPACE: folders.workspace,
    PATCHWRIGHT_STATE: folders.state,
    PATCHWRIGHT_HOMES: join(folders.home, "sessions"),
    ...(agentUser && {
      PATCHWRIGHT_AGENT_UID: String(agentUser.uid),
      PATCHWRIGHT_AGENT_GID: String(agentUser.gid),
    }),
    [CONTAINER_MARK]: mark,
    http_proxy: proxyUrl,
    HTTP_PROXY: proxyUrl,
    // The proxy refuses CONNECT by name, which reads better than a host that does not resolve.
    https_proxy: proxyUrl,
    HTTPS_PROXY: proxyUrl,
    // A test's own server on this machine is no traffic to the outside, as in a container.
    no_proxy: "localhost,127.0.0.1,::1",
    NO_PROXY: "localhost,127.0.0.1,::1",
  };
}

/** What a command executed in a running container sees of the start's environment: all but the harness's secrets. */
export function withoutHarness(env: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith("CF_HARNESS_")));
}
