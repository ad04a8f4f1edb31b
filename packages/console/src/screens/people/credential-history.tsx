/** What happened to a credential, the newest first. */
import type { Credential } from '@agentkeep/client';
import type { JSX } from 'preact';
import { Time } from '../../parts/time.js';
import { texts } from '../../texts/en.js';
import { rightText } from './credential-facts.js';

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
      <div class="table-frame">
        <table>
          <thead>
            <tr>
              <th scope="col">{words.time}</th>
              <th scope="col">{words.action}</th>
              <th scope="col" class="wide-only">
                {words.by}
              </th>
            </tr>
          </thead>
          <tbody>
            {newestFirst.map((event) => (
              <tr key={event.revision}>
                <td>
                  <Time millis={event.at_millis} />
                </td>
                <td>{rightText(event.action)}</td>
                <td class="wide-only">
                  <code>{event.actor_id}</code>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
