/** What a record replaced, and the record that replaced it (docs/contract/superseding.md). */
import type { Agent, MemoryRecord } from '@agentkeep/client';
import type { JSX } from 'preact';
import { Id } from '../../parts/name.js';
import { Time } from '../../parts/time.js';
import { Link } from '../../routing/link.js';
import { memoryOf } from '../../scopes/scope-agent.js';
import type { ShownScope } from '../../scopes/scope-query.js';
import type { Caller } from '../../session/caller.js';
import { isRefusal } from '../../session/refusals.js';
import { useLoaded } from '../../session/use-loaded.js';
import { texts } from '../../texts/en/english.js';
import { readNewest } from './read-newest.js';
import { recordPath } from './record-path.js';
import { titleOf } from './record-title.js';

const words = texts.superseding;

interface SupersedingProps {
  readonly caller: Caller;
  readonly shown: ShownScope;
  readonly record: MemoryRecord;
}

/** Shows both as links, with the time since which the later one holds. */
export function Superseding(props: SupersedingProps): JSX.Element | null {
  const { superseded_by: by, supersedes = [] } = props.record.payload;
  return by === undefined && supersedes.length === 0 ? null : <Ends {...props} />;
}

function Ends({ caller, shown, record }: SupersedingProps): JSX.Element {
  const own = caller.credential?.spec.subject_id;
  const { superseded_by: by, supersedes = [], valid_until_millis: until } = record.payload;
  const { value } = useLoaded(
    (agent, signal) => endsOf(agent, { shown, own, record }, signal),
    [JSON.stringify(shown), record.record_id, record.revision],
  );
  const ended = new Map(value?.ended.map((each) => [each.record_id, each]));
  const chain = [...new Set([...supersedes.map(({ record_id: id }) => id), ...ended.keys()])];
  return (
    <>
      {by === undefined ? undefined : (
        <section class="card" aria-label={words.by}>
          <h2>{words.by}</h2>
          <p>
            <Entry shown={shown} id={by} record={value?.successor} />{' '}
            {typeof until === 'number' ? <Since text={words.since} millis={until} /> : undefined}
          </p>
        </section>
      )}
      {chain.length === 0 ? undefined : (
        <section class="card" aria-label={words.replaced}>
          <h2>{words.replaced}</h2>
          <ul class="plain-list stack-tight">
            {chain.map((id) => {
              const end = ended.get(id)?.payload.valid_until_millis;
              return (
                <li key={id}>
                  <Entry shown={shown} id={id} record={ended.get(id)} />{' '}
                  {typeof end === 'number' ? <Since text={words.until} millis={end} /> : undefined}
                </li>
              );
            })}
          </ul>
        </section>
      )}
    </>
  );
}

/** Returns the successor and the ended records, as far as they are kept. */
async function endsOf(
  agent: Agent,
  { shown, own, record }: Pick<SupersedingProps, 'shown' | 'record'> & { own: string | undefined },
  signal: AbortSignal,
) {
  const memory = memoryOf(agent, shown, own);
  const { superseded_by: by, supersedes } = record.payload;
  const successor =
    by === undefined
      ? undefined
      : await readNewest(memory, by, { signal }).catch((error: unknown) => {
          if (isRefusal(error, 'record_not_found')) return undefined;
          throw error;
        });
  const ended = supersedes === undefined ? [] : await memory.superseded(record, { signal });
  return { successor, ended };
}

function Since({ text, millis }: { readonly text: string; readonly millis: number }): JSX.Element {
  return (
    <span class="soft small">
      {text} <Time millis={millis} />
    </span>
  );
}

/** Shows a record by its name or text, or by its id if it is not kept. */
function Entry(props: {
  readonly shown: ShownScope;
  readonly id: string;
  readonly record: MemoryRecord | undefined;
}): JSX.Element {
  const { shown, id, record } = props;
  return (
    <Link to={recordPath(shown, { record_id: id })} dir="auto">
      {record === undefined ? <Id of={id} /> : titleOf(record)}
    </Link>
  );
}
