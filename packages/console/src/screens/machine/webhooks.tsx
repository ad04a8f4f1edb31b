/** The webhooks of the tenant: where changes are delivered to, and how that goes. */
import type { Agent } from '@agentkeep/client';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Empty, FailureNote, Loading } from '../../parts/notes.js';
import { Table } from '../../parts/table.js';
import { Time } from '../../parts/time.js';
import { pathOf } from '../../routing/address.js';
import { Link } from '../../routing/link.js';
import { type Caller, may } from '../../session/caller.js';
import { useLoaded } from '../../session/use-loaded.js';
import { texts } from '../../texts/en/english.js';
import { CreateWebhook } from './create-webhook.js';

const words = texts.machine.webhooks;

/** A webhook as the server shows it. */
export type Webhook = Awaited<ReturnType<Agent['webhooks']['get']>>;

/** Shows all webhooks, the oldest first, and lets the caller make one. */
export function Webhooks({ caller }: { readonly caller: Caller }): JSX.Element {
  const [made, setMade] = useState(0);
  const [isOpen, setOpen] = useState(false);
  const { value, failure } = useLoaded((agent, signal) => agent.webhooks.list({ signal }), [made]);
  return (
    <>
      {/* A webhook reads with the rights of who makes it. */}
      {may(caller, 'memory_read') ? (
        <div class="row">
          <button type="button" class="main" onClick={() => setOpen(true)}>
            {words.create}
          </button>
        </div>
      ) : undefined}
      {isOpen ? (
        <CreateWebhook onMade={() => setMade(made + 1)} onLeave={() => setOpen(false)} />
      ) : undefined}
      {failure === undefined ? undefined : <FailureNote failure={failure} />}
      {value === undefined && failure === undefined ? <Loading /> : undefined}
      {value?.length === 0 ? <Empty title={words.empty} text={words.emptyText} /> : undefined}
      {value === undefined || value.length === 0 ? undefined : <WebhookTable webhooks={value} />}
    </>
  );
}

function WebhookTable({ webhooks }: { readonly webhooks: readonly Webhook[] }): JSX.Element {
  return (
    <Table
      columns={[
        words.name,
        words.state,
        { label: words.deadLetters, isNumber: true },
        { label: words.lastDelivered, wideOnly: true },
      ]}
    >
      {webhooks.map(({ id, name, url, delivery }) => (
        <tr key={id}>
          <td>
            <Link to={pathOf('webhooks', { id })}>{name}</Link>
            <div class="soft small long-url">{url}</div>
          </td>
          <td>
            <WebhookState delivery={delivery} />
          </td>
          <td class="number">{delivery.dead_letters.toLocaleString(texts.locale)}</td>
          <td class="wide-only">
            {delivery.last_delivered_at_millis === null ? (
              words.never
            ) : (
              <Time millis={delivery.last_delivered_at_millis} />
            )}
          </td>
        </tr>
      ))}
    </Table>
  );
}

const looks = {
  active: 'tag good',
  retrying: 'tag warned',
  paused: 'tag',
  unauthorized: 'tag bad',
} as const;

/** Shows the state of deliveries. */
export function WebhookState({ delivery }: Pick<Webhook, 'delivery'>): JSX.Element {
  return <span class={looks[delivery.state]}>{words.states[delivery.state]}</span>;
}
