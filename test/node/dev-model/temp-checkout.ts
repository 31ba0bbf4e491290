/** The demo's repository as a folder, and Node's test runner in it. Both go when the test is over. */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { readDemoRepository } from "../../../dev/demo-repository.ts";
import { commandOutput, readTestRun, type TestRun } from "../../../dev/model/demo-output.ts";

/** A PATH on which `node` and `npm` are the ones this test runs with. */
export const PATH = [dirname(process.execPath), process.env["PATH"] ?? ""].join(delimiter);

export async function tempFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "dev-model-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export async function tempCheckout(): Promise<string> {
  const folder = await tempFolder();
  for (const [path, text] of Object.entries(await readDemoRepository())) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}

/** A command's output, both streams, whatever its exit code. */
export function run(command: string, args: string[], cwd: string): Promise<string> {
  // Without NODE_TEST_CONTEXT and the runner's own variables: they would change what the inner runner prints.
  const env = { PATH, HOME: cwd, npm_config_update_notifier: "false" };
  return new Promise((resolve) => {
    execFile(command, args, { cwd, env }, (_error, out, err) => resolve(out + err));
  });
}

export async function runDemoTests(folder: string): Promise<TestRun | undefined> {
  return readTestRun(commandOutput(await run(process.execPath, ["--test"], folder)));
}
