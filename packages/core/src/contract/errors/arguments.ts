/** Errors for wrong use of the API in process. Each names the arguments at fault. */
import { AgentkeepError, type RefusedMember } from './agentkeep-error.js';

/** The error for arguments that a call lacks. */
export function missingArguments(call: string, names: readonly string[]): AgentkeepError {
  const members = names.map((path) => ({ path, expected: 'a value, since it is required' }));
  const isOne = names.length === 1;
  const message = `${call}: ${isOne ? 'the argument' : 'the arguments'} ${listed(names)} ${isOne ? 'is' : 'are'} missing.`;
  return new AgentkeepError('invalid_request', { members, message });
}

/** The error for arguments with wrong members; each path is named once. */
export function wrongMembers(call: string, found: readonly RefusedMember[]): AgentkeepError {
  const members = [...new Map(found.map((member) => [member.path, member])).values()];
  const wrong = members.map(({ path, expected }) => `\`${path}\`: expected ${expected}`);
  return new AgentkeepError('invalid_request', {
    members,
    message: `${call}: ${wrong.join('; ')}.`,
  });
}

/**
 * Refuses a call that lacks an argument.
 * @throws {AgentkeepError} `invalid_request`
 */
export function requireArguments(call: string, given: Readonly<Record<string, unknown>>): void {
  const missing = Object.keys(given).filter((name) => (given[name] ?? undefined) === undefined);
  if (missing.length > 0) throw missingArguments(call, missing);
}

/**
 * Refuses options that a call does not know, which would otherwise be ignored.
 * @throws {AgentkeepError} `invalid_request`
 */
export function refuseUnknownOptions<T extends object>(
  call: string,
  given: T,
  known: readonly (keyof T & string)[],
): void {
  if (typeof given !== 'object') {
    throw wrongMembers(call, [{ path: 'options', expected: 'an object' }]);
  }
  const unknown = Object.keys(given).filter((name) => !(known as readonly string[]).includes(name));
  if (unknown.length === 0) return;
  const hints = unknown.flatMap((name) => similarNames(name, known));
  const hint = hints.length === 0 ? `It takes ${listed(known)}.` : `Did you mean ${listed(hints)}?`;
  const message = `${call}: unknown option ${listed(unknown)}. ${hint}`;
  const members = unknown.map((path) => ({ path, expected: 'no such option' }));
  throw new AgentkeepError('invalid_request', { members, message });
}

/** Returns the known names that differ only in letter case and underscores. */
function similarNames(name: string, known: readonly string[]): string[] {
  return known.filter((each) => plain(each) === plain(name));
}

function plain(name: string): string {
  return name.replaceAll('_', '').toLowerCase();
}

function listed(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ');
}
