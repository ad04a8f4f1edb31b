/** The screen that searches all scopes: for somebody, for words, and by filters. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { typeNameOf } from '../../differences/record-difference.js';
import { ExportDialog } from '../../exports/export-dialog.js';
import { mayExportAll } from '../../exports/exported-part.js';
import { useChangeCount } from '../../live/use-changes.js';
import { seenText } from '../../parts/name.js';
import { Empty } from '../../parts/notes.js';
import { Screen } from '../../parts/screen.js';
import { Time } from '../../parts/time.js';
import { WalkedList } from '../../parts/walked-list.js';
import { pathOf } from '../../routing/address.js';
import { Link } from '../../routing/link.js';
import { address } from '../../routing/router.js';
import { ScopeName, Visibility } from '../../scopes/scope-name.js';
import { scopeQuery } from '../../scopes/scope-query.js';
import { type Caller, may } from '../../session/caller.js';
import { texts } from '../../texts/en/english.js';
import { StartErasure } from '../machine/start-erasure.js';
import { recordPath } from '../record/record-path.js';
import { FindForm } from './find-form.js';
import { asksAnything, findQueryOf, type FindQuery } from './find-query.js';
import { type FoundRecord, type SearchedScopes, useFound } from './use-found.js';

const words = texts.find;

/** Shows the form, and what the address asks for. */
export function FindScreen({ caller }: { readonly caller: Caller }): JSX.Element {
  const query = findQueryOf(address.value.query);
  return (
    <Screen
      title={words.title}
      above={<Link to={pathOf('')}>{texts.menu.scopes}</Link>}
      about={words.about}
    >
      <FindForm />
      {asksAnything(query) ? (
        <>
          <Person caller={caller} subject={query.subject || query.about} />
          <Results caller={caller} query={query} />
        </>
      ) : (
        <Empty title={words.begin} text={words.beginText} />
      )}
    </Screen>
  );
}

/** What can be done about somebody as a whole. */
function Person(props: {
  readonly caller: Caller;
  readonly subject: string;
}): JSX.Element | undefined {
  const { caller, subject } = props;
  const [open, setOpen] = useState<'export' | 'erase'>();
  const leave = (): void => setOpen(undefined);
  if (subject === '' || !mayExportAll(caller)) return undefined;
  const name = seenText(subject);
  return (
    <div class="row">
      <button type="button" onClick={() => setOpen('export')}>
        {words.export(name)}
      </button>
      {may(caller, 'credential_admin') ? (
        <button type="button" class="danger" onClick={() => setOpen('erase')}>
          {words.erase(name)}
        </button>
      ) : undefined}
      {open === 'export' ? (
        <ExportDialog {...{ caller, subject }} shown={undefined} onLeave={leave} />
      ) : undefined}
      {open === 'erase' ? (
        <StartErasure target={{ kind: 'subject', subject_id: subject }} onLeave={leave} />
      ) : undefined}
    </div>
  );
}

function Results(props: { readonly caller: Caller; readonly query: FindQuery }): JSX.Element {
  const [times, setTimes] = useState(0);
  const changes = useChangeCount(undefined);
  const { walked, where } = useFound(props.caller, props.query, times);
  const news = changes - times;
  return (
    <section class="stack-tight" aria-label={words.list} aria-busy={walked.isLoading}>
      <div class="row">
        <p class="soft small" role="status">
          {walked.items === undefined || where === undefined
            ? ''
            : words.found(walked.items.length, !walked.hasMore, where.searched)}
        </p>
        {news > 0 ? (
          <button type="button" class="plain small" onClick={() => setTimes(changes)}>
            {texts.memory.changed(news)}
          </button>
        ) : undefined}
      </div>
      <Unread where={where} />
      <WalkedList walked={walked} empty={words.empty} emptyText={words.emptyText}>
        {(items) => (
          <ol class="found plain-list">
            {items.map((found) => (
              <FoundCard key={found.match.record.record_id} found={found} />
            ))}
          </ol>
        )}
      </WalkedList>
    </section>
  );
}

/** Says what was not searched, so that nothing seems to be missing. */
function Unread({ where }: { readonly where: SearchedScopes | undefined }): JSX.Element | null {
  if (where === undefined || where.unread === 0) return null;
  return <p class="note">{words.unread(where.unread, where.unreadRecords)}</p>;
}

function FoundCard({ found }: { readonly found: FoundRecord }): JSX.Element {
  const { match, shown, list } = found;
  const { payload, name, author, modified_at_millis: modified } = match.record;
  const { valid_until_millis: until } = payload;
  return (
    <li class="card">
      <Link to={recordPath(shown, match.record)} class="found-text" dir="auto">
        {payload.content.primary || texts.memory.noText}
      </Link>
      <p class="record-facts">
        <Link to={pathOf('scope', { ...scopeQuery(shown), ...list.filters })}>
          <ScopeName scope={shown.scope} />
        </Link>
        <Visibility {...shown} />
        {name === undefined ? undefined : <code>{name}</code>}
        <span>{typeNameOf(payload.episode_type)}</span>
        <span>{author.subject_id}</span>
        <Time millis={modified} />
        {until !== null && until <= Date.now() ? (
          <span class="tag warned">{words.expired}</span>
        ) : undefined}
        {payload.tags.slice(0, 4).map((tag) => (
          <span key={tag} class="tag">
            {tag}
          </span>
        ))}
      </p>
    </li>
  );
}
