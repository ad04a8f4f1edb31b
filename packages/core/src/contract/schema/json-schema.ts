/**
 * States the JSON Schema form of a schema whose own checks can't be translated.
 */
import * as v from 'valibot';

/** A JSON Schema (2020-12) node. */
export type JsonSchemaNode = Readonly<Record<string, unknown>>;

/**
 * Returns the integer members of an object schema. Transports that carry text only need them to
 * convert query parameters.
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

/** Pipe item with the JSON Schema form of its schema. */
export function describedAs<T>(
  jsonSchema: JsonSchemaNode,
): v.MetadataAction<T, { readonly jsonSchema: JsonSchemaNode }> {
  return v.metadata({ jsonSchema });
}

/** Pipe item that publishes a schema as a named component of the contract. */
export function named<T>(component: string): v.MetadataAction<T, { readonly component: string }> {
  return v.metadata({ component });
}
