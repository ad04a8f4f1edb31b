/** The help texts of the command line and of each command. */
import { CONTRACT_DOCUMENT_VERSION } from '@agentkeep/core';
import {
  fileFlagOf,
  fileVariableOf,
  flagOf,
  type OptionName,
  optionTable,
  secrecyOf,
  variableOf,
} from '../options/option-table.js';
import type { Command, OwnFlag } from './command.js';

const WIDTH = 80;

/** Returns the usage line of a command. */
export function usageOf({ name, positionals }: Command): string {
  const words = ['agentkeep', name, ...positionals.map((each) => `<${each}>`), '[options]'];
  return words.join(' ');
}

/** Returns the text of `agentkeep --help`. */
export function overview(commands: readonly Command[]): string {
  const calls = commands.map(
    ({ name, positionals, summary }) =>
      [[name, ...positionals.map((each) => `<${each}>`)].join(' '), summary] as const,
  );
  return text([
    `Agentkeep ${CONTRACT_DOCUMENT_VERSION}: durable memory and access control for AI agents.`,
    '',
    'Usage: agentkeep <command> [options]',
    '',
    'Commands:',
    ...columns(calls),
    '',
    'New here? `agentkeep dev` makes a data directory and a demo tenant, prints requests',
    'to paste, and serves. In production: `agentkeep bootstrap-master`, then `agentkeep serve`.',
    '`agentkeep <command> --help` explains a command and its options.',
    '',
    'Options:',
    ...columns([
      ['--help, -h', 'Show this help, or the help of a command.'],
      ['--version', 'Show the version.'],
    ]),
  ]);
}

/** Returns the text of `agentkeep <command> --help`. */
export function helpOf(command: Command): string {
  const json: [string, string][] =
    command.hasJson === true ? [['--json', 'Print the result as one JSON line.']] : [];
  return text([
    `Usage: ${usageOf(command)}`,
    '',
    ...command.description.flatMap((paragraph) => [...wrap(paragraph, WIDTH), '']),
    'Options:',
    ...columns([
      ...(command.ownFlags ?? []).map(describeOwn),
      ...command.options.flatMap(describe),
      ['--config <file>', 'JSON file with options as members, for example {"port": 8080}.'],
      ...json,
      ['--print-config', 'Print the effective options and where each one comes from.'],
      ['--help, -h', 'Show this help.'],
    ]),
    '',
    'A flag overrides its environment variable, which overrides the file:',
    ...command.options.flatMap(spellings),
    '',
    'Exit status: 0 on success, 1 on failure with the reason on standard error.',
    '',
    'Examples:',
    ...command.examples.map((example) => `  ${example}`),
  ]);
}

function describe(name: OptionName): [string, string][] {
  const { placeholder, summary, byDefault } = optionTable[name];
  const own: [string, string] = [
    `--${flagOf(name)} ${placeholder}`,
    `${summary} Default: ${byDefault}.`,
  ];
  if (secrecyOf(name) === undefined) return [own];
  return [own, [`--${fileFlagOf(name)} <file>`, `File with ${name}, which keeps it secret.`]];
}

/** Returns the spellings of an option in all its sources. */
function spellings(name: OptionName): string[] {
  const own = `  --${flagOf(name)}, ${variableOf(name)}, "${name}"`;
  if (secrecyOf(name) === undefined) return [own];
  return [own, `  --${fileFlagOf(name)}, ${fileVariableOf(name)}, "${name}_file"`];
}

function describeOwn({ name, placeholder, summary }: OwnFlag): [string, string] {
  return [placeholder === undefined ? `--${name}` : `--${name} ${placeholder}`, summary];
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
