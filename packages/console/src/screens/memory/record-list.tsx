/** The records of a scope, as a list of any length. */
import type { SearchMatch } from '@agentkeep/client';
import type { JSX } from 'preact';
import { Id, Name } from '../../parts/name.js';
import { Empty, FailureNote, Loading } from '../../parts/notes.js';
import { Time } from '../../parts/time.js';
import { VirtualList } from '../../parts/virtual-list.js';
import { Link } from '../../routing/link.js';
import { moveInRows, SelectableRecord } from '../../selection/select-box.js';
import { SelectAll } from '../../selection/select-all.js';
import { SelectionBar } from '../../selection/selection-bar.js';
import { recordPath } from '../record/record-path.js';
import { texts } from '../../texts/en/english.js';
import { useTotal } from './use-total.js';
import { Jump } from './jump.js';
import { OrderChoice } from './order-choice.js';
import { ReplacedMatch } from './replaced-match.js';
import type { ListProps } from './scope-props.js';
import { type RecordPages, useRecordPages } from './use-record-pages.js';

const words = texts.memory;
const ROW_HEIGHT = 64;

/** Shows what the filters leave. */
export function RecordList(props: ListProps): JSX.Element {
  const { caller, shown, search } = props;
  const own = caller.credential?.spec.subject_id;
  const pages = useRecordPages(shown, search, own);
  const total = useTotal(shown, search, own, pages);
  return (
    <>
      <SelectionBar {...props} onDone={pages.settle} />
      <Rows {...props} pages={pages} total={total} />
    </>
  );
}

interface RowsProps extends ListProps {
  readonly pages: RecordPages;
  readonly total: number | undefined;
}

function Rows(props: RowsProps): JSX.Element {
  const { shown, search, pages, total, selection } = props;
  if (pages.failure !== undefined) return <FailureNote failure={pages.failure} />;
  if (pages.next === undefined && pages.matches.length === 0) return <Loading />;
  if (pages.matches.length === 0) return <Empty title={words.empty} text={words.emptyText} />;
  const records = () => pages.matches.map(({ record }) => record);
  // The total counts matches alone, not the records that have their places.
  const isCounted = pages.matches.every((each) => each.in_place_of === undefined);
  return (
    <section class="stack-tight" aria-label={words.list} onKeyDown={moveInRows}>
      <div class="row">
        <p class="soft small" role="status">
          {words.records(pages.matches.length, pages.next === null, isCounted ? total : undefined)}
        </p>
        <SelectAll selection={selection} count={pages.matches.length} records={records} />
        {pages.changes > 0 ? (
          <button type="button" class="plain small" onClick={pages.reload}>
            {words.changed(pages.changes)}
          </button>
        ) : undefined}
        <Jump search={search} />
        <OrderChoice search={search} />
      </div>
      <VirtualList
        label={words.list}
        keptAs={`rows ${JSON.stringify(search)}`}
        rows={pages.matches}
        rowHeight={ROW_HEIGHT}
        keyOf={({ record }) => record.record_id}
        show={(match) => (
          <SelectableRecord {...{ record: match.record, rows: records, selection }}>
            <div class="record-place">
              <RecordRow match={match} path={recordPath(shown, match.record, search)} />
              <ReplacedMatch shown={shown} id={match.in_place_of} />
            </div>
          </SelectableRecord>
        )}
        onEnd={pages.loadMore}
      />
    </section>
  );
}

function RecordRow(props: { readonly match: SearchMatch; readonly path: string }): JSX.Element {
  const { record } = props.match;
  const { payload, name, author, modified_at_millis: modified } = record;
  return (
    <Link to={props.path} class="record-row">
      <span class="record-text" dir="auto">
        {payload.content.primary || words.noText}
      </span>
      <span class="record-facts">
        {name === undefined ? undefined : <Id of={name} />}
        <Time millis={modified} />
        <Name of={author.subject_id} />
        <Place match={props.match} />
        {payload.tags.slice(0, 4).map((tag) => (
          <span key={tag} class="tag">
            {tag}
          </span>
        ))}
      </span>
    </Link>
  );
}

/** Says why a record has its place, in the orders that go by words or a vector. */
function Place({ match }: { readonly match: SearchMatch }): JSX.Element | null {
  const { words_found: found, distance, ranks } = match;
  const { foundWords, byWords, byVector, rank } = texts.filters;
  const says = [
    ...(found === undefined ? [] : [foundWords(found)]),
    ...(distance === undefined ? [] : [words.distance(distance)]),
    ...(typeof ranks?.words === 'number' ? [rank(byWords, ranks.words)] : []),
    ...(typeof ranks?.vector === 'number' ? [rank(byVector, ranks.vector)] : []),
  ];
  return says.length === 0 ? null : <span class="tag warned">{says.join(' · ')}</span>;
}
