/** Puts schemas in the form from which generators make the clients that people want. */
import type { SchemaNode } from '../../packages/server/src/openapi/openapi-document.ts';

type Schemas = Readonly<Record<string, SchemaNode>>;

/**
 * Returns schemas in which descriptions state the defaults of members: generators take `default`
 * for a promise that a member is there, and then ask for it in requests. A choice of any value or
 * null becomes any value. A tuple states its length, because few generators take `false` for a
 * schema.
 */
export function forGenerators(schemas: Schemas): Schemas {
  return mapped(schemas, (schema) => within(schema) as SchemaNode);
}

function within(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(within);
  if (typeof value !== 'object' || value === null) return value;
  const node = withLength(withoutIdleChoice(mapped(value as SchemaNode, within)));
  const { properties } = node;
  if (typeof properties !== 'object' || properties === null) return node;
  return { ...node, properties: mapped(properties as Schemas, withStatedDefault) };
}

function withLength(node: SchemaNode): SchemaNode {
  const { items, ...rest } = node;
  const { prefixItems } = node;
  if (items !== false || !Array.isArray(prefixItems)) return node;
  return { ...rest, maxItems: prefixItems.length };
}

function withoutIdleChoice(node: SchemaNode): SchemaNode {
  const { anyOf, ...rest } = node;
  const isAny = (choice: object): boolean => Object.keys(choice).length === 0;
  return Array.isArray(anyOf) && anyOf.some(isAny) ? rest : node;
}

function withStatedDefault(member: SchemaNode): SchemaNode {
  if (!('default' in member)) return member;
  const { default: value, description, ...rest } = member;
  const phrase = `Default: \`${JSON.stringify(value)}\`.`;
  return {
    ...rest,
    description: typeof description === 'string' ? `${description} ${phrase}` : phrase,
  };
}

function mapped<T, U>(all: Readonly<Record<string, T>>, map: (each: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(all).map(([name, each]) => [name, map(each)]));
}
