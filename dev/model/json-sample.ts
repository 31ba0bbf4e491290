/** JSON values for a schema: what a model answers when it must answer in a given shape. */

type JsonObject = Readonly<Record<string, unknown>>;

/** The object a value is, or an empty one: a tool's input comes from outside. */
export function objectOf(value: unknown): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

/**
 * An input for a tool: the properties of `known` that its schema names, the required rest sampled with `text`.
 * A schema without properties gets all that is known.
 */
export function fitInput(schema: unknown, known: JsonObject, text: string): JsonObject {
  const { properties, required } = objectOf(schema);
  const named = objectOf(properties);
  if (Object.keys(named).length === 0) return { ...known, text };
  const must = Array.isArray(required) ? required : [];
  const input: Record<string, unknown> = {};
  for (const [name, propertySchema] of Object.entries(named)) {
    if (name in known) input[name] = known[name];
    else if (must.includes(name) || isProse(name)) input[name] = sampleOf(propertySchema, text);
  }
  return input;
}

/** The plainest value a schema allows, with `text` wherever it wants a string. */
export function sampleOf(schema: unknown, text: string): unknown {
  const { type, properties, required, items, anyOf, const: constant, default: preset } = objectOf(schema);
  const choices = objectOf(schema)["enum"];
  if (constant !== undefined) return constant;
  if (preset !== undefined) return preset;
  if (Array.isArray(choices)) return choices[0];
  if (Array.isArray(anyOf)) return sampleOf(anyOf[0], text);
  switch (Array.isArray(type) ? type[0] : type) {
    case "object": {
      const must = Array.isArray(required) ? required : Object.keys(objectOf(properties));
      const named = Object.entries(objectOf(properties)).filter(([name]) => must.includes(name));
      return Object.fromEntries(named.map(([name, property]) => [name, sampleOf(property, text)]));
    }
    case "array":
      return Number(objectOf(schema)["minItems"] ?? 0) > 0 ? [sampleOf(items, text)] : [];
    case "integer":
    case "number":
      return Number(objectOf(schema)["minimum"] ?? 0);
    case "boolean":
      return false;
    case "null":
      return null;
    default:
      return text;
  }
}

function isProse(name: string): boolean {
  return ["text", "body", "message", "comment", "summary", "detail", "description"].includes(name);
}
