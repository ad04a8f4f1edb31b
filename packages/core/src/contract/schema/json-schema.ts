/**
 * How a schema says what it looks like in JSON Schema where its own checks cannot be translated.
 * @module
 */
import * as v from 'valibot';

/** A JSON Schema (2020-12) node. */
export type JsonSchemaNode = Readonly<Record<string, unknown>>;

/**
 * The members of an object schema that were described as integers. Transports that carry only text
 * need to know them.
 */
export function integerMembers(schema: v.GenericSchema): string[] {
  const { entries = {} } = schema as { entries?: Record<string, unknown> };
  return Object.keys(entries).filter((member) => typeOf(entries[member]) === 'integer');
}

function typeOf(schema: unknown): unknown {
  let node = schema;
  while (isWrapper(node)) node = node.wrapped;
  const { jsonSchema } = v.getMetadata(node as v.GenericSchema) as { jsonSchema?: JsonSchemaNode };
  return jsonSchema?.['type'];
}

function isWrapper(node: unknown): node is { wrapped: unknown } {
  return typeof node === 'object' && node !== null && 'wrapped' in node;
}

/** Pipe item that carries the JSON Schema form of the schema that it stands in. */
export function describedAs<T>(
  jsonSchema: JsonSchemaNode,
): v.MetadataAction<T, { readonly jsonSchema: JsonSchemaNode }> {
  return v.metadata({ jsonSchema });
}

/** Pipe item that publishes a schema as a named component of the contract. */
export function named<T>(component: string): v.MetadataAction<T, { readonly component: string }> {
  return v.metadata({ component });
}
