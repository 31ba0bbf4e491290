/** Starting the keeper (keeper.ts) and talking to it. */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

export type Keeper = {
  /** From now on the container is ended when this process is no more. */
  keep(mark: string, folder: string): void;
  /** The container is gone. */
  release(mark: string): void;
  close(): Promise<void>;
};

/** Start a keeper for this process. It gets nothing of the environment but PATH. */
export function startKeeper(): Keeper {
  const program = fileURLToPath(new URL("./keeper.ts", import.meta.url));
  const child = spawn(process.execPath, [program], {
    detached: true,
    env: { PATH: process.env["PATH"] ?? "" },
    stdio: ["pipe", "ignore", "ignore"],
  });
  // Nothing waits for the keeper, and a keeper that could not start costs only its own work.
  child.unref();
  child.on("error", () => undefined);
  child.stdin.on("error", () => undefined);
  const over = new Promise<void>((resolve) =>
    child.on("close", () => resolve()).on("error", () => resolve()),
  );
  return {
    keep(mark, folder) {
      child.stdin.write(`+ ${mark} ${folder}\n`);
    },
    release(mark) {
      child.stdin.write(`- ${mark}\n`);
    },
    async close() {
      child.ref();
      child.stdin.end();
      await over;
    },
  };
}
