/**
 * The local world: everything real except GitHub's and the model provider's servers, which are local and speak their
 * protocols. One call starts it, `close` ends all of it.
 */
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { freePort } from "../engine/free-port.ts";
import { startEngine } from "../engine/host.ts";
import { startGitHub } from "../github/start.ts";
import type { LocalGitHub } from "../github/options.ts";
import type { LocalModel, Scenario } from "../model/server.ts";
import { readAppManifest } from "./app-manifest.ts";
import { agentUserFor } from "./agent-user.ts";
import { bundleTool } from "./bundle-tool.ts";
import { modelProvider } from "./model-provider.ts";
import { ROOT } from "./root.ts";
import { startWorker, type LocalWorker } from "./start-worker.ts";
import { verdictIn } from "./verdict.ts";

export { ROOT };

/** Everyone in the local world, with what they may do in its repositories. */
export const PEOPLE = { ada: "write", max: "maintain", tri: "triage", rob: "read", eve: "none" } as const;
export const BOT = "lint-bot[bot]";

const APP = { id: 4711, clientId: "Iv23liLOCALWORLD" } as const;

export type WorldOptions = {
  readonly scenario?: Scenario;
  /** Ports of GitHub and the Worker; any free ones without. */
  readonly ports?: { readonly github: number; readonly worker: number };
  /** Settings that differ from the working ones: how a test breaks one, or makes waits short. */
  readonly settings?: Readonly<Record<string, string>>;
  /** How the App's private key is given to the Worker; as GitHub hands it out, without. */
  readonly keyForm?: (pem: string) => string;
  readonly log?: (line: string) => void;
  /** Gets what a person has to know before it happens: that a real model, which costs money, is asked. */
  readonly notice?: (line: string) => void;
  /** Ends the start, and takes down what is up by then. A world that is up is ended by `close`. */
  readonly signal?: AbortSignal;
};

export type User = { readonly id: number; readonly login: string; readonly token: string };

export type World = {
  readonly github: LocalGitHub;
  /** Undefined when the real provider is used. */
  readonly model: LocalModel | undefined;
  readonly worker: LocalWorker;
  readonly users: Readonly<Record<string, User>>;
  readonly app: { readonly slug: string; readonly id: number };
  /** Every secret that must not be found anywhere, by name. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Where everything of this world is that is a file; `close` removes it. */
  readonly folder: string;
  /** Where the containers' folders are. */
  readonly boxes: string;
  /** Create a repository that people and the App can use. `files` undefined makes an empty one. */
  addRepository(name: string, files: Readonly<Record<string, string>> | undefined): Promise<WorldRepository>;
  close(): Promise<void>;
};

export type WorldRepository = {
  readonly id: number;
  readonly fullName: string;
  readonly head: string | undefined;
};

/** What the agent's processes run, besides Node. */
const CLI = "container/node_modules/.bin/claude";

export const OWNER = "acme";

export async function startWorld(options: WorldOptions = {}): Promise<World> {
  const root = await makeRoot();
  const closers: (() => Promise<void>)[] = [() => rm(root, { recursive: true, force: true, maxRetries: 5 })];
  const close = async () => {
    const ends = closers.splice(0).reverse();
    const thrown: unknown[] = [];
    // One part that does not end well keeps no other from ending, and the folder is removed last of all.
    for (const end of ends) await end().catch((error: unknown) => thrown.push(error));
    if (thrown.length > 0) throw thrown[0];
  };
  try {
    return await start(root, options, closers, close);
  } catch (thrown) {
    await close();
    throw thrown;
  }
}

/** @throws Error that names the variable to set */
async function makeRoot(): Promise<string> {
  try {
    return await mkdtemp(join(tmpdir(), "patchwright-"));
  } catch (thrown) {
    const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : String(thrown);
    throw new Error(
      `no folder can be made in ${tmpdir()} (${code}); set TMPDIR to a folder that is there and can be written to`,
      { cause: thrown },
    );
  }
}

async function start(
  root: string,
  options: WorldOptions,
  closers: (() => Promise<void>)[],
  close: () => Promise<void>,
): Promise<World> {
  const manifest = await readAppManifest(join(ROOT, "app.yml"));
  // PKCS#1, as GitHub hands keys out.
  const key = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
  });
  const webhookSecret = randomBytes(24).toString("hex");
  // Closed before anything is in them: the folder around them may be opened for the agent's user to walk through.
  for (const folder of ["git", "storage"]) await mkdir(join(root, folder), { mode: 0o700 });
  const github = await startGitHub({
    root: join(root, "git"),
    port: options.ports?.github ?? 0,
    app: {
      ...APP,
      slug: manifest.name,
      name: manifest.name,
      publicKeyPem: key.publicKey,
      webhookSecret,
      permissions: manifest.default_permissions,
      events: manifest.default_events,
    },
    ...(options.log && { log: options.log }),
  });
  closers.push(() => github.close());
  options.signal?.throwIfAborted();
  const users: Record<string, User> = {};
  for (const login of Object.keys(PEOPLE)) users[login] = github.addUser(login, { type: "User" });
  users[BOT] = github.addUser(BOT, { type: "Bot" });

  const provider = await modelProvider({
    env: process.env,
    scenario: options.scenario,
    notice: options.notice,
    signal: options.signal,
  });
  closers.push(async () => provider.local?.close());
  const engineSecret = randomBytes(24).toString("hex");
  const boxes = join(root, "boxes");
  const agentUser = await agentUserFor([ROOT, tmpdir()], [process.execPath, join(ROOT, CLI)]);
  // The way to the containers' folders has to be walked by that user; what else is here stays closed to it.
  if (agentUser !== undefined) await chmod(root, 0o711);
  const engine = await startEngine({
    root: boxes,
    secret: engineSecret,
    toolCommand: [process.execPath, await bundleTool(ROOT, root)],
    daemonCommand: [process.execPath, join(ROOT, "container/daemon/main.ts")],
    path: processPath(),
    ...(agentUser && { agentUser }),
    ...(options.log && { log: options.log }),
  });
  closers.push(() => engine.close());
  options.signal?.throwIfAborted();

  const secrets = {
    GITHUB_PRIVATE_KEY: key.privateKey,
    GITHUB_WEBHOOK_SECRET: webhookSecret,
    ANTHROPIC_API_KEY: provider.apiKey,
  };
  const worker = await startWorker({
    root: ROOT,
    storage: join(root, "storage"),
    port: options.ports?.worker ?? (await freePort()),
    controlSecret: engineSecret,
    log: (line) => {
      const verdict = verdictIn(line);
      if (verdict !== undefined) options.log?.(verdict);
    },
    signal: options.signal,
    vars: {
      GITHUB_APP_ID: String(APP.id),
      GITHUB_APP_SLUG: manifest.name,
      GITHUB_API_URL: github.apiUrl,
      GITHUB_WEB_URL: github.url,
      ANTHROPIC_BASE_URL: provider.url,
      LOCAL_ENGINE_URL: engine.url,
    },
    secrets: {
      ...secrets,
      GITHUB_PRIVATE_KEY: options.keyForm?.(key.privateKey) ?? key.privateKey,
      LOCAL_ENGINE_SECRET: engineSecret,
      ...options.settings,
    },
  });
  closers.push(() => worker.close());
  github.setWebhookUrl(`${worker.url}/webhook`);

  const addRepository = async (name: string, files: Readonly<Record<string, string>> | undefined) => {
    const added = await github.addRepository({
      owner: OWNER,
      name,
      ownerType: "Organization",
      ...(files && { files }),
    });
    for (const [login, role] of Object.entries(PEOPLE)) github.setPermission(added.fullName, login, role);
    github.install([added.fullName]);
    return { id: added.id, fullName: added.fullName, head: added.head };
  };
  const app = { slug: manifest.name, id: APP.id };
  return {
    github,
    model: provider.local,
    worker,
    users,
    app,
    secrets,
    folder: root,
    boxes,
    addRepository,
    close,
  };
}

/** Node 24, the agents' command lines, and the machine's own git and shell. */
function processPath(): string[] {
  const own = [
    dirname(process.execPath),
    join(ROOT, "container/node_modules/.bin"),
    join(ROOT, "node_modules/.bin"),
  ];
  const machine = (process.env["PATH"] ?? "")
    .split(delimiter)
    .filter((folder) => !folder.includes("node_modules"));
  return [...own, ...machine];
}
