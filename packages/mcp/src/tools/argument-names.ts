/** Names the arguments of a tool in errors that name the members of an operation. */
import { AgentkeepError } from '@agentkeep/client';

/** Paths of the operation, and what replaces the matching part. */
export type Renaming = readonly [path: RegExp, argument: string];

/** What an error says in terms of a tool. */
export interface ArgumentNaming {
  /** The first one that matches applies. */
  readonly renamings: readonly Renaming[] | undefined;
  /** What to do about a wrong argument. */
  readonly advice: string;
}

/** Returns an error with the paths of arguments; one without members as it is. */
export function withArgumentNames(
  error: unknown,
  { renamings = [], advice }: ArgumentNaming,
): unknown {
  if (!(error instanceof AgentkeepError) || error.members.length === 0) return error;
  const { code, details, message } = error;
  const members = error.members.map(({ path, expected }) => ({
    path: argumentOf(path, renamings),
    expected,
  }));
  const options = { members, details, cause: error };
  // A message of its own names no member.
  if (message === error.advice) return new AgentkeepError(code, { ...options, message });
  const next = code === 'invalid_request' ? advice : error.advice;
  return new AgentkeepError(code, { ...options, advice: next });
}

function argumentOf(path: string, renamings: readonly Renaming[]): string {
  const renaming = renamings.find(([pattern]) => pattern.test(path));
  return renaming === undefined ? path : path.replace(...renaming);
}
