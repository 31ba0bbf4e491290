/** Reading an `AgentOrder` from the text of a harness operation. */
import type { AgentOrder } from "../../src/domain/container-protocol.ts";
import { refuse } from "../tool/faults.ts";
import { checkoutInput } from "../tool/input.ts";

/** Parse one order. Throws a Refusal with bad-input for anything else, so a prompt sent bare never reaches the CLI. */
export function readOrder(text: string): AgentOrder {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refuse("bad-input", "the operation's text is not JSON");
  }
  if (typeof value !== "object" || value === null || !("checkout" in value) || !("prompt" in value)) {
    return refuse("bad-input", "the operation's text is not an order");
  }
  const { checkout, prompt } = value;
  if (typeof prompt !== "string" || prompt.trim() === "")
    return refuse("bad-input", "the order has no prompt");
  return { checkout: checkoutInput(checkout), prompt };
}
