/** What changed in memory within the last day. */
import type { Agent } from '@agentkeep/client';
import type { JSX } from 'preact';
import { seenText } from '../../parts/name.js';
import { pathOf } from '../../routing/address.js';
import { Link } from '../../routing/link.js';
import type { CountedScope } from '../../scopes/listed-scopes.js';
import { SEARCH_SCOPES_MAX } from '../../scopes/scope-query.js';
import { mayOpen } from '../../scopes/scope-rights.js';
import { type Caller, isAdministrator } from '../../session/caller.js';
import { useLoaded } from '../../session/use-loaded.js';
import { texts } from '../../texts/en/english.js';
import { OverviewPart } from './overview-part.js';

const words = texts.overview;
const DAY_MS = 86_400_000;
const AUTHORS_SHOWN = 3;

/** Shows how many records changed, by whom, and in how many scopes. */
export function Activity(props: {
  readonly caller: Caller;
  readonly scopes: readonly CountedScope[];
}): JSX.Element {
  const { caller, scopes } = props;
  const own = caller.credential?.spec.subject_id;
  // Others' private scopes need an agent that acts for them, so they are left out.
  const readable = scopes.filter(({ scope, subject_id: subject }) => {
    const isOwn = subject === null || subject === own;
    return isOwn && mayOpen(caller, { scope, subjectId: subject ?? undefined });
  });
  const since = Date.now() - DAY_MS;
  const changed = readable
    .filter(({ last_change_at_millis: at }) => (at ?? 0) >= since)
    .toSorted(
      (one, other) => (other.last_change_at_millis ?? 0) - (one.last_change_at_millis ?? 0),
    );
  const loaded = useLoaded(
    (agent, signal) => changesOf(agent, changed.slice(0, SEARCH_SCOPES_MAX), since, signal),
    [JSON.stringify(changed.map(({ scope, last_change_at_millis: at }) => [scope, at]))],
  );
  const { value } = loaded;
  const main =
    value && (value.records === 0 ? words.unchanged : words.changed(value.records, value.isAll));
  return (
    <OverviewPart title={words.activity} main={main} loaded={loaded}>
      {value === undefined || value.records === 0 ? undefined : (
        <p class="soft">
          {words.changedBy(
            value.authors.slice(0, AUTHORS_SHOWN).map(seenText).join(', '),
            Math.max(0, value.authors.length - AUTHORS_SHOWN),
          )}{' '}
          {words.changedScopes(changed.length)}
        </p>
      )}
      {changed.length > SEARCH_SCOPES_MAX ? (
        <p class="soft small">{words.newestScopes(SEARCH_SCOPES_MAX)}</p>
      ) : undefined}
      {isAdministrator(caller) ? <Link to={pathOf('audit')}>{words.log}</Link> : undefined}
    </OverviewPart>
  );
}

/** Counts with one call, which examines a bounded number of records. */
async function changesOf(
  agent: Agent,
  counted: readonly CountedScope[],
  since: number,
  signal: AbortSignal,
): Promise<{ readonly records: number; readonly isAll: boolean; readonly authors: string[] }> {
  if (counted.length === 0) return { records: 0, isAll: true, authors: [] };
  const filter = { modified: { from_millis: since }, expired: 'included' } as const;
  const scopes = counted.map(({ scope }) => scope);
  const options = { scopes, counts: { by: ['author' as const] }, signal };
  const { counts, next_cursor: next } = await agent.memory.searchPage(filter, options);
  const authors = counts?.authors?.map(({ subject_id: subject }) => subject) ?? [];
  return { records: counts?.matches ?? 0, isAll: next === null, authors };
}
