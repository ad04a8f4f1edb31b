/** Reads options from flags, environment variables and the configuration file. */
import { readFileSync } from 'node:fs';
import { InvalidJsonError, parseJson } from '@agentkeep/core/operator';
import { adminPasswordVariables } from './admin-password.js';
import { clientVariables } from './client-variables.js';
import {
  fileFlagOf,
  fileMemberOf,
  fileVariableOf,
  flagOf,
  type OptionName,
  optionNames,
  optionTable,
  secretNames,
  VARIABLE_PREFIX,
  variableOf,
} from './option-table.js';
import { similarName } from './similar-name.js';
import { syntaxFault } from './syntax-fault.js';

/** A value given for an option, and its origin. */
export interface GivenOption {
  readonly name: OptionName;
  /** In the form of a configuration file. */
  readonly value: unknown;
  /** As written, for messages. */
  readonly written: string;
  /** A flag, a variable or a member of a file, for messages. */
  readonly origin: string;
}

/** The options in one source, and its problems apart from invalid values. */
export interface SourceReading {
  readonly given: readonly GivenOption[];
  readonly problems: readonly string[];
}

/** Options given on the command line. */
export type OptionFlags = Readonly<Partial<Record<OptionName, string>>>;

/** Files with the values of options that may be secrets. */
export type SecretFiles = Readonly<Partial<Record<OptionName, string>>>;

const BOOLEANS = new Map([
  ['true', true],
  ['false', false],
]);

/** Member of a file that groups options: `audit.reads` is the option `audit_reads`. */
const AUDIT_GROUP = 'audit';

const DIGITS = /^\d{1,16}$/;

/** Reads flags. The command line has refused unknown ones before. */
export function readFlags(flags: OptionFlags, files: SecretFiles = {}): SourceReading {
  const given = optionNames.flatMap((name) => {
    const text = flags[name];
    return text === undefined ? [] : [fromText(name, text, `--${flagOf(name)}`)];
  });
  const secrets = readSecretFiles((name) => ({
    file: files[name],
    origin: `--${fileFlagOf(name)}`,
    rival: flags[name] === undefined ? undefined : `--${flagOf(name)}`,
  }));
  return { given: [...given, ...secrets.given], problems: secrets.problems };
}

/** Variables of single commands, which no command refuses. */
const otherVariables = [...adminPasswordVariables, ...clientVariables];

/** Reads the variables that start with the prefix of the service; unknown ones are problems. */
export function readEnvironment(
  environment: Readonly<Partial<Record<string, string>>>,
): SourceReading {
  const names = new Map(optionNames.map((name) => [variableOf(name), name]));
  const { given, problems } = readSecretFiles((name) => ({
    file: environment[fileVariableOf(name)],
    origin: fileVariableOf(name),
    rival: environment[variableOf(name)] === undefined ? undefined : variableOf(name),
  }));
  for (const [variable, text] of Object.entries(environment)) {
    if (text === undefined || !variable.startsWith(VARIABLE_PREFIX)) continue;
    if (otherVariables.includes(variable) || isFileVariable(variable)) continue;
    const name = names.get(variable);
    if (name !== undefined) given.push(fromText(name, text, variable));
    else problems.push(`${variable}: unknown variable. ${hintFor(variable, 'variables', names)}`);
  }
  return { given, problems };
}

/** Names what is most like an unknown name, and all that is known. */
function hintFor(unknown: string, kind: string, names: ReadonlyMap<string, unknown>): string {
  const known = [...names.keys()];
  const similar = similarName(unknown, known);
  const guess = similar === undefined ? '' : `Did you mean ${similar}? `;
  return `${guess}Known ${kind}: ${known.join(', ')}.`;
}

function isFileVariable(variable: string): boolean {
  return secretNames.some((name) => fileVariableOf(name) === variable);
}

/** A file that one source names for a secret. */
interface NamedFile {
  readonly file: string | undefined;
  /** The spelling that names it. */
  readonly origin: string;
  /** The spelling of the value itself, if the same source sets that too. */
  readonly rival: string | undefined;
}

/** Reads the files with secrets that one source names. */
function readSecretFiles(fileOf: (name: OptionName) => NamedFile): {
  given: GivenOption[];
  problems: string[];
} {
  const given: GivenOption[] = [];
  const problems: string[] = [];
  for (const name of secretNames) {
    const { file, origin, rival } = fileOf(name);
    if (file === undefined) continue;
    if (rival !== undefined) {
      problems.push(`${rival} and ${origin} are both set. Set one of them.`);
      continue;
    }
    try {
      given.push(fromText(name, readFileSync(file, 'utf8').replace(/\r?\n$/, ''), origin));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      problems.push(`${origin}: ${file} cannot be read (${reason}).`);
    }
  }
  return { given, problems };
}

/** Reads a configuration file: one JSON object with options as members. */
export function readConfigFile(file: string): SourceReading {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return {
      given: [],
      problems: [
        `--config: ${file} cannot be read (${reason}). Check the path and its permissions.`,
      ],
    };
  }
  return readConfigText(bytes, file);
}

function readConfigText(bytes: Uint8Array, file: string): SourceReading {
  const refused = (reason: string): SourceReading => ({
    given: [],
    problems: [`${file} is not a configuration file: ${reason}`],
  });
  try {
    const { value, withDuplicatesMarked } = parseJson(bytes);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return refused('it must hold one JSON object with options as members.');
    }
    if (withDuplicatesMarked !== undefined) return refused('it contains a member twice.');
    return readMembers(value, file);
  } catch (error) {
    if (error instanceof InvalidJsonError) return refused(`${error.message}${positionIn(bytes)}`);
    throw error;
  }
}

/**
 * Returns the position of a syntax error, in words; an empty text if the error is of another kind.
 */
function positionIn(bytes: Uint8Array): string {
  const fault = syntaxFault(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes));
  if (fault === undefined) return '';
  return ` See line ${fault.line}, column ${fault.column}.`;
}

function readMembers(members: object, file: string): SourceReading {
  const names = memberNames();
  const entries = flattened(members);
  const { given, problems } = readSecretMembers(new Map(entries), file);
  for (const [member, value] of entries) {
    const name = names.get(member);
    const origin = `${member} in ${file}`;
    if (secretNames.some((secret) => fileMemberOf(secret) === member)) continue;
    if (name === undefined) {
      problems.push(`${origin}: unknown option. ${hintFor(member, 'options', names)}`);
    } else if (given.some((other) => other.name === name)) {
      problems.push(`${origin}: this option is given twice, under two names.`);
    } else {
      given.push({ name, value, written: JSON.stringify(value), origin });
    }
  }
  return { given, problems };
}

/** Returns the options by the names that they have in a file. */
function memberNames(): ReadonlyMap<string, OptionName> {
  const names = new Map<string, OptionName>(optionNames.map((name) => [name, name]));
  for (const name of optionNames) {
    const { alias } = optionTable[name] as { alias?: string };
    if (alias !== undefined) names.set(alias, name);
  }
  return names;
}

/** Reads the files with secrets that members name. */
function readSecretMembers(members: ReadonlyMap<string, unknown>, file: string) {
  const wrong: string[] = [];
  const { given, problems } = readSecretFiles((name) => {
    const member = fileMemberOf(name);
    const origin = `${member} in ${file}`;
    const named = members.get(member);
    if (named !== undefined && typeof named !== 'string') {
      wrong.push(`${origin}: ${JSON.stringify(named)} is refused. Allowed: the path of a file.`);
    }
    return {
      file: typeof named === 'string' ? named : undefined,
      origin,
      rival: members.has(name) ? `${name} in ${file}` : undefined,
    };
  });
  return { given, problems: [...problems, ...wrong] };
}

/** Returns the members of a file, with the group flattened. */
function flattened(members: object): [string, unknown][] {
  return Object.entries(members).flatMap(([member, value]: [string, unknown]) => {
    const isGroup = member === AUDIT_GROUP && typeof value === 'object' && value !== null;
    if (!isGroup || Array.isArray(value)) return [[member, value]];
    return Object.entries(value).map(([name, each]): [string, unknown] => [
      `${AUDIT_GROUP}_${name}`,
      each,
    ]);
  });
}

/** Converts a text to its value; an unconvertible one stays for the schema to refuse. */
function fromText(name: OptionName, text: string, origin: string): GivenOption {
  const written = JSON.stringify(text);
  switch (optionTable[name].form) {
    case 'text':
      return { name, value: text, written, origin };
    case 'number':
      return { name, value: DIGITS.test(text) ? Number(text) : text, written, origin };
    case 'boolean':
      return { name, value: BOOLEANS.get(text) ?? text, written, origin };
    case 'list': {
      const parts = text.split(',').map((part) => part.trim());
      return { name, value: text.trim() === '' ? [] : parts, written, origin };
    }
  }
}
