/**
 * The Messages API's errors. Shape and types from the public API reference ("Errors"):
 * `{"type":"error","error":{"type","message"},"request_id"}`, the id also in the `request-id` header.
 */
export type AnthropicError = { readonly status: number; readonly type: string; readonly message: string };

const BY_STATUS: Readonly<Record<number, { type: string; message: string }>> = {
  400: { type: "invalid_request_error", message: "Error" },
  401: { type: "authentication_error", message: "invalid x-api-key" },
  402: {
    type: "billing_error",
    message:
      "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.",
  },
  403: {
    type: "permission_error",
    message: "Your API key does not have permission to use the specified resource.",
  },
  404: { type: "not_found_error", message: "Not found" },
  413: { type: "request_too_large", message: "Request exceeds the maximum size" },
  429: {
    type: "rate_limit_error",
    message: "This request would exceed your organization's rate limit. Please try again later.",
  },
  500: { type: "api_error", message: "Internal server error" },
  504: { type: "timeout_error", message: "Request timed out" },
  529: { type: "overloaded_error", message: "Overloaded" },
};

/** The error a status has when nothing more is known; `api_error` for statuses the API does not name. */
export function errorOfStatus(status: number): AnthropicError {
  return {
    status,
    ...(BY_STATUS[status] ?? {
      type: status >= 500 ? "api_error" : "invalid_request_error",
      message: "Error",
    }),
  };
}

export function invalidRequest(message: string): AnthropicError {
  return { status: 400, type: "invalid_request_error", message };
}

export function errorBody(error: AnthropicError, requestId: string) {
  return { type: "error", error: { type: error.type, message: error.message }, request_id: requestId };
}
