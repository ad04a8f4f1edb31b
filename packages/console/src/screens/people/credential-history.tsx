/** What happened to a credential, the newest first. */
import type { Credential } from '@agentkeep/client';
import type { JSX } from 'preact';
import { Table } from '../../parts/table.js';
import { Time } from '../../parts/time.js';
import { texts } from '../../texts/en/english.js';

const words = texts.credentials;

/** Shows the events that came with a credential. */
export function CredentialHistory({
  credential,
}: {
  readonly credential: Credential;
}): JSX.Element {
  const newestFirst = credential.history.toSorted((a, b) => b.revision - a.revision);
  return (
    <section class="stack" aria-label={words.history}>
      <h2>{words.history}</h2>
      <Table columns={[words.time, words.action, { label: words.by, wideOnly: true }]}>
        {newestFirst.map((event) => (
          <tr key={event.revision}>
            <td>
              <Time millis={event.at_millis} />
            </td>
            <td>{words.actions[event.action]}</td>
            <td class="wide-only">
              <code>{event.actor_id}</code>
            </td>
          </tr>
        ))}
      </Table>
    </section>
  );
}
