/**
 * One "container": a folder, a main process in its own process group, and a proxy as its only configured way out.
 * It is gone when its main process ends or when it is destroyed; what it started ends with it, and so does its folder.
 */
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { chmodSync, chownSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startEgressProxy } from "./egress-proxy.ts";
import type { EgressProxy } from "./egress-proxy.ts";
import { DAEMON_PORT, foldersIn, processEnvironment, withoutHarness } from "./environment.ts";
import type { Folders, Setting } from "./environment.ts";
import { exitCodeOf } from "./exit-code.ts";
import { freePort } from "./free-port.ts";
import { MARK_FILE, removeBox } from "./remove-box.ts";
import type { EngineOptions, StartOrder } from "./settings.ts";
import type { Keeper } from "./start-keeper.ts";
import { waitForPort } from "./wait-for-port.ts";
import { signalGroup } from "../../container/tool/leftovers.ts";

/** Between the polite signal and the other one. */
const GRACE_MS = 1000;

export type Status = {
  readonly id: string;
  readonly running: boolean;
  /** Of the last main process; 128 + n when signal n ended it. */
  readonly exitCode: number | null;
  readonly labels: Readonly<Record<string, string>>;
  readonly image: string;
};

type Parts = {
  readonly id: string;
  readonly order: StartOrder;
  readonly setting: Setting;
  readonly child: ChildProcess;
  /** From the container's ports to this machine's. */
  readonly ports: ReadonlyMap<number, number>;
  readonly proxy: EgressProxy;
  readonly keeper: Keeper;
};

export class Box {
  readonly id: string;
  readonly folders: Folders;
  /** Resolves with the exit code once the process and all that was its own are gone. */
  readonly exited: Promise<number>;
  readonly #parts: Parts;
  #exitCode: number | null = null;
  #lastUsed = performance.now();
  #users = 0;
  #idleTimer: NodeJS.Timeout | undefined;
  #ending = false;
  #listening: Promise<void> | undefined;

  constructor(parts: Parts) {
    this.id = parts.id;
    this.folders = parts.setting.folders;
    this.#parts = parts;
    this.exited = this.#cleanUp();
  }

  async #cleanUp(): Promise<number> {
    const { child, setting, proxy, keeper } = this.#parts;
    const code = await exitOf(child);
    this.#ending = true;
    this.#exitCode = code;
    clearTimeout(this.#idleTimer);
    signalGroup(child.pid, "SIGKILL");
    await removeBox(setting.folders.root, setting.mark);
    keeper.release(setting.mark);
    await proxy.close();
    return code;
  }

  get status(): Status {
    const { labels, image } = this.#parts.order;
    return { id: this.id, running: !this.#ending, exitCode: this.#exitCode, labels, image };
  }

  /** The environment of a command executed in it. */
  environment(asked: Readonly<Record<string, string>>): Record<string, string> {
    return processEnvironment(this.#parts.setting, { ...withoutHarness(this.#parts.order.env), ...asked });
  }

  /** The port on this machine that stands for the container's `port`. */
  hostPort(port: number): number | undefined {
    return this.#parts.ports.get(port);
  }

  /** Resolves when a port of this machine that is this container's listens, or is no longer waited for. */
  listening(hostPort: number): Promise<void> {
    this.#listening ??= waitForPort(hostPort, () => this.#ending);
    return this.#listening;
  }

  /** Signal the main process's group, as a container's init passes signals on. */
  signal(signal: NodeJS.Signals): void {
    if (!this.#ending) signalGroup(this.#parts.child.pid, signal);
  }

  /** End it. Resolves when nothing is left. */
  async destroy(): Promise<void> {
    this.signal("SIGTERM");
    const timer = setTimeout(() => this.signal("SIGKILL"), GRACE_MS);
    await this.exited;
    clearTimeout(timer);
  }

  /** Something uses the container now; call the result when it no longer does. */
  use(): () => void {
    this.#users += 1;
    this.#lastUsed = performance.now();
    let over = false;
    return () => {
      if (over) return;
      over = true;
      this.#users -= 1;
      this.#lastUsed = performance.now();
    };
  }

  /** Destroy the container once nothing has used it for `ms`. Each call replaces the one before. */
  endAfterIdle(ms: number): void {
    clearTimeout(this.#idleTimer);
    if (this.#ending) return;
    const idle = this.#users > 0 ? 0 : performance.now() - this.#lastUsed;
    this.#idleTimer = setTimeout(
      () => {
        if (this.#users === 0 && performance.now() - this.#lastUsed >= ms) void this.destroy();
        else this.endAfterIdle(ms);
      },
      Math.max(10, ms - idle),
    );
  }
}

/** The agent's own folders are its own, the way to them can be walked, and what is ours stays closed. */
function giveToAgent(folders: Folders, { uid, gid }: { readonly uid: number; readonly gid: number }): void {
  chmodSync(folders.root, 0o711);
  for (const folder of [folders.workspace, folders.home, folders.tmp]) chownSync(folder, uid, gid);
}

/** Make the folders, the proxy and the main process. Rejects when the process cannot be started. */
export async function startBox(
  options: EngineOptions,
  keeper: Keeper,
  id: string,
  order: StartOrder,
): Promise<Box> {
  const folders = foldersIn(join(options.root, id));
  const mark = randomUUID();
  await removeBox(folders.root, undefined);
  for (const folder of [folders.workspace, folders.state, folders.home, folders.tmp]) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  }
  if (options.agentUser !== undefined) giveToAgent(folders, options.agentUser);
  writeFileSync(join(folders.root, MARK_FILE), mark);
  keeper.keep(mark, folders.root);
  const used = { call: (): void => undefined };
  const proxy = await startEgressProxy({
    container: id,
    callbackUrl: order.callbackUrl,
    secret: options.secret,
    used: () => used.call(),
  });
  const asked = order.env[DAEMON_PORT];
  const ports =
    asked === undefined ? new Map<number, number>() : new Map([[Number(asked), await freePort()]]);
  const setting = { folders, path: options.path, proxyUrl: proxy.url, mark, agentUser: options.agentUser };
  const own = { ...order.env };
  for (const [, port] of ports) own[DAEMON_PORT] = String(port);
  const [file = "", ...args] = order.entrypoint ?? options.daemonCommand;
  const child = spawn(file, args, {
    cwd: folders.workspace,
    env: processEnvironment(setting, own),
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  try {
    await new Promise<void>((resolve, reject) => child.once("spawn", resolve).once("error", reject));
  } catch (thrown) {
    await proxy.close();
    await removeBox(folders.root, mark);
    keeper.release(mark);
    throw thrown;
  }
  for (const stream of [child.stdout, child.stderr]) {
    stream
      .setEncoding("utf8")
      .on("data", (text: string) => options.log?.(`${id.slice(0, 8)} ${text.trimEnd()}`));
  }
  const box = new Box({ id, order, setting, child, ports, proxy, keeper });
  used.call = () => box.use()();
  return box;
}

function exitOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    child.once("exit", (code, signal) => resolve(exitCodeOf(code, signal)));
  });
}
