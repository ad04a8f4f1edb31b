/** Events as a table, each with its details. */
import type { JSX } from 'preact';
import { Cut, Name } from '../../parts/name.js';
import { Table } from '../../parts/table.js';
import { Time } from '../../parts/time.js';
import { texts } from '../../texts/en/english.js';
import { type AuditEvent, resultNames, typeNames } from './audit-names.js';

const words = texts.audit;

/** Shows events. */
export function EventTable({ events }: { readonly events: readonly AuditEvent[] }): JSX.Element {
  return (
    <Table
      columns={[
        words.time,
        words.event,
        { label: words.username, wideOnly: true },
        { label: words.resource, wideOnly: true },
        { label: words.result, wideOnly: true },
      ]}
    >
      {events.map((event) => (
        <EventRow key={event.event_id} event={event} />
      ))}
    </Table>
  );
}

function EventRow({ event }: { readonly event: AuditEvent }): JSX.Element {
  const { event_type: type, username, resource, result, timestamp } = event;
  const who = <Name of={username ?? texts.none} />;
  const tag = (
    <span class={result === 'success' ? 'tag good' : 'tag bad'}>{resultNames[result]}</span>
  );
  return (
    <tr>
      <td class="event-time">
        <Time millis={new Date(timestamp).getTime()} />
      </td>
      <td>
        {typeNames[type]}
        <div class="narrow-only soft small">
          {who} {tag}
        </div>
        <details class="event-details">
          <summary class="soft">{words.details}</summary>
          <dl class="facts">
            {factsOf(event).map(([name, text]) => (
              <>
                <dt>{name}</dt>
                <dd>
                  <Cut text={text} />
                </dd>
              </>
            ))}
          </dl>
        </details>
      </td>
      <td class="wide-only">{who}</td>
      <td class="wide-only">
        <Cut text={resource} />
      </td>
      <td class="wide-only">{tag}</td>
    </tr>
  );
}

function factsOf(event: AuditEvent): readonly (readonly [name: string, text: string])[] {
  const { action, ip_address: address, user_agent: agent, user_id: id, metadata } = event;
  const facts = { action, ip_address: address, user_agent: agent, user_id: id, ...metadata };
  return Object.entries(facts).flatMap(([name, value]) =>
    value === null ? [] : [[name.replaceAll('_', ' '), textOf(value)] as const],
  );
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
