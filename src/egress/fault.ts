/** What Egress refuses, by name. The container sees the text; the log and the request's record keep the name. */

export type EgressFault =
  | { readonly why: "host-not-allowed"; readonly host: string }
  | { readonly why: "method-not-allowed"; readonly method: string; readonly path: string }
  | { readonly why: "path-not-allowed"; readonly path: string }
  | { readonly why: "push-refused" }
  | { readonly why: "body-unreadable" }
  | { readonly why: "model-not-allowed"; readonly model: string }
  | { readonly why: "hosted-tool"; readonly tool: string }
  | { readonly why: "body-too-large"; readonly limit: number };

/** The answer to the container: plain text, so that it shows up in whatever tool asked. */
export function refusal(fault: EgressFault): Response {
  return new Response(`${refusalText(fault)}\n`, {
    status: fault.why === "body-too-large" ? 413 : 403,
    headers: { "content-type": "text/plain; charset=utf-8", "x-patchwright-refused": fault.why },
  });
}

export function refusalText(fault: EgressFault): string {
  switch (fault.why) {
    case "host-not-allowed":
      return `Patchwright: this run may not reach ${fault.host}.`;
    case "method-not-allowed":
      return `Patchwright: ${fault.method} ${fault.path} is not allowed.`;
    case "path-not-allowed":
      return `Patchwright: ${fault.path} is not allowed.`;
    case "body-unreadable":
      return "Patchwright: the request's body is not what the provider takes.";
    case "model-not-allowed":
      return `Patchwright: this run may not use the model ${fault.model}.`;
    case "hosted-tool":
      return `Patchwright: what the provider would run or fetch is not allowed (${fault.tool}).`;
    case "push-refused":
      return "Patchwright: nothing can be pushed from here. The files in the workspace are taken as they are.";
    case "body-too-large":
      return `Patchwright: the request is larger than ${fault.limit} bytes.`;
  }
}
