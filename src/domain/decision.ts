/** What is done with an event, and the name of every "no". */

/**
 * Reasons to leave an event alone, each one a word that people can ask for.
 * - `no-mention`: the text does not mention the App where GitHub would render a mention
 * - `own-event`: the App itself did it; answering ourselves is how bots loop
 * - `bot-sender`: another App or bot did it; a name that ends in [bot] proves nothing, so none is trusted yet
 * - `not-the-author`: the sender did not write the text, as when someone transfers an issue: whoever may write here has
 *   not said it, and whoever said it may not write here
 * - `permission-…`: the sender may not write to the repository (asked of GitHub, not read from the payload)
 */
export type Refusal =
  | "no-mention"
  | "own-event"
  | "bot-sender"
  | "not-the-author"
  | `permission-${"none" | "read" | "unknown"}`;

/** `ask`: answer, or change if the model proposes one. The other kinds come with their triggers. */
export type RequestKind = "ask";

export type Decision =
  | {
      readonly act: true;
      readonly kind: RequestKind;
      readonly because: "mention";
      /** The words of the person without the mention; "" for a bare mention. */
      readonly instruction: string;
      /** From the signed body alone, so that a replay under a new GUID starts nothing. */
      readonly triggerKey: string;
    }
  | { readonly act: false; readonly because: Refusal };
