/** What a question recalls, and why each record was found. */
import type { JSX } from 'preact';
import { Empty, FailureNote, Loading } from '../../parts/notes.js';
import { Time } from '../../parts/time.js';
import { useChangeCount } from '../../live/use-changes.js';
import { Link } from '../../routing/link.js';
import { memoryOf } from '../../scopes/scope-agent.js';
import { useLoaded } from '../../session/use-loaded.js';
import { texts } from '../../texts/en.js';
import { recordPath } from '../record/record-path.js';
import { markedText } from './marked-text.js';
import type { ScopeProps } from './scope-props.js';
import type { MemorySearch } from './search-query.js';

const words = texts.memory;
const FOUND_MAX = 30;

/** Shows the records, the best answer first. */
export function FoundRecords(props: ScopeProps & { readonly search: MemorySearch }): JSX.Element {
  const { caller, shown, search } = props;
  const changes = useChangeCount(shown.scope);
  const own = caller.credential?.spec.subject_id;
  const { question, filter, atMillis } = search;
  const { value, failure } = useLoaded(
    (agent, signal) => {
      const asOf = atMillis === undefined ? undefined : { millis: atMillis };
      const options = { limit: FOUND_MAX, filter, asOf, signal };
      return memoryOf(agent, shown, own).recall(question, options);
    },
    [JSON.stringify([shown, search]), changes],
  );
  if (failure !== undefined) return <FailureNote failure={failure} />;
  if (value === undefined) return <Loading />;
  if (value.length === 0) return <Empty title={words.emptyFound} text={words.emptyFoundText} />;
  return (
    <section class="stack" aria-label={words.list}>
      <p class="soft small" role="status">
        {words.found(value.length)}
      </p>
      <ol class="found plain-list">
        {value.map((found) => (
          <li key={found.record.record_id} class="card">
            <Link to={recordPath(shown, found.record, search)} class="found-text">
              {markedText(
                found.text,
                found.terms.map(({ text }) => text),
              ).map(({ text, isMarked }) => (isMarked ? <mark>{text}</mark> : text))}
            </Link>
            <Reasons found={found} />
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Why a record was found. */
interface Reasoned {
  readonly terms: readonly { readonly text: string; readonly records: number }[];
  readonly nearby: readonly { readonly text: string; readonly records: number }[];
  readonly distance?: number;
  readonly record: {
    readonly modified_at_millis: number;
    readonly author: { readonly subject_id: string };
  };
}

function Reasons({ found }: { readonly found: Reasoned }): JSX.Element {
  const { terms, nearby, distance, record } = found;
  return (
    <p class="record-facts">
      <span>{words.why}</span>
      {terms.map(({ text, records }) => (
        <span key={text} class="tag warned" title={words.rarity(records)}>
          {text} · {records}
        </span>
      ))}
      {nearby.map(({ text, records }) => (
        <span key={text} class="tag" title={words.rarity(records)}>
          {text} {words.nearby}
        </span>
      ))}
      {distance === undefined ? undefined : <span class="tag">{words.distance(distance)}</span>}
      <span>{record.author.subject_id}</span>
      <Time millis={record.modified_at_millis} />
    </p>
  );
}
