/**
 * JSON Schemas of tools, and functions that make them. Models read them with every conversation, so
 * they are short: names and types. Core checks what a document may hold.
 */

/** A JSON Schema, with the keywords that tools use. */
export interface JsonSchema {
  readonly type?: 'array' | 'boolean' | 'integer' | 'number' | 'object' | 'string';
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  /** Whether members are allowed that `properties` doesn't have. Default: yes. */
  readonly additionalProperties?: boolean;
}

/** A JSON Schema of an object. */
export interface ObjectSchema extends JsonSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, JsonSchema>>;
}

/** Returns the schema of a text. */
export function text(description?: string): JsonSchema {
  return described({ type: 'string' }, description);
}

/** Returns the schema of an integer. */
export function integer(
  description?: string,
  range: Pick<JsonSchema, 'minimum' | 'maximum'> = {},
): JsonSchema {
  return described({ type: 'integer', ...range }, description);
}

/** Returns the schema of a list. */
export function listOf(items: JsonSchema): JsonSchema {
  return { type: 'array', items };
}

/** Returns the schema of an object whose members are described in words. */
export function anyObject(description?: string): JsonSchema {
  return described({ type: 'object' }, description);
}

/** Returns the schema of an object without further members. */
export function objectOf(
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[] = Object.keys(properties),
): ObjectSchema {
  const needed = required.length === 0 ? {} : { required };
  return { type: 'object', properties, additionalProperties: false, ...needed };
}

function described(schema: JsonSchema, description: string | undefined): JsonSchema {
  return description === undefined ? schema : { ...schema, description };
}
