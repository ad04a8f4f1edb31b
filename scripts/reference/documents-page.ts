/** The page of documents: every named schema of the contract, member by member. */
import { documentWithDefaults } from '../openapi/generate-document.ts';
import type { SchemaNode } from '../../packages/server/src/openapi/openapi-document.ts';
import { code, page, type ReferencePage, table } from './page.ts';
import { defaultPhrase, typePhrase } from './schema-phrase.ts';

const introduction =
  'The documents that operations accept and return, named as in `/openapi.json`. Objects are ' +
  'closed: a member that is not listed here is refused. A name that ends in `Output` is the ' +
  'same document in a response, where every member is present. Times are Unix milliseconds. ' +
  'UUIDs are accepted in any letter case and returned in lower case.';

/** Returns the page of documents. */
export function documentsPage(): ReferencePage {
  const { schemas } = documentWithDefaults().components;
  const names = Object.keys(schemas).sort((one, other) => one.localeCompare(other, 'en'));
  const sections = names.map((name) => `## ${name}\n\n${shapeOf(schemas[name] ?? {})}`);
  return page('documents.md', 'Documents', 'the schemas of the core', [introduction, ...sections]);
}

function shapeOf(node: SchemaNode): string {
  const choices = node['oneOf'] ?? node['anyOf'];
  if (!Array.isArray(choices)) return isOpen(node) ? membersOf(node) : `${typePhrase(node)}.`;
  const shapes = (choices as SchemaNode[]).map((choice) =>
    isOpen(choice) ? membersOf(choice) : `${typePhrase(choice)}.`,
  );
  return ['One of:', ...shapes].join('\n\n');
}

/** Whether a node is an object with documented members. */
function isOpen(node: SchemaNode): boolean {
  return node['properties'] !== undefined;
}

function membersOf(node: SchemaNode): string {
  const required = new Set(node['required'] as readonly string[] | undefined);
  const members = Object.entries(node['properties'] as Record<string, SchemaNode>);
  return table(
    ['Member', 'Required', 'Default', 'Value'],
    members.map(([name, member]) => [
      code(name),
      required.has(name) ? 'yes' : 'no',
      defaultPhrase(member),
      typePhrase(member),
    ]),
  );
}
