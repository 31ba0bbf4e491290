/** OpenAI's errors: `{"error":{"message","type","param","code"}}`, types and codes from the public error guide. */
export type OpenaiError = {
  readonly status: number;
  readonly type: string;
  readonly param: string | null;
  readonly code: string | null;
  readonly message: string;
};

const BY_STATUS: Readonly<Record<number, Omit<OpenaiError, "status" | "param">>> = {
  // The API quotes the key, masked; this server quotes none of it.
  401: { type: "invalid_request_error", code: "invalid_api_key", message: "Incorrect API key provided." },
  403: {
    type: "invalid_request_error",
    code: "unsupported_country_region_territory",
    message: "Country, region, or territory not supported",
  },
  429: { type: "requests", code: "rate_limit_exceeded", message: "Rate limit reached for requests" },
  500: {
    type: "server_error",
    code: "server_error",
    message: "The server had an error processing your request. Sorry about that!",
  },
  503: {
    type: "service_unavailable_error",
    code: "server_is_overloaded",
    message: "Our servers are currently overloaded. Please try again later.",
  },
};

export function errorOfStatus(status: number): OpenaiError {
  const named = BY_STATUS[status] ?? {
    type: status >= 500 ? "server_error" : "invalid_request_error",
    code: null,
    message: "Error",
  };
  return { status, param: null, ...named };
}

export function invalidRequest(
  message: string,
  param: string | null,
  code: string | null = null,
): OpenaiError {
  return { status: 400, type: "invalid_request_error", param, code, message };
}

export function errorBody({ message, type, param, code }: OpenaiError) {
  return { error: { message, type, param, code } };
}
