/**
 * The places that options come from, each read into values with a note of where they stood.
 * @module
 */
import { readFileSync } from 'node:fs';
import { InvalidJsonError, parseJson } from '@agentkeep/core';
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

/** A value that was given for an option, and where. */
export interface GivenOption {
  readonly name: OptionName;
  /** As a configuration file would hold it. */
  readonly value: unknown;
  /** As it was written, for messages. */
  readonly written: string;
  /** Where it stood, for messages: a flag, a variable, or a member of a file. */
  readonly origin: string;
}

/** What a source holds, and what is wrong with it apart from single values. */
export interface SourceReading {
  readonly given: readonly GivenOption[];
  readonly problems: readonly string[];
}

/** Options as the command line gave them. */
export type OptionFlags = Readonly<Partial<Record<OptionName, string>>>;

const BOOLEANS = new Map([
  ['true', true],
  ['false', false],
]);

/** A member of a file that groups options; its name and an underscore begin theirs. */
const AUDIT_GROUP = 'audit';

const DIGITS = /^\d{1,16}$/;

/** Reads flags; unknown ones are the command line's concern. */
export function readFlags(flags: OptionFlags): SourceReading {
  const given = optionNames.flatMap((name) => {
    const text = flags[name];
    return text === undefined ? [] : [fromText(name, text, `--${flagOf(name)}`)];
  });
  return { given, problems: [] };
}

/** Reads the variables with the prefix of the service; one of another name is a problem. */
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
    else problems.push(`${variable}: unknown variable. Known are ${[...names.keys()].join(', ')}.`);
  }
  return { given, problems };
}

function isFileVariable(variable: string): boolean {
  return optionNames.some((name) => fileVariableOf(name) === variable);
}

/** Reads the files that variables name for options which may be secrets. */
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
      problems.push(`${variableOf(name)} and ${variable}: give one of the two.`);
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
        `--config: ${file} cannot be read (${reason}). Check the path, and who may read it.`,
      ],
    };
  }
  return readConfigText(bytes, file);
}

function readConfigText(bytes: Uint8Array, file: string): SourceReading {
  const refused = (reason: string): SourceReading => ({
    given: [],
    problems: [`${file} is no configuration: ${reason}`],
  });
  try {
    const { value, withDuplicatesMarked } = parseJson(bytes);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return refused('it has to hold one JSON object with options as members.');
    }
    if (withDuplicatesMarked !== undefined) return refused('it names a member twice.');
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
      problems.push(`${origin}: unknown option. Known are ${[...names.keys()].join(', ')}.`);
    } else if (given.some((other) => other.name === name)) {
      problems.push(`${origin}: this option is there twice, under two names.`);
    } else {
      given.push({ name, value, written: JSON.stringify(value), origin });
    }
  }
  return { given, problems };
}

/** The members of a file, those of the group in place of it. */
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

/** A text as the value that it stands for; one that stands for none is left for the schema. */
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
