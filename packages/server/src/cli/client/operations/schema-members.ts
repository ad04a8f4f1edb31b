/** Reads the schemas in the contract for the command line. */
import type { OpenApiDocument, SchemaNode } from '../../../openapi/openapi-document.js';

/** The targets of references in the contract. */
export type Components = OpenApiDocument['components'];

/** A member of an object, or a parameter. */
export interface SchemaMember {
  readonly name: string;
  readonly schema: SchemaNode;
  readonly isRequired: boolean;
}

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly required?: readonly string[];
}

/** Follows references, and removes `null` from a member that may be `null` or one other thing. */
export function resolved(schema: SchemaNode, components: Components): SchemaNode {
  const { $ref, anyOf } = schema;
  if (typeof $ref === 'string') {
    return resolved(components.schemas[$ref.split('/').at(-1) ?? ''] ?? {}, components);
  }
  if (!Array.isArray(anyOf)) return schema;
  const others = (anyOf as SchemaNode[]).filter((each) => each['type'] !== 'null');
  return others.length === 1 && others[0] !== undefined ? resolved(others[0], components) : schema;
}

/** Returns whether a member may be `null`. */
export function isNullable({ anyOf }: SchemaNode): boolean {
  return Array.isArray(anyOf) && (anyOf as SchemaNode[]).some((each) => each['type'] === 'null');
}

/** Returns the members of an object; none for another schema. */
export function membersOf(schema: SchemaNode, components: Components): SchemaMember[] {
  const { properties = {}, required = [] } = resolved(schema, components) as ObjectSchema;
  return Object.entries(properties).map(([name, member]) => ({
    name,
    schema: member,
    isRequired: required.includes(name),
  }));
}

/** Returns whether a schema describes an object and names its members. */
export function hasMembers(schema: SchemaNode): boolean {
  return schema['type'] === 'object' && 'properties' in schema;
}
