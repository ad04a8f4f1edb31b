/** Sessions of an account, each with a button that ends it. */
import type { Agent } from '@agentkeep/client';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Confirm } from '../../parts/confirm.js';
import { Empty } from '../../parts/notes.js';
import { Table } from '../../parts/table.js';
import { Time, timeText } from '../../parts/time.js';
import { useAction } from '../../session/use-loaded.js';
import { texts } from '../../texts/en/english.js';

const words = texts.sessions;

/** A live session as the server lists it. */
export type UserSession = Awaited<ReturnType<Agent['users']['sessions']>>[number];

interface Ending {
  /** The id of the account. */
  readonly accountId: string;
  readonly onEnded: () => void;
}

/** Shows the sessions, the newest first. */
export function SessionList(
  props: Ending & { readonly sessions: readonly UserSession[] },
): JSX.Element {
  const { sessions, accountId, onEnded } = props;
  const [hasEnded, setEnded] = useState(false);
  const end = (): void => {
    setEnded(true);
    onEnded();
  };
  return (
    <>
      <p role="status">{hasEnded ? words.ended : ''}</p>
      {sessions.length === 0 ? (
        <Empty title={words.empty} text={words.emptyText} />
      ) : (
        <SessionTable sessions={sessions} accountId={accountId} onEnded={end} />
      )}
    </>
  );
}

function SessionTable(props: Ending & { readonly sessions: readonly UserSession[] }): JSX.Element {
  const { sessions, ...ending } = props;
  const hasUses = sessions.some(({ last_used: lastUsed }) => lastUsed !== null);
  const columns = [
    words.since,
    ...(hasUses ? [{ label: words.lastUsed, wideOnly: true }] : []),
    words.until,
    words.actions,
  ];
  return (
    <Table columns={columns}>
      {sessions.map((each) => (
        <SessionRow key={each.session_id} session={each} hasUses={hasUses} {...ending} />
      ))}
    </Table>
  );
}

function SessionRow(
  props: Ending & { readonly session: UserSession; readonly hasUses: boolean },
): JSX.Element {
  const { session, hasUses } = props;
  const { created_at: created, last_used: lastUsed, expires_at: end } = session;
  return (
    <tr>
      <td>
        <Time millis={Date.parse(created)} />{' '}
        {session.is_current ? <span class="tag good">{words.current}</span> : undefined}
        <div class="soft small long-url">{proofOf(session)}</div>
      </td>
      {hasUses ? (
        <td class="wide-only">
          {lastUsed === null ? words.unknown : <Time millis={Date.parse(lastUsed)} />}
        </td>
      ) : undefined}
      <td>
        <Time millis={Date.parse(end)} />
      </td>
      <td>
        <EndSession {...props} />
      </td>
    </tr>
  );
}

function EndSession(props: Ending & { readonly session: UserSession }): JSX.Element {
  const { session, accountId, onEnded } = props;
  const [isOpen, setOpen] = useState(false);
  const since = timeText(Date.parse(session.created_at));
  const act = useAction(async (agent) => {
    await agent.users.endSession(accountId, session.session_id);
    setOpen(false);
    onEnded();
  });
  return (
    <>
      <button type="button" aria-label={words.endName(since)} onClick={() => setOpen(true)}>
        {words.end}
      </button>
      {isOpen ? (
        <Confirm
          title={words.endTitle(since)}
          verb={words.endGo}
          act={act}
          onLeave={() => setOpen(false)}
        >
          <p>{session.is_current ? words.endCurrent : words.endText}</p>
        </Confirm>
      ) : undefined}
    </>
  );
}

/** Says how somebody signed in. */
function proofOf({ issuer, kind }: UserSession): string {
  if (issuer !== null) return words.byIssuer(issuer);
  return kind === 'opaque' ? words.byPlatform : words.byPassword;
}
