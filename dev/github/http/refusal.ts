/**
 * Every way the API says no, in GitHub's words. A route throws one, the server turns it into a response: the only
 * exception that crosses this code on purpose.
 */

type FieldError = {
  readonly resource: string;
  readonly code: "missing" | "missing_field" | "invalid" | "already_exists" | "unprocessable" | "custom";
  readonly field?: string;
  readonly message?: string;
  readonly value?: unknown;
};

export class Refusal extends Error {
  readonly status: number;
  readonly errors: readonly (FieldError | string)[] | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Further fields of the body, such as `url` of a moved repository. */
  readonly more: Readonly<Record<string, unknown>>;

  constructor(
    status: number,
    message: string,
    extra: {
      readonly errors?: readonly (FieldError | string)[];
      readonly headers?: Readonly<Record<string, string>>;
      readonly more?: Readonly<Record<string, unknown>>;
    } = {},
  ) {
    super(message);
    this.name = "Refusal";
    this.status = status;
    this.errors = extra.errors;
    this.headers = extra.headers ?? {};
    this.more = extra.more ?? {};
  }
}

export function notFound(): Refusal {
  return new Refusal(404, "Not Found");
}

export function badCredentials(): Refusal {
  return new Refusal(401, "Bad credentials");
}

export function requiresAuthentication(): Refusal {
  return new Refusal(401, "Requires authentication");
}

/** 422 "Validation Failed" with one error per field. */
export function validationFailed(...errors: readonly FieldError[]): Refusal {
  return new Refusal(422, "Validation Failed", { errors });
}

/** 422 with a message of its own. */
export function unprocessable(message: string): Refusal {
  return new Refusal(422, message);
}

/** 403 for a token without the permission; the header names what would do: `;` between ways, `,` within one. */
export function notByIntegration(accepted?: string): Refusal {
  return new Refusal(403, "Resource not accessible by integration", {
    headers: accepted === undefined ? {} : { "X-Accepted-GitHub-Permissions": accepted },
  });
}

export function emptyRepository(): Refusal {
  return new Refusal(409, "Git Repository is empty.");
}

export function movedPermanently(url: string): Refusal {
  return new Refusal(301, "Moved Permanently", { headers: { Location: url }, more: { url } });
}
