/** Reads options from flags, environment variables and the configuration file. */
import { readFileSync } from 'node:fs';
import { InvalidJsonError, parseJson } from '@agentkeep/core/transport';
import { adminPasswordVariables } from './admin-password.js';
import {
  fileVariableOf,
  flagOf,
  type OptionName,
  optionNames,
  optionTable,
  VARIABLE_PREFIX,
  variableOf,
} from './option-table.js';

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

const BOOLEANS = new Map([
  ['true', true],
  ['false', false],
]);

/** Member of a file that groups options: `audit.reads` is the option `audit_reads`. */
const AUDIT_GROUP = 'audit';

const DIGITS = /^\d{1,16}$/;

/** Reads flags. The command line has refused unknown ones before. */
export function readFlags(flags: OptionFlags): SourceReading {
  const given = optionNames.flatMap((name) => {
    const text = flags[name];
    return text === undefined ? [] : [fromText(name, text, `--${flagOf(name)}`)];
  });
  return { given, problems: [] };
}

/** Reads the variables that start with the prefix of the service; unknown ones are problems. */
export function readEnvironment(
  environment: Readonly<Partial<Record<string, string>>>,
): SourceReading {
  const names = new Map(optionNames.map((name) => [variableOf(name), name]));
  const { given, problems } = readSecretFiles(environment);
  for (const [variable, text] of Object.entries(environment)) {
    if (text === undefined || !variable.startsWith(VARIABLE_PREFIX)) continue;
    if (adminPasswordVariables.includes(variable) || isFileVariable(variable)) continue;
    const name = names.get(variable);
    if (name !== undefined) given.push(fromText(name, text, variable));
    else
      problems.push(
        `${variable}: unknown variable. Known variables: ${[...names.keys()].join(', ')}.`,
      );
  }
  return { given, problems };
}

function isFileVariable(variable: string): boolean {
  return optionNames.some((name) => fileVariableOf(name) === variable);
}

/** Reads the files named by the `_FILE` variables of options that may be secrets. */
function readSecretFiles(environment: Readonly<Partial<Record<string, string>>>): {
  given: GivenOption[];
  problems: string[];
} {
  const given: GivenOption[] = [];
  const problems: string[] = [];
  for (const name of optionNames) {
    const variable = fileVariableOf(name);
    const file = variable === undefined ? undefined : environment[variable];
    if (variable === undefined || file === undefined) continue;
    if (environment[variableOf(name)] !== undefined) {
      problems.push(`${variableOf(name)} and ${variable} are both set. Set one of them.`);
      continue;
    }
    try {
      given.push(fromText(name, readFileSync(file, 'utf8').replace(/\r?\n$/, ''), variable));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      problems.push(`${variable}: ${file} cannot be read (${reason}).`);
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
    if (error instanceof InvalidJsonError) return refused(error.message);
    throw error;
  }
}

function readMembers(members: object, file: string): SourceReading {
  const names = new Map<string, OptionName>(optionNames.map((name) => [name, name]));
  for (const name of optionNames) {
    const { alias } = optionTable[name] as { alias?: string };
    if (alias !== undefined) names.set(alias, name);
  }
  const given: GivenOption[] = [];
  const problems: string[] = [];
  for (const [member, value] of flattened(members)) {
    const name = names.get(member);
    const origin = `${member} in ${file}`;
    if (name === undefined) {
      problems.push(`${origin}: unknown option. Known options: ${[...names.keys()].join(', ')}.`);
    } else if (given.some((other) => other.name === name)) {
      problems.push(`${origin}: this option is given twice, under two names.`);
    } else {
      given.push({ name, value, written: JSON.stringify(value), origin });
    }
  }
  return { given, problems };
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
