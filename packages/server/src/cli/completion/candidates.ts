/** Finds the possible next words of a command line. */
import type { Command, CommandIo } from '../command/command.js';
import { readProfiles } from '../client/profiles/profile-file.js';
import { flagsOf } from '../parsing/command-flags.js';
import { commandOf } from '../parsing/command-line.js';

/** Finds the possible next words of a command line. */
export interface CandidateSources {
  readonly commands: readonly Command[];
  readonly io: Pick<CommandIo, 'environment'>;
}

/**
 * Returns the words that may replace the last one, which is a prefix of each. An empty list means:
 * complete the name of a file.
 */
export function candidatesFor(sources: CandidateSources, words: readonly string[]): string[] {
  const last = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  return possible(sources, before, last).filter((each) => each.startsWith(last));
}

function possible(
  { commands, io }: CandidateSources,
  before: readonly string[],
  last: string,
): readonly string[] {
  const command = commandOf(commands, before);
  if (command === undefined) return wordsAfter(commands, before);
  const flags = flagsOf(command);
  const open = flags.find((flag) => `--${flag.name}` === before.at(-1));
  if (open?.placeholder !== undefined) {
    return open.name === 'profile' ? profileNames(io) : (open.choices ?? []);
  }
  if (!last.startsWith('-')) return [];
  return flags
    .filter(({ name, isRepeatable }) => isRepeatable === true || !before.includes(`--${name}`))
    .map(({ name }) => `--${name}`);
}

/** Returns the first words of all commands, or the second ones of a group. */
function wordsAfter(commands: readonly Command[], before: readonly string[]): string[] {
  const parts = commands.map(({ name }) => name.split(' '));
  const next = parts
    .filter((names) => before.every((word, at) => names[at] === word))
    .map((names) => names[before.length]);
  return [...new Set(next)].filter((word) => word !== undefined);
}

function profileNames(io: CandidateSources['io']): string[] {
  return Object.keys(readProfiles(io).profiles);
}
