/** The records of a scope, as a list of any length. */
import type { SearchMatch } from '@agentkeep/client';
import type { JSX } from 'preact';
import { Empty, FailureNote, Loading } from '../../parts/notes.js';
import { Time } from '../../parts/time.js';
import { VirtualList } from '../../parts/virtual-list.js';
import { recordPath } from '../record/record-path.js';
import { Link } from '../../routing/link.js';
import { texts } from '../../texts/en.js';
import type { ScopeProps } from './scope-props.js';
import type { MemorySearch } from './search-query.js';
import { useRecordPages } from './use-record-pages.js';

const words = texts.memory;
const ROW_HEIGHT = 64;

/** Shows what the filters leave. */
export function RecordList(props: ScopeProps & { readonly search: MemorySearch }): JSX.Element {
  const { caller, shown, search } = props;
  const own = caller.credential?.spec.subject_id;
  const pages = useRecordPages(shown, search, own);
  if (pages.failure !== undefined) return <FailureNote failure={pages.failure} />;
  if (pages.next === undefined && pages.matches.length === 0) return <Loading />;
  if (pages.matches.length === 0) return <Empty title={words.empty} text={words.emptyText} />;
  return (
    <section class="stack-tight" aria-label={words.list}>
      <div class="row">
        <p class="soft small" role="status">
          {words.records(pages.matches.length, pages.next === null)}
        </p>
        {pages.changes > 0 ? (
          <button type="button" class="plain small" onClick={pages.reload}>
            {words.changed(pages.changes)}
          </button>
        ) : undefined}
      </div>
      <VirtualList
        label={words.list}
        rows={pages.matches}
        rowHeight={ROW_HEIGHT}
        keyOf={({ record }) => record.record_id}
        show={(match) => <RecordRow match={match} path={recordPath(shown, match.record, search)} />}
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
      <span class="record-text">{payload.content.primary || words.noText}</span>
      <span class="record-facts">
        {name === undefined ? undefined : <code>{name}</code>}
        <Time millis={modified} />
        <span>{author.subject_id}</span>
        {payload.tags.slice(0, 4).map((tag) => (
          <span key={tag} class="tag">
            {tag}
          </span>
        ))}
      </span>
    </Link>
  );
}
