/** What the model may do in one turn, in no provider's words. */

/** Ways in which a provider can fail. `silence` alone is no failure: the stream opens, is still, then goes on. */
export type Failure =
  | { readonly kind: "status"; readonly status: number }
  | { readonly kind: "cut" }
  | { readonly kind: "error-event" }
  | { readonly kind: "silence"; readonly seconds: number };

export type Reply =
  | { readonly say: string }
  | { readonly call: { readonly tool: string; readonly input: unknown }; readonly say?: string }
  | { readonly fail: Failure };

/** A reply that has content: what a failing stream breaks off, and what every other turn sends whole. */
export type Content = {
  readonly say?: string;
  /** `tag` is woven into the call's id, so that the next request tells which directive it obeyed. */
  readonly call?: { readonly tool: string; readonly input: unknown; readonly tag: string };
};

/** What the protocol files carry out. */
export type Plan = {
  readonly waitMs: number;
  readonly outcome:
    | { readonly kind: "status"; readonly status: number }
    | {
        readonly kind: "content";
        readonly content: Content;
        readonly silenceMs: number;
        readonly breakage: "cut" | "error-event" | undefined;
      };
};
