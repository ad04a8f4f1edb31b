/** Sessions of coding agents, from the records that they stored. */
import type { SearchMatch } from '@agentkeep/client';
import { writeConditions } from '../memory/member-conditions.js';
import { pathOf } from '../../routing/address.js';
import { scopeQuery, scopeText, type ShownScope } from '../../scopes/scope-query.js';

/** The tag of what hooks of coding agents store. */
export const CODING_AGENT = 'coding-agent';

/** What one session of a coding agent stored in one scope. */
export interface CodingSession {
  readonly shown: ShownScope;
  /** The program, such as `claude-code`, and its session; absent where the record states none. */
  readonly host: string | undefined;
  readonly session: string | undefined;
  /** Its first words; absent for records from before its first prompt. */
  readonly title: string | undefined;
  readonly records: number;
  readonly newestMillis: number;
}

/** Returns the sessions of records in order: the one that stored last comes first. */
export function sessionsOf(
  found: readonly { readonly match: SearchMatch; readonly shown: ShownScope }[],
): readonly CodingSession[] {
  const sessions = new Map<string, CodingSession>();
  for (const { match, shown } of found) {
    const { metadata, event_time_millis: at } = match.record.payload;
    const host = textIn(metadata, 'host');
    const session = textIn(metadata, 'session');
    const key = JSON.stringify([scopeText(shown.scope), shown, host, session]);
    const known = sessions.get(key);
    sessions.set(key, {
      ...{ shown, host, session },
      title: known?.title ?? textIn(metadata, 'title'),
      records: (known?.records ?? 0) + 1,
      newestMillis: Math.max(known?.newestMillis ?? at, at),
    });
  }
  return [...sessions.values()];
}

/** Returns the path of the list of what a session stored, also of what is no longer valid. */
export function sessionPath({ shown, session }: CodingSession): string {
  const value = JSON.stringify(session ?? '');
  const operator = session === undefined ? 'missing' : 'equals';
  const where = writeConditions([{ of: 'metadata', path: 'session', operator, value }]);
  return pathOf('scope', { ...scopeQuery(shown), tags: CODING_AGENT, where, expired: 'included' });
}

function textIn(metadata: SearchMatch['record']['payload']['metadata'], name: string) {
  const value = metadata[name];
  return typeof value === 'string' ? value : undefined;
}
