/** Request bodies: parsed by a schema, refused in GitHub's words. */
import type { z } from "zod";
import { Refusal, unprocessable } from "./refusal.ts";

/** GitHub: bodies of issues, pull requests, comments and reviews hold at most 65,536 characters. */
const LONGEST_BODY = 65_536;

/** 400 "Problems parsing JSON" or 422 "Invalid request.\n\n…" as GitHub's JSON-schema layer answers them. */
export function readBody<S extends z.ZodType>(text: string, schema: S): z.output<S> {
  let value: unknown;
  try {
    value = text.trim() === "" ? {} : JSON.parse(text);
  } catch {
    throw new Refusal(400, "Problems parsing JSON");
  }
  if (typeof value !== "object" || value === null) throw new Refusal(400, "Body should be a JSON object");
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => problem(issue, value));
  throw unprocessable(`Invalid request.\n\n${problems.join("\n")}`);
}

function problem(issue: z.core.$ZodIssue, value: unknown): string {
  const field = issue.path.at(-1);
  const given = issue.path.reduce<unknown>(
    (inner, key) => (typeof inner === "object" && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  );
  if (given === undefined) return `"${String(field)}" wasn't supplied.`;
  const path = issue.path.map(String).join("/");
  if (issue.code === "invalid_value") {
    return `For 'properties/${path}', ${JSON.stringify(given)} is not a possible value. Must be one of the following: ${issue.values.map(String).join(", ")}.`;
  }
  const wanted = issue.code === "invalid_type" ? issue.expected : "valid value";
  const article = /^[aeiou]/.test(wanted) ? "an" : "a";
  return `For 'properties/${path}', ${JSON.stringify(given)} is not ${article} ${wanted}.`;
}

/** GitHub: 422 when a body is over its limit, named by the resource it belongs to. */
export function checkBodyLength(body: string | null | undefined, resource: string): void {
  if (body === null || body === undefined || Array.from(body).length <= LONGEST_BODY) return;
  throw new Refusal(422, "Validation Failed", {
    errors: [
      {
        resource,
        code: "unprocessable",
        field: "data",
        message: `Body is too long (maximum is ${LONGEST_BODY} characters)`,
      },
    ],
  });
}
