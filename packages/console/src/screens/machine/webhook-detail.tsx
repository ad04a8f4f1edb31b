/** One webhook: how its deliveries go, and what it gave up. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Id } from '../../parts/name.js';
import { FailureNote, Loading } from '../../parts/notes.js';
import { Tags } from '../../parts/tags.js';
import { Time } from '../../parts/time.js';
import { pathOf } from '../../routing/address.js';
import { Link } from '../../routing/link.js';
import type { Caller } from '../../session/caller.js';
import { scopeText } from '../../scopes/scope-query.js';
import { useLoaded } from '../../session/use-loaded.js';
import { texts } from '../../texts/en/english.js';
import { WebhookChanges } from './change-webhook.js';
import { DeadLetters } from './dead-letters.js';
import { failureText } from './webhook-failure.js';
import { type Webhook, WebhookState } from './webhooks.js';

const words = texts.machine.webhooks;

/** Shows a webhook. */
export function WebhookDetail(props: {
  readonly caller: Caller;
  readonly id: string;
}): JSX.Element {
  const { caller, id } = props;
  const [changed, setChanged] = useState(0);
  const change = (): void => setChanged(changed + 1);
  const { value, failure } = useLoaded(
    async (agent, signal) => ({
      webhook: await agent.webhooks.get(id, { signal }),
      letters: await agent.webhooks.deadLetters(id, { signal }),
    }),
    [id, changed],
  );
  return (
    <>
      <div class="crumbs">
        <Link to={pathOf('webhooks')}>{words.back}</Link>
      </div>
      {failure === undefined ? undefined : <FailureNote failure={failure} />}
      {value === undefined && failure === undefined ? <Loading /> : undefined}
      {value === undefined ? undefined : (
        <>
          <section class="card" aria-label={words.webhook}>
            <h2>{value.webhook.name}</h2>
            <Facts webhook={value.webhook} />
            <WebhookChanges caller={caller} webhook={value.webhook} onChanged={change} />
          </section>
          <DeadLetters id={id} letters={value.letters} onChanged={change} />
        </>
      )}
    </>
  );
}

function Facts({ webhook }: { readonly webhook: Webhook }): JSX.Element {
  const { url, scopes, actions, credential_id: owner, delivery } = webhook;
  const { next_attempt_at_millis: nextMs, last_failure: failure } = delivery;
  const { last_delivered_at_millis: lastMs } = delivery;
  const facts: readonly (readonly [string, JSX.Element | string])[] = [
    [words.state, <WebhookState delivery={delivery} />],
    [words.url, url],
    [words.scopes, scopes === null ? words.allScopes : <Tags words={scopes.map(scopeText)} />],
    [words.actions, actions === null ? words.allActions : <Tags words={actions} />],
    [words.owner, <Id of={owner} />],
    [words.delivered, delivery.delivered_messages.toLocaleString(texts.locale)],
    [words.lastDelivered, lastMs === null ? words.never : <Time millis={lastMs} />],
    ...(failure === null ? [] : [[words.lastFailure, <FailureAt {...{ failure }} />] as const]),
    ...(nextMs === null ? [] : [[words.nextAttempt, <Time millis={nextMs} />] as const]),
  ];
  return (
    <dl class="facts">
      {facts.map(([label, fact]) => (
        <>
          <dt>{label}</dt>
          <dd>{fact}</dd>
        </>
      ))}
    </dl>
  );
}

function FailureAt(props: {
  readonly failure: NonNullable<Webhook['delivery']['last_failure']>;
}): JSX.Element {
  const { failure } = props;
  return (
    <>
      {failureText(failure)}, <Time millis={failure.at_millis} />
    </>
  );
}
