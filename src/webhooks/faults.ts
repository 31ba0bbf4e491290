/** Every way a delivery is turned away at the door: one list, one answer for the outside, one line for the log. */

export type WebhookFault =
  | { readonly why: "method"; readonly method: string }
  | { readonly why: "content-type"; readonly contentType: string }
  | { readonly why: "header-missing"; readonly header: string }
  | { readonly why: "header-malformed"; readonly header: string }
  | { readonly why: "body-too-large"; readonly limit: number }
  | { readonly why: "body-unreadable" }
  | { readonly why: "signature-mismatch" }
  | { readonly why: "not-json" }
  | { readonly why: "body-does-not-fit-event"; readonly event: string; readonly key: string }
  | { readonly why: "not-configured"; readonly setting: string; readonly mend: string }
  | { readonly why: "not-stored" };

/** The status the sender sees. 5xx only where sending the same delivery again can succeed. */
export function publicStatus(fault: WebhookFault): 400 | 401 | 405 | 413 | 415 | 503 {
  switch (fault.why) {
    case "method":
      return 405;
    case "content-type":
      return 415;
    case "body-too-large":
      return 413;
    case "signature-mismatch":
      return 401;
    case "not-configured":
    case "not-stored":
      return 503;
    case "header-missing":
    case "header-malformed":
    case "body-unreadable":
    case "not-json":
    case "body-does-not-fit-event":
      return 400;
  }
}

/** What the sender may know. It is shown on the App's page of recent deliveries, so it says how to mend it. */
export function publicText(fault: WebhookFault): string {
  switch (fault.why) {
    case "method":
      return "Webhooks are POSTed here.";
    case "content-type":
      return "Set the webhook's content type to application/json.";
    case "header-missing":
      return `The ${fault.header} header is missing.`;
    case "header-malformed":
      return `The ${fault.header} header is not in the form GitHub sends.`;
    case "body-too-large":
      return `The body is larger than ${fault.limit} bytes, which GitHub never sends.`;
    case "body-unreadable":
      return "The body ended early.";
    case "signature-mismatch":
      return "The signature does not match. The App's webhook secret and GITHUB_WEBHOOK_SECRET must be the same.";
    case "not-json":
      return "The body is not JSON.";
    case "body-does-not-fit-event":
      return `The body does not have the shape of ${fault.event} (at ${fault.key}).`;
    case "not-configured":
      return `${fault.setting}: ${fault.mend}`;
    case "not-stored":
      return "The delivery could not be stored. Redeliver it.";
  }
}
