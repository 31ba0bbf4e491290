/** The method table as TypeScript, for the model: the same source that checks its calls. */
import { z } from "zod";
import { METHODS } from "./methods.ts";

type JsonSchema = {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly description?: string;
};

/** `declare const repo: { … }` with a comment per method. */
export function describeMethods(): string {
  const methods = Object.entries(METHODS).map(([name, method]) => {
    const input = jsonSchema(method.input);
    const optional = (input.required ?? []).length === 0 ? "?" : "";
    return `  /** ${withoutEnd(method.about)} */\n  ${name}(input${optional}: ${typeOf(input)}): Promise<${typeOf(jsonSchema(method.output))}>;`;
  });
  return `declare const repo: {\n${methods.join("\n")}\n};`;
}

function jsonSchema(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, { io: "input" }) as JsonSchema;
}

function typeOf(schema: JsonSchema): string {
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.type === "array" && schema.items !== undefined) return `${wrap(typeOf(schema.items))}[]`;
  if (schema.type === "integer") return "number";
  if (schema.type !== "object") return schema.type ?? "unknown";
  const required = new Set(schema.required);
  const fields = Object.entries(schema.properties ?? {}).map(([key, value]) => {
    const note = value.description === undefined ? "" : ` /* ${withoutEnd(value.description)} */`;
    return `${key}${required.has(key) ? "" : "?"}: ${typeOf(value)}${note}`;
  });
  return fields.length === 0 ? "{}" : `{ ${fields.join("; ")} }`;
}

/** A glob such as `src/**` with a slash behind it would end the comment it stands in. */
function withoutEnd(text: string): string {
  return text.replaceAll("*/", "*\\/");
}

function wrap(type: string): string {
  return type.includes(" | ") ? `(${type})` : type;
}
