/** Decisions about proposals: each can be undone for ten seconds, and is then sent. */
import { computed, signal } from '@preact/signals';
import { proposalCount } from '../../live/changes.js';
import { holdPage } from '../../routing/held-page.js';
import { type Failure, failureOf } from '../../session/refusals.js';
import { beginWork, session } from '../../session/session.js';
import { texts } from '../../texts/en/english.js';
import type { Proposal } from './proposal.js';

const words = texts.review;
/** How long a decision can be undone. */
const UNDO_MS = 10_000;

/** What a person decided: to accept all or some records of what was seen, or to reject it. */
export type Verdict =
  | {
      readonly kind: 'accept';
      readonly digest: string;
      readonly records: readonly string[] | undefined;
    }
  | { readonly kind: 'reject'; readonly reason: string };

/** A decision, and how far it is. */
export interface Decision {
  readonly proposal: Proposal;
  readonly verdict: Verdict;
  readonly state: 'waiting' | 'sending' | 'refused';
  /** Why it was refused by the server. */
  readonly failure?: Failure;
  /** Why it took no effect, in words. */
  readonly note?: string;
}

/** The decisions that wait, are being sent, or were refused. */
export const decisions = signal<readonly Decision[]>([]);

/** What was last decided, undone or sent, in words for a live region. */
export const announcement = signal('');

/** The ids of proposals that were decided in this page, and may still be in a list of before. */
const settled = signal<ReadonlySet<string>>(new Set());

/** The ids of proposals that no list shows as waiting. */
export const hiddenProposals = computed<ReadonlySet<string>>(() => {
  const open = decisions.value.filter(({ state }) => state !== 'refused');
  return new Set([...settled.value, ...open.map(({ proposal }) => proposal.id)]);
});

const timers = new Map<string, ReturnType<typeof setTimeout>>();
holdPage({ holds: () => decisions.value.some(({ state }) => state !== 'refused') });
session.subscribe((state) => {
  // What another person decided is not sent in the name of the next one.
  if (state.kind !== 'closed') return;
  for (const timer of timers.values()) clearTimeout(timer);
  timers.clear();
  decisions.value = [];
  settled.value = new Set();
});

/** Takes a decision, which is sent after ten seconds. */
export function decide(proposal: Proposal, verdict: Verdict): void {
  forget(proposal.id);
  decisions.value = [...decisions.value, { proposal, verdict, state: 'waiting' }];
  announcement.value = words.deciding(verdict.kind, nameOf(proposal), UNDO_MS / 1_000);
  timers.set(
    proposal.id,
    setTimeout(() => sendNow(proposal.id), UNDO_MS),
  );
}

/** Takes a decision back that was not sent. */
export function undo(id: string): void {
  const found = decisionOf(id);
  if (found?.state !== 'waiting') return;
  forget(id);
  announcement.value = words.undone(nameOf(found.proposal));
}

/** Sends a decision that waits at once. */
export function sendNow(id: string): void {
  const found = decisionOf(id);
  if (found?.state !== 'waiting') return;
  clearTimeout(timers.get(id));
  timers.delete(id);
  replace(id, { ...found, state: 'sending' });
  void send(found);
}

/** Forgets a decision, such as one that was refused and read. */
export function forget(id: string): void {
  clearTimeout(timers.get(id));
  timers.delete(id);
  decisions.value = decisions.value.filter(({ proposal }) => proposal.id !== id);
}

/** Returns what a proposal is called in announcements. */
export function nameOf({ purpose, author }: Proposal): string {
  return purpose ?? words.of(author.subject_id);
}

function decisionOf(id: string): Decision | undefined {
  return decisions.value.find(({ proposal }) => proposal.id === id);
}

function replace(id: string, next: Decision): void {
  decisions.value = decisions.value.map((each) => (each.proposal.id === id ? next : each));
}

async function send(decision: Decision): Promise<void> {
  const { proposal, verdict } = decision;
  const work = beginWork();
  try {
    const note = await sent(work.agent, decision);
    if (note !== undefined) replace(proposal.id, { ...decision, state: 'refused', note });
    else {
      const isWhole = verdict.kind === 'reject' || verdict.records === undefined;
      if (isWhole) settled.value = new Set([...settled.value, proposal.id]);
      forget(proposal.id);
      announcement.value = words.sent(verdict.kind, nameOf(proposal));
    }
  } catch (error) {
    const failure = failureOf(error, work.requestId);
    replace(proposal.id, { ...decision, state: 'refused', failure });
  }
  proposalCount.value += 1;
}

/** Sends a decision; returns why it took no effect, if the answer says so. */
async function sent(
  agent: ReturnType<typeof beginWork>['agent'],
  { proposal, verdict }: Decision,
): Promise<string | undefined> {
  if (verdict.kind === 'accept') {
    const { digest, records } = verdict;
    const some = records === undefined ? {} : { records: [...records] };
    const merge = await agent.branches.merge(proposal.id, { digest, ...some });
    return merge.state === 'conflicts' ? words.stopped : undefined;
  }
  const { id } = proposal;
  // A repeat answers with the first rejection, whose reason may be another person's.
  const { reviewer, reason } = await agent.proposals.reject(id, verdict.reason);
  const own = session.value.kind === 'open' ? session.value.caller.credential : undefined;
  const isOwn = reviewer?.subject_id === own?.spec.subject_id && reason === verdict.reason;
  return isOwn ? undefined : words.rejectedBefore(reviewer?.subject_id ?? '', reason ?? '');
}
