/** The flags that give the input of an operation, made from its schemas in the contract. */
import type {
  OpenApiDocument,
  OperationObject,
  ParameterObject,
  SchemaNode,
} from '../../../openapi/openapi-document.js';
import type { OwnFlag } from '../../command/command.js';

/** How the text of a flag becomes the value of a member. */
type Form =
  'text' | 'time' | 'number' | 'boolean' | 'list' | 'objects' | 'object' | 'json' | 'file';

/** A flag, and the member that it gives. */
export interface InputFlag extends OwnFlag {
  readonly part: 'parameters' | 'document';
  /** Names from the outermost member to the one that the flag gives. */
  readonly path: readonly string[];
  readonly form: Form;
  readonly isRequired: boolean;
  /** Whether the member may be `null`. */
  readonly isNullable: boolean;
}

/** Members that a flag would show to everyone who may list processes: a file holds them. */
const SECRET_MEMBERS = ['password', 'new_password', 'current_password', 'refresh_token', 'token'];

/** Names that mean something else on every command. */
const TAKEN = ['url', 'profile', 'secret-file', 'json', 'help', 'all', 'document', 'write-secret'];

const PLACEHOLDERS: Readonly<Record<Form, string>> = {
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

/** The contract, for looking up what references name. */
type Components = OpenApiDocument['components'];

/** Members that have one value only, by their names. */
type Constants = Readonly<Record<string, unknown>>;

/** What an operation takes, apart from an id in its path; a part may be absent. */
export interface OperationInput {
  readonly flags: readonly InputFlag[];
  readonly parameters: Constants | undefined;
  readonly document: Constants | undefined;
}

/** Returns the flags of the query and of the document, and what needs no flag. */
export function operationInput(
  { parameters = [], requestBody }: OperationObject,
  components: Components,
): OperationInput {
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const queried = query.flatMap(({ name, schema, required }) =>
    flagsOf(memberOf('parameters', [name], schema, required), components),
  );
  const body = requestBody?.content['application/json']?.schema;
  const members = body === undefined ? [] : documentFlags([], body, components);
  const document = body === undefined ? undefined : membersOf(body, components);
  return {
    flags: [...queried, ...members],
    parameters: query.length === 0 ? undefined : constantsOf(query.map(namedParameter), components),
    document: document && constantsOf(document, components),
  };
}

function namedParameter({ name, schema, required }: ParameterObject): NamedSchema {
  return { name, schema, isRequired: required };
}

/** Returns the members with one value only, also those of objects that are required. */
function constantsOf(members: readonly NamedSchema[], components: Components): Constants {
  return Object.fromEntries(
    members.flatMap(({ name, schema, isRequired }) => {
      const shape = resolved(schema, components);
      if ('const' in shape) return isRequired ? [[name, shape['const']]] : [];
      if (!isRequired || !isPlainObject(shape)) return [];
      const inner = constantsOf(membersOf(shape, components), components);
      return Object.keys(inner).length === 0 ? [] : [[name, inner]];
    }),
  );
}

interface NamedSchema {
  readonly name: string;
  readonly schema: SchemaNode;
  readonly isRequired: boolean;
}

function membersOf(schema: SchemaNode, components: Components): NamedSchema[] {
  const { properties = {}, required = [] } = resolved(schema, components) as ObjectSchema;
  return Object.entries(properties).map(([name, member]) => ({
    name,
    schema: member,
    isRequired: required.includes(name),
  }));
}

/** Returns whether the members of an object have flags of their own. */
function isPlainObject(shape: SchemaNode): boolean {
  return shape['type'] === 'object' && 'properties' in shape;
}

interface Member {
  readonly part: InputFlag['part'];
  readonly path: readonly string[];
  readonly schema: SchemaNode;
  readonly isRequired: boolean;
}

function memberOf(
  part: InputFlag['part'],
  path: readonly string[],
  schema: SchemaNode,
  isRequired: boolean,
): Member {
  return { part, path, schema, isRequired };
}

function documentFlags(
  path: readonly string[],
  schema: SchemaNode,
  components: Components,
): InputFlag[] {
  return membersOf(schema, components).flatMap(({ name, schema: member, isRequired }) =>
    flagsOf(memberOf('document', [...path, name], member, isRequired), components),
  );
}

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly required?: readonly string[];
}

function flagsOf({ part, path, schema, isRequired }: Member, components: Components): InputFlag[] {
  const shape = resolved(schema, components);
  if ('const' in shape) return [];
  const name = path.at(-1) ?? '';
  if (isRequired && part === 'document' && isPlainObject(shape)) {
    return documentFlags(path, shape, components);
  }
  const form = formOf(name, shape, components);
  const flag = flagName(name, form);
  const choices = choicesOf(shape, components);
  return [
    {
      name: TAKEN.includes(flag) ? `set-${flag}` : flag,
      placeholder: PLACEHOLDERS[form],
      summary: summaryOf(name, form, { schema, isRequired, shape }),
      ...(choices === undefined ? {} : { choices }),
      isRepeatable: form === 'list' || form === 'objects',
      part,
      path,
      form,
      isRequired,
      isNullable: isNullable(schema),
    },
  ];
}

/** Follows references, and leaves out `null` where a member may be that or one thing else. */
function resolved(schema: SchemaNode, components: Components): SchemaNode {
  const { $ref, anyOf } = schema;
  if (typeof $ref === 'string') {
    return resolved(components.schemas[$ref.split('/').at(-1) ?? ''] ?? {}, components);
  }
  if (!Array.isArray(anyOf)) return schema;
  const others = (anyOf as SchemaNode[]).filter((each) => each['type'] !== 'null');
  return others.length === 1 && others[0] !== undefined ? resolved(others[0], components) : schema;
}

function isNullable({ anyOf }: SchemaNode): boolean {
  return Array.isArray(anyOf) && (anyOf as SchemaNode[]).some((each) => each['type'] === 'null');
}

function formOf(name: string, shape: SchemaNode, components: Components): Form {
  if (SECRET_MEMBERS.includes(name)) return 'file';
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

/** Returns the name of a flag: `--expires-at` for `expires_at_millis`, for it takes a date too. */
function flagName(name: string, form: Form): string {
  const plain = form === 'time' ? name.replace(/_millis$/, '') : name;
  return `${plain.replaceAll('_', '-')}${form === 'file' ? '-file' : ''}`;
}

const HINTS: Readonly<Partial<Record<Form, string>>> = {
  time: 'RFC 3339 or Unix milliseconds.',
  objects: 'Names and values, or JSON.',
  object: 'Names and values, or JSON.',
  file: 'File that holds it; - reads standard input.',
};

function summaryOf(
  name: string,
  form: Form,
  { schema, shape, isRequired }: { schema: SchemaNode; shape: SchemaNode; isRequired: boolean },
): string {
  const described = [schema['description'], shape['description']].find(
    (each): each is string => typeof each === 'string',
  );
  const bounds = [
    ['At least', shape['minimum']],
    ['At most', shape['maximum']],
  ].flatMap(([word, bound]) =>
    typeof bound === 'number' && Math.abs(bound) < Number.MAX_SAFE_INTEGER && form === 'number'
      ? [`${String(word)} ${bound}.`]
      : [],
  );
  const byDefault = schema['default'] ?? shape['default'];
  const words = [
    isRequired ? 'Required.' : '',
    described ?? '',
    HINTS[form] ?? '',
    ...bounds,
    byDefault === undefined ? '' : `Default: ${JSON.stringify(byDefault)}.`,
  ].filter((each) => each !== '');
  return words.length === 0 ? `The member ${name}.` : words.join(' ');
}
