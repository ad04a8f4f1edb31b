/** What a question recalls, and why each record was found. */
import type { Recollection } from '@agentkeep/client';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Name } from '../../parts/name.js';
import { Empty, FailureNote, Loading } from '../../parts/notes.js';
import { Time } from '../../parts/time.js';
import { useChangeCount } from '../../live/use-changes.js';
import { Link } from '../../routing/link.js';
import { memoryOf } from '../../scopes/scope-agent.js';
import { moveInRows, SelectableRecord } from '../../selection/select-box.js';
import { SelectAll } from '../../selection/select-all.js';
import { SelectionBar } from '../../selection/selection-bar.js';
import { useLoaded } from '../../session/use-loaded.js';
import { texts } from '../../texts/en/english.js';
import { recordPath } from '../record/record-path.js';
import { markedText } from './marked-text.js';
import { stateAt } from './next-page.js';
import { ReplacedMatch } from './replaced-match.js';
import type { ListProps } from './scope-props.js';

const words = texts.memory;
const FOUND_MAX = 30;

/** Shows the records, the best answer first. */
export function FoundRecords(props: ListProps): JSX.Element {
  const { caller, shown, search } = props;
  const changes = useChangeCount(shown.scope);
  const [times, setTimes] = useState(0);
  const own = caller.credential?.spec.subject_id;
  const { question, filter, atMillis } = search;
  const { value, failure } = useLoaded(
    (agent, signal) => {
      const options = { limit: FOUND_MAX + 1, filter, ...stateAt(atMillis), signal };
      return memoryOf(agent, shown, own).recall(question, options);
    },
    [JSON.stringify([shown, search]), changes, times],
  );
  return (
    <>
      <SelectionBar {...props} onDone={() => setTimes(times + 1)} />
      {failure === undefined ? undefined : <FailureNote failure={failure} />}
      {value === undefined && failure === undefined ? <Loading /> : undefined}
      {value === undefined ? undefined : <Found {...props} value={value} />}
    </>
  );
}

function Found(props: ListProps & { readonly value: readonly Recollection[] }): JSX.Element {
  const { shown, search, selection } = props;
  // One more than is shown tells that there is more.
  const value = props.value.slice(0, FOUND_MAX);
  const hasMore = props.value.length > FOUND_MAX;
  if (value.length === 0) return <Empty title={words.emptyFound} text={words.emptyFoundText} />;
  const records = () => value.map(({ record }) => record);
  return (
    <section class="stack" aria-label={words.list} onKeyDown={moveInRows}>
      <div class="row">
        <p class="soft small" role="status">
          {hasMore ? words.foundMore(value.length) : words.found(value.length)}
        </p>
        <SelectAll selection={selection} count={value.length} records={records} />
      </div>
      <p class="soft small">{words.chips}</p>
      <ol class="found plain-list">
        {value.map((found) => (
          <li key={found.record.record_id} class="card">
            <SelectableRecord {...{ record: found.record, rows: records, selection }}>
              <Link to={recordPath(shown, found.record, search)} class="found-text" dir="auto">
                {markedText(
                  found.text,
                  found.terms.map(({ text }) => text),
                ).map(({ text, isMarked }) => (isMarked ? <mark>{text}</mark> : text))}
              </Link>
            </SelectableRecord>
            <Reasons found={found} />
            <ReplacedMatch shown={shown} id={found.inPlaceOf} isExplained />
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Why a record was found. */
function Reasons({ found }: { readonly found: Recollection }): JSX.Element {
  const { terms, nearby, distance, record } = found;
  // A record that has the place of another may have none of the words.
  const hasReasons = terms.length + nearby.length > 0 || distance !== undefined;
  return (
    <p class="record-facts">
      {hasReasons ? <span>{words.why}</span> : undefined}
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
      <Name of={record.author.subject_id} />
      <Time millis={record.modified_at_millis} />
    </p>
  );
}
