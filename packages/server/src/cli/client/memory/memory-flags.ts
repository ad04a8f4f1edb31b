/** Flags that several commands of memory take. */
import type { EpisodeType } from '@agentkeep/client';
import type { OwnFlag } from '../../command/command.js';
import type { GivenFlags } from '../../command/given-flags.js';
import { UsageError } from '../../command/usage-error.js';

/** The record types of the contract; any other type is a custom one. */
const TYPES = ['Conversation', 'TaskExecution', 'Observation', 'Decision', 'Error'] as const;

const LIMIT_DEFAULT = 20;

/** The type of a record. */
export const typeFlag: OwnFlag = {
  name: 'type',
  placeholder: '<type>',
  summary: `${TYPES.join(', ')}, or a type of your own.`,
};

/** Tags of a record. */
export const tagFlag: OwnFlag = {
  name: 'tag',
  placeholder: '<tag>',
  summary: 'A tag of the record.',
  isRepeatable: true,
};

/** Most rows of a table. */
export const limitFlag: OwnFlag = {
  name: 'limit',
  placeholder: '<number>',
  summary: `Most that are shown. Default: ${LIMIT_DEFAULT}.`,
};

/** Returns the type of the flag, or `undefined`. */
export function typeOf(flags: GivenFlags): EpisodeType | undefined {
  const text = flags.text('type');
  return text === undefined ? undefined : episodeType(text);
}

/** Returns the type that a word names: one of the contract, or a custom one. */
export function episodeType(text: string): EpisodeType {
  return TYPES.find((each) => each === text) ?? { Custom: text };
}

/**
 * Returns the limit of the flag, or the default.
 * @throws {UsageError} when it is not a positive integer.
 */
export function limitOf(flags: GivenFlags): number {
  return numberOf(flags, 'limit') ?? LIMIT_DEFAULT;
}

/**
 * Returns the number of a flag, or `undefined`.
 * @throws {UsageError} when it is not a positive integer.
 */
export function numberOf(flags: GivenFlags, name: string): number | undefined {
  const text = flags.text(name);
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new UsageError(`--${name}: ${JSON.stringify(text)} is not a positive integer.`);
}
