/** The names that are locked, also those without an account. */
import type { Agent } from '@agentkeep/client';
import type { JSX } from 'preact';
import { FailureNote } from '../../parts/notes.js';
import { Table } from '../../parts/table.js';
import { Time } from '../../parts/time.js';
import type { Failure } from '../../session/refusals.js';
import { texts } from '../../texts/en/english.js';
import { LockButton } from './lock-button.js';

const words = texts.accounts;
const NAMES_MAX = 1_000;

/** The first locked names, and whether there are more. */
interface Locked {
  readonly names: Awaited<ReturnType<Agent['lockouts']['listPage']>>['locked_users'];
  readonly hasMore: boolean;
}

/** Returns the names that are locked now. */
export async function lockedNames(agent: Agent, signal: AbortSignal): Promise<Locked> {
  const page = await agent.lockouts.listPage({ limit: NAMES_MAX, signal });
  return { names: page.locked_users, hasMore: page.next_cursor !== null };
}

/** Shows the names, if there are any. */
export function LockedNames(props: {
  readonly locked: Locked | undefined;
  readonly failure: Failure | undefined;
  readonly onChanged: () => void;
}): JSX.Element | null {
  const { locked, failure, onChanged } = props;
  if (failure !== undefined) return <FailureNote failure={failure} />;
  if (locked === undefined || locked.names.length === 0) return null;
  return (
    <section class="stack" aria-label={words.locked}>
      <div>
        <h2>{words.locked}</h2>
        <p class="soft">{words.lockedText}</p>
        {locked.hasMore ? <p class="soft">{words.lockedMore(NAMES_MAX)}</p> : undefined}
      </div>
      <Table
        columns={[
          words.username,
          { label: words.reason, wideOnly: true },
          words.until,
          words.actions,
        ]}
      >
        {locked.names.map(([name, { lockout_expires: end, lockout_reason: reason }]) => (
          <tr key={name}>
            <td>{name}</td>
            <td class="wide-only">{reason ?? texts.none}</td>
            <td>{end === null ? words.noEnd : <Time millis={new Date(end).getTime()} />}</td>
            <td>
              <LockButton name={name} isLocked onChanged={onChanged} />
            </td>
          </tr>
        ))}
      </Table>
    </section>
  );
}
