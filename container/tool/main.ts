/**
 * The tool: what the Worker executes in a container. `tool SUBCOMMAND`, one JSON document on standard input, one
 * `ToolAnswer` on standard output. It exits 0 with an answer; any other exit is a defect of ours or a kill.
 *
 * It takes nothing from the checkout on trust: not its git folder, its configuration, its links or its names.
 */
import type { ToolCalls } from "../../src/domain/container-protocol.ts";
import { applyChanges } from "./apply.ts";
import { checkOut } from "./checkout.ts";
import { exportChanges } from "./export.ts";
import { faultOf, refuse } from "./faults.ts";
import { applyInput, checkoutInput, exportInput, runInput } from "./input.ts";
import { ownPlaces } from "./places.ts";
import { runCommand } from "./run.ts";
import { readInput, writeAnswer } from "./stdio.ts";

type Subcommands = { [Name in keyof ToolCalls]: (input: unknown) => Promise<ToolCalls[Name]["output"]> };

const places = ownPlaces();
const subcommands: Subcommands = {
  checkout: (input) => checkOut(places, checkoutInput(input)),
  export: async (input) => exportChanges(places, exportInput(input)),
  apply: async (input) => applyChanges(places, applyInput(input)),
  run: (input) => runCommand(places, runInput(input)),
};

function isSubcommand(name: string | undefined): name is keyof ToolCalls {
  return name !== undefined && Object.hasOwn(subcommands, name);
}

try {
  const name = process.argv[2];
  if (!isSubcommand(name)) refuse("bad-input", `no subcommand ${name ?? "given"}`);
  await writeAnswer({ ok: true, value: await subcommands[name](await readInput(process.stdin)) });
} catch (thrown) {
  const fault = faultOf(thrown);
  if (fault === undefined) throw thrown;
  await writeAnswer({ ok: false, fault });
}
