/** Writes schemas of the contract as Python types: objects as `TypedDict`, the rest as aliases. */
import type { SchemaNode } from '../../packages/server/src/openapi/openapi-document.ts';

type Schemas = Readonly<Record<string, SchemaNode>>;

const REFERENCE = '#/components/schemas/';

/** Words that no member of a Python class can have as its name. */
const KEYWORDS = new Set(['from', 'in', 'is', 'not', 'and', 'or', 'class', 'def', 'global', 'as']);

const simple: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
};

/** Writes named schemas, each with what is nested in it. */
export class PythonTypes {
  readonly #schemas: Schemas;
  /** Definitions by name: those of nested objects come before what holds them. */
  readonly #written = new Map<string, string>();

  constructor(schemas: Schemas) {
    this.#schemas = schemas;
  }

  /** Adds a named schema with all that it refers to. */
  add(name: string): void {
    const node = this.#schemas[name];
    if (node === undefined) throw new Error(`There is no schema ${name}.`);
    this.#define(name, node);
  }

  /** Returns the definitions, aliases last, since their values are looked up at once. */
  text(): string {
    const all = [...this.#written.values()];
    const isClass = (text: string) => text.includes('TypedDict');
    return [...all.filter(isClass), ...all.filter((text) => !isClass(text))].join('');
  }

  #define(name: string, node: SchemaNode): void {
    if (this.#written.has(name)) return;
    // Marks it as begun, for schemas that refer to one another.
    this.#written.set(name, '');
    const text =
      node['properties'] === undefined
        ? `\n${name} = ${this.#type(node, name)}\n`
        : this.#object(name, node);
    // Takes its place after what it refers to.
    this.#written.delete(name);
    this.#written.set(name, text);
  }

  #object(name: string, node: SchemaNode): string {
    const required = new Set(node['required'] as readonly string[] | undefined);
    const members = Object.entries(node['properties'] as Schemas).map(([member, each]) => ({
      member,
      type: this.#type(each, name + camel(member)),
      isRequired: required.has(member),
    }));
    if (members.some(({ member }) => KEYWORDS.has(member))) {
      if (members.some(({ isRequired }) => !isRequired)) throw new Error(`${name} is mixed.`);
      const lines = members.map(({ member, type }) => `        "${member}": ${quoted(type)},\n`);
      return `\n\n${name} = TypedDict(\n    "${name}",\n    {\n${lines.join('')}    },\n)\n`;
    }
    const lines = (isRequired: boolean) =>
      members
        .filter((each) => each.isRequired === isRequired)
        .map(({ member, type }) => `    ${member}: ${type}\n`)
        .join('');
    const [always, sometimes] = [lines(true), lines(false)];
    if (sometimes === '') return `\n\nclass ${name}(TypedDict):\n${always || '    pass\n'}`;
    if (always === '') return `\n\nclass ${name}(TypedDict, total=False):\n${sometimes}`;
    const base = `_${name}Required`;
    return `\n\nclass ${base}(TypedDict):\n${always}\n\nclass ${name}(${base}, total=False):\n${sometimes}`;
  }

  /** Returns the type of a node. Objects in it are named after where they are. */
  #type(node: SchemaNode, name: string): string {
    const { $ref } = node;
    if (typeof $ref === 'string') {
      const target = $ref.replace(REFERENCE, '');
      this.add(target);
      return target;
    }
    const choices = node['anyOf'] ?? node['oneOf'];
    if (Array.isArray(choices)) return this.#union(choices as SchemaNode[], name);
    if ('const' in node) return `Literal[${literal(node['const'])}]`;
    if (Array.isArray(node['enum'])) return `Literal[${node['enum'].map(literal).join(', ')}]`;
    if (node['properties'] !== undefined) {
      this.#define(name, node);
      return name;
    }
    switch (node['type']) {
      case 'array':
        return node['prefixItems'] === undefined
          ? `List[${this.#type((node['items'] ?? {}) as SchemaNode, `${name}Item`)}]`
          : 'List[Any]';
      case 'object':
        return `Dict[str, ${this.#valueType(node, name)}]`;
      case undefined:
        return 'Any';
      default:
        return simple[String(node['type'])] ?? 'Any';
    }
  }

  #valueType({ additionalProperties }: SchemaNode, name: string): string {
    if (typeof additionalProperties !== 'object') return 'Any';
    return this.#type(additionalProperties as SchemaNode, `${name}Value`);
  }

  #union(choices: readonly SchemaNode[], name: string): string {
    const types = choices.map((choice, index) => this.#type(choice, name + variant(choice, index)));
    const [one, other] = types;
    if (types.length === 2 && other === 'None') return `Optional[${one}]`;
    return `Union[${types.map(quotedIfNamed).join(', ')}]`;
  }
}

/** The name of a choice: its `type`, else its only member, else its number. */
function variant(choice: SchemaNode, index: number): string {
  const properties = (choice['properties'] ?? {}) as Schemas;
  const members = Object.entries(properties);
  const told = members.find(([, each]) => typeof each['const'] === 'string');
  if (told !== undefined) return camel(String(told[1]['const']));
  return members.length === 1 ? camel(members[0]?.[0] ?? '') : String(index + 1);
}

function camel(name: string): string {
  return name
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

function literal(value: unknown): string {
  if (value === true) return 'True';
  return value === false ? 'False' : JSON.stringify(value);
}

/** Names in the values of aliases are looked up when the module is read. */
function quotedIfNamed(type: string): string {
  return /^[A-Z]\w*$/.test(type) ? quoted(type) : type;
}

function quoted(type: string): string {
  return /^\w+$/.test(type) && !/^[A-Z]/.test(type) ? type : JSON.stringify(type);
}
