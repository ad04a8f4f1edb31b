/** Describes a JSON Schema node in a few words. */
import type { SchemaNode } from '../../packages/server/src/openapi/openapi-document.ts';
import { code, grouped } from './page.ts';

const REFERENCE = '#/components/schemas/';

/** Returns a phrase for the values that a node accepts, with links to named documents. */
export function typePhrase(node: SchemaNode): string {
  const { $ref } = node;
  if (typeof $ref === 'string') return link($ref.replace(REFERENCE, ''));
  const choices = node['anyOf'] ?? node['oneOf'];
  if (Array.isArray(choices)) {
    return choices.map((choice) => typePhrase(choice as SchemaNode)).join(' or ');
  }
  if ('const' in node) return code(JSON.stringify(node['const']));
  if (Array.isArray(node['enum']))
    return node['enum'].map((each) => code(each as string)).join(', ');
  switch (node['type']) {
    case 'array':
      return arrayPhrase(node);
    case 'object':
      return objectPhrase(node);
    case 'string':
      return stringPhrase(node);
    case 'integer':
    case 'number':
      return `${node['type']}${rangePhrase(node)}`;
    case undefined:
      return 'any JSON value';
    default:
      return String(node['type']);
  }
}

/** Returns the default of a node, or an empty text. */
export function defaultPhrase(node: SchemaNode): string {
  return 'default' in node ? code(JSON.stringify(node['default'])) : '';
}

function link(name: string): string {
  return `[${code(name)}](documents.md#${name.toLowerCase()})`;
}

function arrayPhrase(node: SchemaNode): string {
  const { minItems, maxItems, uniqueItems, prefixItems } = node;
  if (Array.isArray(prefixItems)) {
    const each = prefixItems.map((item) => typePhrase(item as SchemaNode));
    return `tuple of ${each.join(' and ')}`;
  }
  const bounds = [
    ...(minItems === undefined ? [] : [`at least ${grouped(Number(minItems))}`]),
    ...(maxItems === undefined ? [] : [`at most ${grouped(Number(maxItems))}`]),
    ...(uniqueItems === true ? ['unique'] : []),
  ].join(', ');
  const items = typePhrase((node['items'] ?? {}) as SchemaNode);
  return `array of ${items}${bounds === '' ? '' : ` (${bounds})`}`;
}

function objectPhrase(node: SchemaNode): string {
  const { properties } = node;
  if (properties === undefined) return 'any JSON object';
  const members = Object.entries(properties as Record<string, SchemaNode>).map(
    ([name, member]) => `${code(name)}: ${typePhrase(member)}`,
  );
  return `object { ${members.join('; ')} }`;
}

function stringPhrase(node: SchemaNode): string {
  const { format, maxLength, minLength, pattern, description } = node;
  if (format === 'uuid') return 'UUID';
  if (typeof description === 'string') return `string: ${description.replace(/\.$/, '')}`;
  if (typeof pattern === 'string') return `string that matches ${code(pattern)}`;
  if (maxLength === undefined) return 'string';
  const least = minLength === undefined ? 'at most' : `${grouped(Number(minLength))} to`;
  return `string of ${least} ${grouped(Number(maxLength))} characters`;
}

function rangePhrase({ minimum, maximum }: SchemaNode): string {
  const top = maximum === Number.MAX_SAFE_INTEGER ? '2^53 - 1' : undefined;
  if (minimum === undefined || maximum === undefined) return '';
  return ` from ${grouped(Number(minimum))} to ${top ?? grouped(Number(maximum))}`;
}
