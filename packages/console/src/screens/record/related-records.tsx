/** What a record was derived from, and what was derived from it. */
import type { MemoryRecord } from '@agentkeep/client';
import type { JSX } from 'preact';
import { Id } from '../../parts/name.js';
import { Link } from '../../routing/link.js';
import { memoryOf } from '../../scopes/scope-agent.js';
import type { ShownScope } from '../../scopes/scope-query.js';
import type { Caller } from '../../session/caller.js';
import { useLoaded } from '../../session/use-loaded.js';
import { texts } from '../../texts/en/english.js';
import { recordPath } from './record-path.js';
import { titleOf } from './record-title.js';

const words = texts.record;
const SHOWN_MAX = 50;

interface RelatedProps {
  readonly caller: Caller;
  readonly shown: ShownScope;
  readonly record: MemoryRecord;
}

/** Shows both. */
export function RelatedRecords(props: RelatedProps & { readonly changes: number }): JSX.Element {
  return (
    <>
      <Sources {...props} />
      <Dependents {...props} />
    </>
  );
}

function Sources({ shown, record }: RelatedProps): JSX.Element | null {
  const { derived_from: sources = [] } = record.payload;
  if (sources.length === 0) return null;
  return (
    <section class="card" aria-label={words.sources}>
      <h2>{words.sources}</h2>
      <ul class="plain-list stack-tight">
        {sources.map((source) => {
          const lost = record.lost_sources?.find(
            (each) => each.record_id === source.record_id && each.revision === source.revision,
          );
          const place = source.scope ? { ...shown, scope: source.scope } : shown;
          return (
            <li key={`${source.record_id} ${source.revision}`}>
              <Link to={recordPath(place, source)}>
                <Id of={source.record_id} />
              </Link>{' '}
              <span class="soft small">{words.revisions(source.revision)}</span>{' '}
              {lost === undefined ? undefined : (
                <span class="tag bad">{words.lost(lost.reason)}</span>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function Dependents(props: RelatedProps & { readonly changes: number }): JSX.Element | null {
  const { caller, shown, record, changes } = props;
  const { record_id: id } = record;
  const { value } = useLoaded(
    (agent, signal) => {
      const memory = memoryOf(agent, shown, caller.credential?.spec.subject_id);
      const filter = { derived_from: { record_id: id }, expired: 'included' } as const;
      return memory.searchPage(filter, { limit: SHOWN_MAX, signal });
    },
    [JSON.stringify(shown), id, changes],
  );
  if (value === undefined || value.matches.length === 0) return null;
  return (
    <section class="card" aria-label={words.dependents}>
      <h2>{words.dependents}</h2>
      <ul class="plain-list stack-tight">
        {value.matches.map((match) => (
          <li key={match.record.record_id}>
            <Link to={recordPath(shown, match.record)} dir="auto">
              {titleOf(match.record)}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
