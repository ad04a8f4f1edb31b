/**
 * How a schema says what it looks like in JSON Schema where its own checks cannot be translated.
 * @module
 */
import * as v from 'valibot';

/** A JSON Schema (2020-12) node. */
export type JsonSchemaNode = Readonly<Record<string, unknown>>;

/**
 * The JSON Schema type that a member of an object schema was described with. Transports that only
 * carry text ask here which members are integers.
 */
export function describedType(schema: v.GenericSchema, member: string): unknown {
  let node: unknown = (schema as { entries?: Record<string, unknown> }).entries?.[member];
  while (isWrapper(node)) node = node.wrapped;
  const metadata = node === undefined ? {} : v.getMetadata(node as v.GenericSchema);
  return (metadata as { jsonSchema?: JsonSchemaNode }).jsonSchema?.['type'];
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
