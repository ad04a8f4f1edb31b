/** Finds the command that a command line names and parses its arguments. */
import { Command as Parser, CommanderError, InvalidArgumentError, Option } from 'commander';
import { fileFlagOf, flagOf, type OptionName, secretNames } from '../../options/option-table.js';
import { type Command, isServiceCommand, type OwnFlag } from '../command/command.js';
import { GivenFlags } from '../command/given-flags.js';
import { UsageError } from '../command/usage-error.js';
import { flagsOf, PRINT_CONFIG } from './command-flags.js';

/** The parsed arguments of a command; option values are not validated yet. */
export interface CommandLine {
  readonly options: Readonly<Partial<Record<OptionName, string>>>;
  /** Files with secrets, by the flags that name them. */
  readonly secretFiles: Readonly<Partial<Record<OptionName, string>>>;
  readonly configFile: string | undefined;
  readonly positionals: readonly string[];
  readonly json: boolean;
  /** Whether to print the options and do nothing else. */
  readonly printsConfig: boolean;
  readonly flags: GivenFlags;
}

/** Returns whether the arguments ask for help. */
export function asksForHelp(words: readonly string[]): boolean {
  const end = words.indexOf('--');
  const flags = end === -1 ? words : words.slice(0, end);
  return flags.includes('--help') || flags.includes('-h');
}

/** Returns the command whose name the words begin with. */
export function commandOf(
  commands: readonly Command[],
  words: readonly string[],
): Command | undefined {
  const names = [words.slice(0, 2).join(' '), words[0]];
  return commands.find(({ name }) => names.includes(name));
}

/**
 * Parses the arguments after the name of a command.
 * @throws {UsageError} for unknown or repeated flags and a wrong number of arguments.
 */
export function readCommandLine(command: Command, words: readonly string[]): CommandLine {
  const parser = quietParser(command.name);
  for (const flag of flagsOf(command)) parser.addOption(optionOf(flag));
  const isOptional = words.includes(`--${PRINT_CONFIG}`);
  for (const name of command.positionals) {
    const plain = name.replace(/\?$/, '');
    const isNeeded = name === plain && !name.endsWith('...') && !isOptional;
    parser.argument(isNeeded ? `<${plain}>` : `[${plain}]`);
  }
  parse(parser, words);
  const takesAnyWords = command.positionals.some((name) => name.endsWith('...'));
  const empty = takesAnyWords ? -1 : parser.args.indexOf('');
  if (empty !== -1) throw new UsageError(`${command.positionals[empty] ?? ''} is empty.`);
  return lineOf(command, parser);
}

/** Explains that words name no command, with the nearest names. */
export function unknownCommand(commands: readonly Command[], words: readonly string[]): UsageError {
  const [word, ...rest] = words;
  if (word === undefined) return new UsageError('No command given.');
  if (rest.length === 0 && commands.some(({ name }) => name.startsWith(`${word} `))) {
    return new UsageError(`${word} needs a command.`);
  }
  const program = quietParser('agentkeep');
  const groups = new Map<string, Parser>();
  for (const { name } of commands) {
    const [first = name, second] = name.split(' ');
    const group = groups.get(first) ?? program.command(first);
    if (second === undefined) continue;
    group.addCommand(quietParser(second));
    groups.set(first, group);
  }
  try {
    parse(program, words);
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
  return new UsageError(`${JSON.stringify(word)} is not a command.`);
}

/** Returns a parser that throws instead of printing and ending the process. */
function quietParser(name: string): Parser {
  return new Parser(name)
    .exitOverride()
    .helpOption(false)
    .helpCommand(false)
    .configureOutput({ writeOut: () => undefined, writeErr: () => undefined });
}

function optionOf({ name, placeholder, choices, isRepeatable = false }: OwnFlag): Option {
  if (placeholder === undefined) return new Option(`--${name}`);
  // A placeholder is a type: the part in brackets is left out of messages.
  const option = new Option(`--${name} <value>`);
  return option.argParser((value, previous: readonly string[] | undefined) => {
    if (previous !== undefined && !isRepeatable) {
      throw new InvalidArgumentError(`--${name} is given more than once.`);
    }
    // No choice has a comma, so that a list of them is understood too.
    const values = isRepeatable && choices !== undefined ? value.split(',') : [value];
    if (choices !== undefined && !values.every((each) => choices.includes(each))) {
      throw new InvalidArgumentError(`Allowed: ${choices.join(', ')}.`);
    }
    return [...(previous ?? []), ...values];
  });
}

function parse(parser: Parser, words: readonly string[]): void {
  try {
    parser.parse([...words], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    throw new UsageError(sentenceOf(error), { cause: error });
  }
}

/** Returns the message of the parser as sentences, on one line. */
function sentenceOf({ message }: CommanderError): string {
  const [problem = '', ...hints] = message.replace(/^error: /, '').split('\n');
  const sentence = problem.slice(0, 1).toUpperCase() + problem.slice(1).replace(/\.?$/, '.');
  return [sentence, ...hints.map((hint) => hint.replace(/^\((.*)\)$/, '$1'))].join(' ');
}

function lineOf(command: Command, parser: Parser): CommandLine {
  const given = new Map<string, readonly string[]>();
  for (const option of parser.options) {
    const value: unknown = parser.opts<Record<string, unknown>>()[option.attributeName()];
    if (value !== undefined) {
      given.set(option.long?.slice(2) ?? '', Array.isArray(value) ? value.map(String) : []);
    }
  }
  const text = (flag: string) => given.get(flag)?.[0];
  const optionNames = isServiceCommand(command) ? command.options : [];
  const valuesOf = (names: readonly OptionName[], flag: (name: OptionName) => string) =>
    Object.fromEntries(
      names.flatMap((name) => {
        const value = text(flag(name));
        return value === undefined ? [] : [[name, value]];
      }),
    ) as CommandLine['options'];
  return {
    options: valuesOf(optionNames, flagOf),
    secretFiles: valuesOf(
      secretNames.filter((name) => optionNames.includes(name)),
      fileFlagOf,
    ),
    configFile: text('config'),
    positionals: parser.args,
    json: given.has('json'),
    printsConfig: given.has(PRINT_CONFIG),
    flags: new GivenFlags(given),
  };
}
