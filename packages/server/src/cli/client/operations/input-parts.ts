/** The input of a call from the flags of a command line. */
import { readSecretFile } from '../../../options/secret-file.js';
import { requirePrivate } from '../profiles/private-file.js';
import type { CommandIo } from '../../command/command.js';
import type { GivenFlags } from '../../command/given-flags.js';
import { UsageError } from '../../command/usage-error.js';
import { jsonOf, numberOf } from '../flag-values.js';
import { timeOf } from '../../command/time-of.js';
import { inputText } from '../input-text.js';
import type { InputFlag, OperationInput } from './operation-input.js';

/** A document or a set of parameters that is being assembled. */
type Members = Record<string, unknown>;

/** The input of an operation. */
export interface InputParts {
  readonly id?: string;
  readonly parameters?: Members;
  readonly document?: Members;
}

/**
 * Reads the input of an operation: the document of `--document`, then each flag on top of it.
 * @throws {UsageError} for a flag whose value has not the form of its member.
 */
export async function readInputParts(
  input: OperationInput,
  { io, given, id }: { io: CommandIo; given: GivenFlags; id: string | undefined },
): Promise<InputParts> {
  const parameters: Members = structuredClone({ ...input.parameters });
  const document: Members = {
    ...structuredClone(input.document),
    ...(await documentIn(io, given.text('document'))),
  };
  for (const flag of input.flags) {
    const values = given.all(flag.name);
    if (values.length === 0) continue;
    const target = flag.part === 'document' ? document : parameters;
    put(target, flag.path, await valueOf(flag, values, io));
  }
  return {
    ...(id === undefined ? {} : { id }),
    ...(input.parameters === undefined ? {} : { parameters }),
    ...(input.document === undefined ? {} : { document }),
  };
}

async function documentIn(io: CommandIo, file: string | undefined): Promise<Members> {
  if (file === undefined) return {};
  const value = jsonOf(await inputText(io, file, '--document'), '--document');
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw new UsageError('--document: the file must hold one JSON object.');
}

function put(target: Members, path: readonly string[], value: unknown): void {
  const [name = '', ...rest] = path;
  if (rest.length === 0) {
    target[name] = value;
    return;
  }
  const inner = (target[name] ??= {}) as Members;
  put(inner, rest, value);
}

async function valueOf(
  { name, form, isNullable }: InputFlag,
  values: readonly string[],
  io: CommandIo,
): Promise<unknown> {
  const [value = ''] = values;
  if (isNullable && value === 'null' && form !== 'text') return null;
  switch (form) {
    case 'text':
      return value;
    case 'number':
      return numberOf(value, `--${name}`);
    case 'time':
      return timeOf(value, `--${name}`);
    case 'boolean':
      return value === 'true';
    case 'list':
      return values;
    case 'json':
      return jsonOf(value, `--${name}`);
    case 'object':
      return objectOf(value, name);
    case 'objects':
      return values.flatMap((each) => objectOf(each, name));
    case 'file':
      if (value === '-') {
        return (await inputText(io, value, `--${name}`)).replace(/\r?\n$/, '');
      }
      requirePrivate(io, value);
      return readSecretFile(value, `--${name}`);
  }
}

/** Reads `name=value,name=value`, or JSON. Several objects are one JSON array. */
function objectOf(text: string, name: string): unknown {
  if (/^\s*[[{]/.test(text)) return jsonOf(text, `--${name}`);
  const members = text.split(',').map((pair) => {
    const at = pair.indexOf('=');
    if (at > 0) return [pair.slice(0, at).trim(), scalarOf(pair.slice(at + 1))];
    throw new UsageError(
      `--${name}: ${JSON.stringify(text)} is neither name=value,name=value nor JSON.`,
    );
  });
  return Object.fromEntries(members);
}

const SCALARS = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

function scalarOf(text: string): unknown {
  return SCALARS.has(text) ? SCALARS.get(text) : text;
}
