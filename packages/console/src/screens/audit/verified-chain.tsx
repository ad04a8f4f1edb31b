/** What a verification of an audit log found. */
import type { Agent } from '@agentkeep/client';
import type { JSX } from 'preact';
import { Time } from '../../parts/time.js';
import { texts } from '../../texts/en/english.js';

const words = texts.chain;

/** How far a verification is, and its result at the end. */
export type ChainVerification = Awaited<ReturnType<Agent['audit']['verify']>>;

/** Shows the result: the digest of each chain, or where a chain does not hold and why. */
export function VerifiedChain({ verified }: { readonly verified: ChainVerification }): JSX.Element {
  const { broken, chains } = verified;
  const { tenant_id: tenant, checked_at: at, events_checked: events } = verified;
  return (
    <>
      <p class={broken === null ? 'note' : 'note danger'} role="status">
        {broken === null ? words.holds : words.breaks}
      </p>
      <dl class="facts">
        {broken === null ? undefined : <Break broken={broken} />}
        <dt>{words.log}</dt>
        <dd>{tenant ?? texts.person.installation}</dd>
        <dt>{words.when}</dt>
        <dd>
          <Time millis={new Date(at).getTime()} />
        </dd>
        <dt>{words.verified}</dt>
        <dd>{words.amount(events, verified.blocks_checked)}</dd>
        {chains.map(({ chain, events: kept, digest }) => (
          <>
            <dt>{words.chains[chain]}</dt>
            <dd>
              {words.kept(kept)} <code>{digest}</code>
            </dd>
          </>
        ))}
      </dl>
      {chains.length === 0 ? undefined : <p class="soft small">{words.digests}</p>}
    </>
  );
}

function Break(props: { readonly broken: NonNullable<ChainVerification['broken']> }): JSX.Element {
  const { event_id: id, chain, reason } = props.broken;
  return (
    <>
      <dt>{words.what}</dt>
      <dd>{words.reasons[reason]}</dd>
      <dt>{words.where}</dt>
      <dd>
        <code>{id}</code> {chain === null ? undefined : `(${words.chains[chain]})`}
      </dd>
    </>
  );
}
