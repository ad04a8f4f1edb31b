/** How a member of the contract becomes a flag: its form, its name, its help. */
import type { SchemaNode } from '../../../openapi/openapi-document.js';
import type { OwnFlag } from '../../command/command.js';
import { type Components, resolved, type SchemaMember } from './schema-members.js';

/** How the text of a flag becomes the value of a member. */
export type FlagForm =
  'text' | 'time' | 'number' | 'boolean' | 'list' | 'objects' | 'object' | 'json' | 'file';

/** Members that a flag would show to everyone who may list processes: they are read from a file. */
const FILE_MEMBERS = [
  ...['password', 'new_password', 'current_password'],
  ...['refresh_token', 'token', 'logout_token', 'attempt', 'code'],
];

/** Names that have another meaning on every command. */
const TAKEN = ['url', 'profile', 'secret-file', 'json', 'help', 'all', 'document', 'write-secret'];

const PLACEHOLDERS: Readonly<Record<FlagForm, string>> = {
  text: '<text>',
  time: '<time>',
  number: '<number>',
  boolean: '<true|false>',
  list: '<text>',
  objects: '<name=value,…>',
  object: '<name=value,…>',
  json: '<json>',
  file: '<file>',
};

const HINTS: Readonly<Partial<Record<FlagForm, string>>> = {
  time: 'RFC 3339 or Unix milliseconds.',
  objects: 'Names and values, or JSON.',
  object: 'Names and values, or JSON.',
  file: 'File that holds it; - reads standard input.',
};

/** Returns the flag of a member, and its form. */
export function flagOfMember(
  member: SchemaMember,
  components: Components,
): OwnFlag & { readonly form: FlagForm } {
  const shape = resolved(member.schema, components);
  const form = formOf(member.name, shape, components);
  const name = flagName(member.name, form);
  const choices = choicesOf(shape, components);
  return {
    name: TAKEN.includes(name) ? `set-${name}` : name,
    placeholder: PLACEHOLDERS[form],
    summary: summaryOf(member, shape, form),
    ...(choices === undefined ? {} : { choices }),
    isRepeatable: form === 'list' || form === 'objects',
    form,
  };
}

function formOf(name: string, shape: SchemaNode, components: Components): FlagForm {
  if (FILE_MEMBERS.includes(name)) return 'file';
  switch (shape['type']) {
    case 'string':
      return 'text';
    case 'integer':
    case 'number':
      return name.endsWith('_millis') && name !== 'wait_millis' ? 'time' : 'number';
    case 'boolean':
      return 'boolean';
    case 'array': {
      const items = resolved((shape['items'] ?? {}) as SchemaNode, components);
      if (items['type'] === 'string') return 'list';
      return items['type'] === 'object' ? 'objects' : 'json';
    }
    case 'object':
      return 'object';
    default:
      return 'json';
  }
}

function choicesOf(shape: SchemaNode, components: Components): readonly string[] | undefined {
  if (shape['type'] === 'boolean') return ['true', 'false'];
  const items = shape['type'] === 'array' ? (shape['items'] as SchemaNode) : undefined;
  const { enum: values } = items === undefined ? shape : resolved(items, components);
  return Array.isArray(values) ? values.map(String) : undefined;
}

/** Returns the name of a flag: `expires-at` for `expires_at_millis`, which takes a date too. */
function flagName(name: string, form: FlagForm): string {
  const plain = form === 'time' ? name.replace(/_millis$/, '') : name;
  return `${plain.replaceAll('_', '-')}${form === 'file' ? '-file' : ''}`;
}

function summaryOf(
  { name, schema, isRequired }: SchemaMember,
  shape: SchemaNode,
  form: FlagForm,
): string {
  const described = [schema['description'], shape['description']].find(
    (each): each is string => typeof each === 'string',
  );
  const byDefault = schema['default'] ?? shape['default'];
  const words = [
    isRequired ? 'Required.' : '',
    described ?? '',
    HINTS[form] ?? '',
    ...(form === 'number' ? boundsOf(shape) : []),
    byDefault === undefined ? '' : `Default: ${JSON.stringify(byDefault)}.`,
  ].filter((each) => each !== '');
  return words.length === 0 ? `The member ${name}.` : words.join(' ');
}

function boundsOf({ minimum, maximum }: SchemaNode): string[] {
  const isShown = (bound: unknown): bound is number =>
    typeof bound === 'number' && Math.abs(bound) < Number.MAX_SAFE_INTEGER;
  return [
    ...(isShown(minimum) ? [`At least ${minimum}.`] : []),
    ...(isShown(maximum) ? [`At most ${maximum}.`] : []),
  ];
}
