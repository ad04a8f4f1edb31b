/** The overview at the head of the first screen: what is stored, waits, fails and happened. */
import type { JSX } from 'preact';
import { ageText } from '../../parts/time.js';
import { proposalCount } from '../../live/changes.js';
import { pathOf } from '../../routing/address.js';
import { Link } from '../../routing/link.js';
import type { CountedScope, ListedScopes } from '../../scopes/listed-scopes.js';
import { mayOpen } from '../../scopes/scope-rights.js';
import { type Caller, may } from '../../session/caller.js';
import { useLoaded } from '../../session/use-loaded.js';
import { texts } from '../../texts/en/english.js';
import { Activity } from './activity.js';
import { Attention, seesAttention } from './attention.js';
import { OverviewPart } from './overview-part.js';

const words = texts.overview;
const WAITING_MAX = 100;

/** Shows what concerns the caller. */
export function Overview(props: {
  readonly caller: Caller;
  readonly listed: ListedScopes;
}): JSX.Element {
  const { caller, listed } = props;
  const reviews = may(caller, 'memory_review') || may(caller, 'memory_propose');
  return (
    <section class="overview" aria-label={words.title}>
      <Stored caller={caller} listed={listed} />
      <Activity caller={caller} scopes={listed.scopes} />
      {reviews ? <Waiting /> : undefined}
      {seesAttention(caller) ? <Attention caller={caller} /> : undefined}
    </section>
  );
}

function Stored(props: { readonly caller: Caller; readonly listed: ListedScopes }): JSX.Element {
  const { scopes, hasMore } = props.listed;
  const closed = scopes.filter((each) => !isOpen(props.caller, each));
  return (
    <OverviewPart title={words.stored} main={words.records(recordsOf(scopes))}>
      <p class="soft">{words.inScopes(scopes.length, !hasMore)}</p>
      {closed.length === 0 ? undefined : (
        <p class="soft small">{words.others(closed.length, recordsOf(closed))}</p>
      )}
    </OverviewPart>
  );
}

function Waiting(): JSX.Element {
  const loaded = useLoaded(
    async (agent, signal) => {
      const options = { state: 'proposed', limit: WAITING_MAX, signal } as const;
      const { items, next_cursor: next } = await agent.proposals.listPage(options);
      const ages = items.map(({ age_millis: age }) => age);
      return { count: items.length, isAll: next === null, oldest: Math.max(0, ...ages) };
    },
    [proposalCount.value],
  );
  const { value } = loaded;
  const isEmpty = value?.count === 0;
  const main = value && (isEmpty ? words.noProposals : words.proposals(value.count, value.isAll));
  return (
    <OverviewPart title={words.waiting} main={main} loaded={loaded}>
      {value === undefined || isEmpty ? undefined : (
        <>
          {value.isAll ? <p class="soft">{words.oldest(ageText(value.oldest))}</p> : undefined}
          <Link to={pathOf('review')}>{words.review}</Link>
        </>
      )}
    </OverviewPart>
  );
}

function isOpen(caller: Caller, { scope, subject_id: subject }: CountedScope): boolean {
  return mayOpen(caller, { scope, subjectId: subject ?? undefined });
}

function recordsOf(scopes: readonly CountedScope[]): number {
  return scopes.reduce((sum, { records }) => sum + records, 0);
}
