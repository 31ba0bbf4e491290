/**
 * Holds answers against GitHub's published REST description: the status must be a documented one, and the body must
 * have the required fields with the types the schema gives them.
 */
import { createRequire } from "node:module";
import { z } from "zod";

const Schema: z.ZodType<Schema> = z.lazy(() =>
  z.object({
    $ref: z.string().optional(),
    title: z.string().optional(),
    type: z.union([z.string(), z.array(z.string())]).optional(),
    nullable: z.boolean().optional(),
    enum: z.array(z.unknown()).optional(),
    required: z.array(z.string()).optional(),
    properties: z.record(z.string(), Schema).optional(),
    items: Schema.optional(),
    allOf: z.array(Schema).optional(),
    anyOf: z.array(Schema).optional(),
    oneOf: z.array(Schema).optional(),
  }),
);
type Schema = {
  title?: string | undefined;
  $ref?: string | undefined;
  type?: string | string[] | undefined;
  nullable?: boolean | undefined;
  enum?: unknown[] | undefined;
  required?: string[] | undefined;
  properties?: Record<string, Schema> | undefined;
  items?: Schema | undefined;
  allOf?: Schema[] | undefined;
  anyOf?: Schema[] | undefined;
  oneOf?: Schema[] | undefined;
};

const description: unknown = createRequire(import.meta.url)("@octokit/openapi/generated/api.github.com.json");

/** Reads `description` along a path of keys; undefined where there is none. */
function at(...keys: readonly string[]): unknown {
  return keys.reduce<unknown>(
    (inner, key) => (typeof inner === "object" && inner !== null ? Reflect.get(inner, key) : undefined),
    description,
  );
}

function follow(value: unknown): unknown {
  const ref = typeof value === "object" && value !== null ? Reflect.get(value, "$ref") : undefined;
  return typeof ref === "string" ? follow(at(...ref.replace("#/", "").split("/"))) : value;
}

/** What is wrong with an answer to `method template`; empty when nothing is. */
export function problemsOf(method: string, template: string, status: number, body: unknown): string[] {
  const responses = at("paths", template, method.toLowerCase(), "responses");
  if (responses === undefined) return [`${method} ${template} is not in the description`];
  const response = follow(
    typeof responses === "object" && responses !== null ? Reflect.get(responses, String(status)) : undefined,
  );
  if (response === undefined) return [`${method} ${template} does not document ${status}`];
  const content = z
    .object({ content: z.record(z.string(), z.object({ schema: Schema.optional() })).optional() })
    .parse(response);
  const schema = content.content?.["application/json"]?.schema;
  if (schema === undefined || typeof body !== "object" || body === null) return [];
  return check(schema, body, "$").map((problem) => `${method} ${template} ${status}: ${problem}`);
}

/** What is wrong with `value` as the named component schema. */
export function problemsOfComponent(name: string, value: unknown): string[] {
  return check(Schema.parse(at("components", "schemas", name)), value, name);
}

function check(schema: Schema, value: unknown, where: string): string[] {
  if (schema.$ref !== undefined) {
    const next = Schema.parse(at(...schema.$ref.replace("#/", "").split("/")));
    return check(next, value, where);
  }
  if (value === null && allowsNull(schema)) return [];
  for (const options of [schema.anyOf, schema.oneOf]) {
    if (options === undefined) continue;
    const tries = options.map((option) => check(option, value, where));
    if (!tries.some((problems) => problems.length === 0))
      return tries.toSorted((a, b) => a.length - b.length)[0] ?? [];
  }
  // GET /app/installations says an account is a user and an enterprise at once, which nothing can be.
  if (schema.allOf?.map((part) => part.title).join() === "Simple User,Enterprise") {
    return check({ anyOf: schema.allOf }, value, where);
  }
  const problems = (schema.allOf ?? []).flatMap((part) => check(part, value, where));
  if (!hasType(schema, value))
    return [
      ...problems,
      `${where} should be ${String(schema.type)}, is ${JSON.stringify(value)?.slice(0, 60)}`,
    ];
  if (schema.enum !== undefined && !schema.enum.includes(value))
    problems.push(`${where} ${JSON.stringify(value)} is none of ${schema.enum.join(", ")}`);
  if (Array.isArray(value) && schema.items !== undefined) {
    const items = schema.items;
    problems.push(...value.flatMap((item, index) => check(items, item, `${where}[${index}]`)));
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    for (const name of schema.required ?? []) {
      if (!(name in value)) problems.push(`${where}.${name} is missing`);
    }
    for (const [name, inner] of Object.entries(schema.properties ?? {})) {
      if (name in value) problems.push(...check(inner, Reflect.get(value, name), `${where}.${name}`));
    }
  }
  return problems;
}

function allowsNull(schema: Schema): boolean {
  return (
    schema.nullable === true ||
    (Array.isArray(schema.type) && schema.type.includes("null")) ||
    schema.type === "null" ||
    schema.enum?.includes(null) === true
  );
}

function hasType(schema: Schema, value: unknown): boolean {
  if (schema.type === undefined) return true;
  return [schema.type].flat().some((type) => {
    switch (type) {
      case "array":
        return Array.isArray(value);
      case "object":
        return typeof value === "object" && value !== null && !Array.isArray(value);
      case "integer":
        return Number.isInteger(value);
      case "null":
        return value === null;
      default:
        return typeof value === type;
    }
  });
}
