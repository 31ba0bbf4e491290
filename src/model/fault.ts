/** What can go wrong between us and the model's provider. report/ has the texts for people. */

export type ModelFault = {
  /**
   * - `overloaded`: 429 or 529 that outlasted the client's own retries, worth another try later
   * - `unavailable`: 5xx, a broken stream, or no answer
   * - `rejected-key`: the provider does not take our key
   * - `rejected-request`: 400 and its kin: retrying changes nothing
   */
  readonly why: "overloaded" | "unavailable" | "rejected-key" | "rejected-request";
  readonly status: number;
  /** For the log: the provider's words, never a header. */
  readonly detail: string;
};

/** Whether the same request can succeed later. */
export function isTransient(fault: ModelFault): boolean {
  return fault.why === "overloaded" || fault.why === "unavailable";
}
