/**
 * How a schema says what it looks like in JSON Schema where its own checks cannot be translated.
 * @module
 */
import * as v from 'valibot';

/** A JSON Schema (2020-12) node. */
export type JsonSchemaNode = Readonly<Record<string, unknown>>;

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
