/**
 * Acceptors: schemas compiled to functions that accept valid values several times faster than
 * valibot does, with the same output. A value that an acceptor refuses is passed to valibot, which
 * alone decides whether and why a value is wrong.
 */
import * as v from 'valibot';

/** What an acceptor returns for a value that it doesn't accept. */
export const REFUSED: unique symbol = Symbol('refused');

/** Returns the output of a schema for a value, or refuses it. It may refuse valid values too. */
export type Acceptor = (value: unknown) => unknown;

/** The members of schemas and of items of their pipes that the compiler reads. */
interface Node {
  readonly kind: string;
  readonly type: string;
  readonly pipe?: readonly Node[];
  readonly fallback?: unknown;
  readonly default?: unknown;
  readonly wrapped?: Node;
  readonly item?: Node;
  readonly entries?: Readonly<Record<string, Node>>;
  readonly key?: unknown;
  readonly options?: readonly unknown[];
  readonly literal?: unknown;
  readonly check?: (value: unknown) => boolean;
  readonly requirement?: unknown;
  readonly operation?: (value: unknown) => unknown;
}

/** Compiles schemas of one type. */
type Compile = (node: Node) => Acceptor;

const acceptors = new WeakMap<v.GenericSchema, Acceptor>();

/** Returns the acceptor of a schema, compiled at its first use. */
export function acceptorOf(schema: v.GenericSchema): Acceptor {
  const known = acceptors.get(schema);
  if (known !== undefined) return known;
  const compiled = compile(schema);
  acceptors.set(schema, compiled);
  return compiled;
}

function compile(node: Node): Acceptor {
  const { pipe } = node;
  if (pipe !== undefined) return compilePipe(node, pipe);
  return (compilers[node.type] ?? byValibot)(node);
}

/** Leaves a part of a schema to valibot. */
const byValibot: Compile = (node) => (value) => {
  const { success, output } = v.safeParse(node as unknown as v.GenericSchema, value);
  return success ? output : REFUSED;
};

function compilePipe(node: Node, [first, ...items]: readonly Node[]): Acceptor {
  const actions = items.filter(({ kind }) => kind !== 'metadata');
  const steps = actions.flatMap((action) => stepOf[action.type]?.(action) ?? []);
  if (first === undefined || steps.length !== actions.length) return byValibot(node);
  const accept = compile(first);
  if (steps.length === 0) return accept;
  return (value) => {
    let output = accept(value);
    for (const step of steps) {
      if (output === REFUSED) return REFUSED;
      output = step(output);
    }
    return output;
  };
}

const when =
  (isValid: (value: unknown) => boolean): Acceptor =>
  (value) =>
    isValid(value) ? value : REFUSED;

type Length = { readonly length: number };

/** Compiles the actions of pipes. A schema with another action is left to valibot. */
const stepOf: Readonly<Record<string, Compile>> = {
  check: ({ requirement }) => when(requirement as (value: unknown) => boolean),
  regex: ({ requirement }) => when((value) => (requirement as RegExp).test(value as string)),
  min_length: ({ requirement }) => when((value) => (value as Length).length >= Number(requirement)),
  max_length: ({ requirement }) => when((value) => (value as Length).length <= Number(requirement)),
  safe_integer: () => when(Number.isSafeInteger),
  transform: ({ operation = (value) => value }) => operation,
};

/** Compiles the types of schemas. Any other type is left to valibot. */
const compilers: Readonly<Record<string, Compile>> = {
  unknown: () => (value) => value,
  string: () => when((value) => typeof value === 'string'),
  boolean: () => when((value) => typeof value === 'boolean'),
  number: () => when((value) => typeof value === 'number' && !Number.isNaN(value)),
  literal: ({ literal }) => when((value) => value === literal),
  picklist: ({ options = [] }) => when((value) => options.includes(value)),
  custom: ({ check = () => false }) => when(check),
  nullable: (node) => compileWrapper(node, (value) => value === null),
  optional: (node) => compileWrapper(node, (value) => value === undefined),
  nullish: (node) => compileWrapper(node, (value) => value === null || value === undefined),
  exact_optional: (node) => (node.wrapped === undefined ? byValibot(node) : compile(node.wrapped)),
  array: compileArray,
  union: compileUnion,
  variant: compileVariant,
  strict_object: compileObject,
};

/** `isAbsent` decides which values take the default, or stay unchanged without one. */
function compileWrapper(node: Node, isAbsent: (value: unknown) => boolean): Acceptor {
  if (node.wrapped === undefined) return byValibot(node);
  const accept = compile(node.wrapped);
  return (value) => {
    if (!isAbsent(value)) return accept(value);
    const chosen = node.default === undefined ? value : defaultOf(node);
    return isAbsent(chosen) ? chosen : accept(chosen);
  };
}

function defaultOf({ default: given }: Node): unknown {
  return typeof given === 'function' ? (given as () => unknown)() : given;
}

function compileArray(node: Node): Acceptor {
  if (node.item === undefined) return byValibot(node);
  const accept = compile(node.item);
  return (value) => {
    if (!Array.isArray(value)) return REFUSED;
    const output: unknown[] = [];
    for (let index = 0; index < value.length; index++) {
      const item = accept(value[index]);
      if (item === REFUSED) return REFUSED;
      output.push(item);
    }
    return output;
  };
}

function compileUnion({ options = [] }: Node): Acceptor {
  const alternatives = (options as readonly Node[]).map(compile);
  return (value) => {
    for (const accept of alternatives) {
      const output = accept(value);
      if (output !== REFUSED) return output;
    }
    return REFUSED;
  };
}

function compileVariant(node: Node): Acceptor {
  const key = String(node.key);
  const branches = (node.options as readonly Node[]).map((option) => ({
    marker: option.entries?.[key],
    accept: compile(option),
  }));
  if (branches.some(({ marker }) => marker === undefined || isOptional(marker))) {
    return byValibot(node);
  }
  const marked = branches.map(({ marker, accept }) => ({
    isMarked: compile(marker as Node),
    accept,
  }));
  return (value) => {
    if (typeof value !== 'object' || value === null || !(key in value)) return REFUSED;
    const mark = (value as Record<string, unknown>)[key];
    for (const { isMarked, accept } of marked) {
      if (isMarked(mark) !== REFUSED) return accept(value);
    }
    return REFUSED;
  };
}

interface Member {
  readonly name: string;
  readonly accept: Acceptor;
  readonly absent: 'refused' | 'left out' | (() => unknown);
}

function compileObject(node: Node): Acceptor {
  const entries = Object.entries(node.entries ?? {});
  if (entries.some(([, member]) => member.fallback !== undefined)) return byValibot(node);
  const members = entries.map(([name, member]): Member => {
    const absent = member.default === undefined ? 'left out' : () => defaultOf(member);
    return { name, accept: compile(member), absent: isOptional(member) ? absent : 'refused' };
  });
  const names = new Set(members.map(({ name }) => name));
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return REFUSED;
    for (const name in value) if (!names.has(name)) return REFUSED;
    const output: Record<string, unknown> = {};
    for (const { name, accept, absent } of members) {
      const isThere = name in value;
      if (!isThere && absent === 'refused') return REFUSED;
      if (!isThere && absent === 'left out') continue;
      const sent = isThere ? (value as Record<string, unknown>)[name] : (absent as () => unknown)();
      const accepted = accept(sent);
      if (accepted === REFUSED) return REFUSED;
      output[name] = accepted;
    }
    return output;
  };
}

/** Whether a member may be absent, by the type of its schema, as valibot decides it. */
function isOptional({ type }: Node): boolean {
  return type === 'optional' || type === 'exact_optional' || type === 'nullish';
}
