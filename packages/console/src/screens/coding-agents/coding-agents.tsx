/** The screen Coding agents: which sessions stored what, and in which scope. */
import type { JSX } from 'preact';
import { Cut, Name } from '../../parts/name.js';
import { Screen } from '../../parts/screen.js';
import { Table } from '../../parts/table.js';
import { Time } from '../../parts/time.js';
import { WalkedList } from '../../parts/walked-list.js';
import { pathOf } from '../../routing/address.js';
import { Link } from '../../routing/link.js';
import { ScopeLink } from '../../scopes/scope-name.js';
import type { Caller } from '../../session/caller.js';
import { texts } from '../../texts/en/english.js';
import { useFound } from '../find/use-found.js';
import { CODING_AGENT, type CodingSession, sessionPath, sessionsOf } from './coding-sessions.js';

const words = texts.codingAgents;
const QUERY = { about: '', subject: '', filters: { tags: CODING_AGENT } };

/** Shows the sessions over all scopes that the caller may read, from their newest records on. */
export function CodingAgentsScreen({ caller }: { readonly caller: Caller }): JSX.Element {
  const { walked } = useFound(caller, QUERY, 0);
  return (
    <Screen
      title={words.title}
      about={words.about}
      above={<Link to={pathOf('')}>{texts.menu.scopes}</Link>}
    >
      <WalkedList walked={walked} empty={words.empty} emptyText={words.emptyText}>
        {(found) => <Sessions sessions={sessionsOf(found)} records={found.length} />}
      </WalkedList>
    </Screen>
  );
}

function Sessions(props: {
  readonly sessions: readonly CodingSession[];
  readonly records: number;
}): JSX.Element {
  const { sessions, records } = props;
  return (
    <>
      <p class="soft small" role="status">
        {words.count(sessions.length, records)}
      </p>
      <Table
        columns={[
          words.session,
          { label: words.scope, wideOnly: true },
          { label: words.records, isNumber: true },
          words.newest,
        ]}
      >
        {sessions.map((each) => (
          <SessionRow key={sessionPath(each)} session={each} />
        ))}
      </Table>
    </>
  );
}

function SessionRow({ session: each }: { readonly session: CodingSession }): JSX.Element {
  const { shown, host, session, title, records, newestMillis } = each;
  return (
    <tr>
      <td>
        <Link to={sessionPath(each)}>
          {title === undefined ? <Cut text={session ?? words.unknown} /> : <Name of={title} />}
        </Link>
        <div class="soft small">{host ?? words.unknown}</div>
        <div class="narrow-only small">
          <ScopeLink {...shown} />
        </div>
      </td>
      <td class="wide-only">
        <ScopeLink {...shown} />
      </td>
      <td class="number">{records.toLocaleString(texts.locale)}</td>
      <td class="event-time">
        <Time millis={newestMillis} />
      </td>
    </tr>
  );
}
