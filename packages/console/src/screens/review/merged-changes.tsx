/** What an accepted proposal changed, as it was merged. */
import { AgentkeepError, type Agent, type MemoryRecord } from '@agentkeep/client';
import type { JSX } from 'preact';
import { RecordDifference } from '../../differences/difference-view.js';
import { FailureNote, Loading } from '../../parts/notes.js';
import { Link } from '../../routing/link.js';
import { useLoaded } from '../../session/use-loaded.js';
import { texts } from '../../texts/en/english.js';
import { recordPath } from '../record/record-path.js';
import type { Proposal } from './proposal.js';

const words = texts.review;

/** A change as it was merged. */
type Merged = Proposal['merged'][number];

/** Shows the changes that a proposal names, with links to their records and revisions. */
export function MergedChanges({ proposal }: { readonly proposal: Proposal }): JSX.Element {
  const { merged, merged_count: count } = proposal;
  return (
    <section class="stack" aria-label={words.merged}>
      <h3>{words.merged}</h3>
      <ul class="plain-list stack">
        {merged.map((change) => (
          <li key={`${change.record_id} ${String(change.revision)}`} class="card">
            <MergedChange change={change} decidedMillis={proposal.decided_at_millis} />
          </li>
        ))}
      </ul>
      {count > merged.length ? (
        <p class="soft">{words.moreMerged(count - merged.length)}</p>
      ) : undefined}
    </section>
  );
}

function MergedChange(props: {
  readonly change: Merged;
  readonly decidedMillis: number | null;
}): JSX.Element {
  const { change, decidedMillis } = props;
  const { scope, record_id: id, revision, action } = change;
  const { value, failure } = useLoaded(
    async (agent, signal) => {
      if (action === 'deleted' || action === 'redacted') return undefined;
      const [after, before] = await Promise.all([
        revisionOf(agent, change, revision, signal),
        revision === 1 ? undefined : revisionOf(agent, change, revision - 1, signal),
      ]);
      return { after, before };
    },
    [id, revision],
  );
  const shown = { scope, subjectId: undefined };
  const [text, look] = words.actions[action];
  const isWaiting = value === undefined && action !== 'deleted' && action !== 'redacted';
  return (
    <>
      <div class="history-head">
        <span class={`tag ${look}`}>{text}</span>
        {value?.after?.name === undefined ? undefined : <code>{value.after.name}</code>}
        <Link to={recordPath(shown, change)} class="small">
          {texts.record.title}
        </Link>
        {action === 'deleted' || action === 'redacted' || decidedMillis === null ? undefined : (
          <Link
            to={recordPath(shown, change, { atMillis: value?.after?.modified_at_millis })}
            class="small"
          >
            {texts.record.revisions(revision)}
          </Link>
        )}
      </div>
      {failure === undefined ? undefined : <FailureNote failure={failure} />}
      {isWaiting && failure === undefined ? <Loading /> : undefined}
      {value === undefined ? undefined : value.after === undefined ? (
        <p class="soft">{words.notKept}</p>
      ) : (
        <RecordDifference
          before={value.before}
          after={value.after}
          same={texts.record.nothingChanged}
        />
      )}
    </>
  );
}

/** Returns a revision, or `undefined` if it is no longer kept. */
async function revisionOf(
  agent: Agent,
  { scope, record_id: id }: Merged,
  revision: number,
  signal: AbortSignal,
): Promise<MemoryRecord | undefined> {
  try {
    return await agent.memory.in(scope).read(id, { revision, signal });
  } catch (error) {
    if (error instanceof AgentkeepError && error.wireCode === 'record_not_found') return undefined;
    throw error;
  }
}
