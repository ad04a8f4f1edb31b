/** The help texts of the command line and of each command. */
import { CONTRACT_DOCUMENT_VERSION } from '@agentkeep/core';
import {
  fileFlagOf,
  fileVariableOf,
  flagOf,
  type OptionName,
  secrecyOf,
  variableOf,
} from '../../options/option-table.js';
import {
  type ClientCommand,
  type Command,
  isServiceCommand,
  type OwnFlag,
  type ServiceCommand,
} from '../command/command.js';
import { flagsOf } from './command-flags.js';

const WIDTH = 80;

/** Returns the usage line of a command. */
export function usageOf({ name, positionals }: Command): string {
  return ['agentkeep', name, ...positionals.map(shownPositional), '[options]'].join(' ');
}

function shownPositional(name: string): string {
  const isOptional = name.endsWith('?') || name.endsWith('...');
  return isOptional ? `[${name.replace(/\?$/, '')}]` : `<${name}>`;
}

/** Returns the text of `agentkeep --help`: groups of commands have one line each. */
export function overview(
  service: readonly ServiceCommand[],
  client: readonly ClientCommand[],
): string {
  return text([
    `Agentkeep ${CONTRACT_DOCUMENT_VERSION}: durable memory and access control for AI agents.`,
    '',
    'Usage: agentkeep <command> [options]',
    '',
    'Server commands, on the machine with the store:',
    ...columns(service.map(rowOf)),
    '',
    'Client commands, for a running server:',
    ...columns(groupRows(client)),
    '',
    'New here? `agentkeep dev` starts a server with a demo tenant and prints commands',
    'to try. In production: `agentkeep bootstrap-tenant`, then `agentkeep serve`.',
    '`agentkeep <command> --help` explains a command and its options.',
    '',
    'Options:',
    ...columns([
      ['--help, -h', 'Show this help, or the help of a command.'],
      ['--version', 'Show the version.'],
    ]),
  ]);
}

/** Returns the help of a group of commands, such as `agentkeep credentials --help`. */
export function groupHelp(group: string, commands: readonly Command[]): string {
  return text([
    `Usage: agentkeep ${group} <command> [options]`,
    '',
    'Commands:',
    ...columns(commands.filter(({ name }) => name.startsWith(`${group} `)).map(rowOf)),
    '',
    `\`agentkeep ${group} <command> --help\` explains a command and its options.`,
  ]);
}

function rowOf({ name, positionals, summary }: Command): [string, string] {
  return [[name, ...positionals.map(shownPositional)].join(' '), summary];
}

/** Returns a row for each command and each group, which lists its commands. */
function groupRows(commands: readonly Command[]): [string, string][] {
  const words = new Map<string, string[]>();
  for (const { name, summary } of commands) {
    const [word = name, rest] = name.split(' ');
    words.set(word, [...(words.get(word) ?? []), rest ?? summary]);
  }
  return [...words].map(([word, rest]) => [word, rest.length > 20 ? ALL : rest.join(', ')]);
}

const ALL = 'Any API operation, by name.';

/** Returns the text of `agentkeep <command> --help`. */
export function helpOf(command: Command): string {
  return text([
    `Usage: ${usageOf(command)}`,
    '',
    ...command.description.flatMap((paragraph) => [...wrap(paragraph, WIDTH), '']),
    'Options:',
    ...columns([...flagsOf(command).map(flagRow), ['--help, -h', 'Show this help.']]),
    '',
    ...(isServiceCommand(command) ? sourcesOf(command) : []),
    'Exit status: 0 on success, 1 on failure with the reason on standard error.',
    '',
    'Examples:',
    ...command.examples.map((example) => `  ${example}`),
  ]);
}

function flagRow({ name, placeholder, summary, choices, isRepeatable }: OwnFlag): [string, string] {
  const allowed = choices === undefined ? '' : ` One of ${choices.join(', ')}.`;
  const often = isRepeatable === true ? ' May be repeated.' : '';
  return [
    placeholder === undefined ? `--${name}` : `--${name} ${placeholder}`,
    `${summary}${allowed}${often}`,
  ];
}

function sourcesOf({ options }: ServiceCommand): string[] {
  if (options.length === 0) return [];
  return [
    'A flag overrides its environment variable, which overrides the file:',
    ...options.flatMap(spellings),
    '',
  ];
}

/** Returns the spellings of an option in all its sources. */
function spellings(name: OptionName): string[] {
  const own = `  --${flagOf(name)}, ${variableOf(name)}, "${name}"`;
  if (secrecyOf(name) === undefined) return [own];
  return [own, `  --${fileFlagOf(name)}, ${fileVariableOf(name)}, "${name}_file"`];
}

/** Returns two columns, with the right one wrapped. */
function columns(rows: readonly (readonly [string, string])[]): string[] {
  const left = Math.max(...rows.map(([term]) => term.length)) + 4;
  return rows.flatMap(([term, meaning]) =>
    wrap(meaning, Math.max(WIDTH - left, 30)).map((line, at) =>
      ((at === 0 ? `  ${term}` : '').padEnd(left) + line).trimEnd(),
    ),
  );
}

function wrap(paragraph: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of paragraph.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (longer.length > width && line !== '') {
      lines.push(line);
      line = word;
    } else {
      line = longer;
    }
  }
  return [...lines, line];
}

function text(lines: readonly string[]): string {
  return `${lines.join('\n')}\n`;
}
