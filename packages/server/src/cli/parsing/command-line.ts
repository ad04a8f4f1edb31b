/** Parses the arguments of one command. */
import { parseArgs } from 'node:util';
import { loggableText } from '../log/loggable.js';
import { fileFlagOf, flagOf, type OptionName, secretNames } from '../options/option-table.js';
import type { Command } from './command.js';
import { UsageError } from './usage-error.js';

/** The parsed arguments of a command; option values are not validated yet. */
export interface CommandLine {
  readonly flags: Readonly<Partial<Record<OptionName, string>>>;
  /** Files that flags name for secrets. */
  readonly secretFiles: Readonly<Partial<Record<OptionName, string>>>;
  readonly configFile: string | undefined;
  readonly positionals: readonly string[];
  readonly json: boolean;
  /** Whether to print the options and do nothing else. */
  readonly printsConfig: boolean;
  readonly ownFlags: Readonly<Partial<Record<string, string | true>>>;
}

const CONFIG = 'config';
const JSON_FLAG = 'json';
const PRINT_CONFIG = 'print-config';

/** Returns whether the arguments ask for help. */
export function asksForHelp(words: readonly string[]): boolean {
  const end = words.indexOf('--');
  const flags = end === -1 ? words : words.slice(0, end);
  return flags.includes('--help') || flags.includes('-h');
}

/**
 * Parses the arguments after the command name.
 * @throws {UsageError} for unknown or repeated flags and a wrong number of arguments.
 */
export function readCommandLine(command: Command, words: readonly string[]): CommandLine {
  const { values, positionals } = parse(command, words);
  const given = new Map<string, string | true>();
  for (const [flag, all] of Object.entries(values)) {
    const [value, ...more] = all ?? [];
    if (more.length > 0) throw new UsageError(`--${flag} is given more than once.`);
    given.set(flag, typeof value === 'string' ? value : true);
  }
  const wanted = command.positionals;
  const printsConfig = given.has(PRINT_CONFIG);
  if (positionals.length !== wanted.length && !printsConfig) {
    const names = wanted.length === 0 ? 'none' : wanted.map((name) => `<${name}>`).join(' ');
    throw new UsageError(`${command.name} takes ${names} as arguments, got ${positionals.length}.`);
  }
  const flags = command.options.flatMap((name) => {
    const value = given.get(flagOf(name));
    return value === undefined ? [] : [[name, value]];
  });
  return {
    flags: Object.fromEntries(flags) as CommandLine['flags'],
    secretFiles: Object.fromEntries(
      secretsOf(command).flatMap((name) => {
        const value = given.get(fileFlagOf(name));
        return value === undefined ? [] : [[name, value]];
      }),
    ),
    configFile: textOf(given.get(CONFIG)),
    positionals,
    json: given.has(JSON_FLAG),
    printsConfig,
    ownFlags: Object.fromEntries(
      (command.ownFlags ?? []).flatMap(({ name }) => {
        const value = given.get(name);
        return value === undefined ? [] : [[name, value]];
      }),
    ),
  };
}

function secretsOf({ options }: Command): OptionName[] {
  return secretNames.filter((name) => options.includes(name));
}

function textOf(value: string | true | undefined): string | undefined {
  return value === true ? undefined : value;
}

type Flags = Record<string, { type: 'string' | 'boolean'; multiple: true }>;

function parse(command: Command, words: readonly string[]) {
  const options: Flags = {
    [CONFIG]: { type: 'string', multiple: true },
    [PRINT_CONFIG]: { type: 'boolean', multiple: true },
  };
  for (const name of command.options) options[flagOf(name)] = { type: 'string', multiple: true };
  for (const name of secretsOf(command)) {
    options[fileFlagOf(name)] = { type: 'string', multiple: true };
  }
  for (const { name, placeholder } of command.ownFlags ?? []) {
    options[name] = { type: placeholder === undefined ? 'boolean' : 'string', multiple: true };
  }
  if (command.hasJson === true) options[JSON_FLAG] = { type: 'boolean', multiple: true };
  try {
    const parsed = parseArgs({ args: [...words], options, strict: true, allowPositionals: true });
    return { values: parsed.values, positionals: parsed.positionals };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new UsageError(loggableText(error.message), { cause: error });
  }
}
