/** Proposals of memory: made, repeated, listed, rejected, withdrawn, with every kind of proof. */
import { fullScope } from '../../models/credential-model.js';
import type { Play } from '../play.js';
import type { Rule } from '../rule.js';
import { GRANTED, UNKNOWN_ID, VERSION } from '../vocabulary.js';
import { holderOf, may } from './memory.js';

const TEXTS = ['one', 'two'];
const SECONDS = [60, 604_800, 7_776_000];
const REASONS = ['No.', 'Wrong.'];

const propose: Rule = {
  name: 'propose a record',
  weight: 2,
  run: async (play) => {
    const { dice, world, memory } = play;
    const repeated = dice.isLucky(30) ? dice.any(world.proposals.keys) : undefined;
    const key = repeated ?? `proposal-${memory.freshKey()}`;
    const scope = dice.one(GRANTED);
    const text = dice.one(TEXTS);
    const seconds = dice.one(SECONDS);
    const record = { content: { primary: text } };
    const document = {
      ...VERSION,
      idempotency_key: key,
      scope,
      operation: { type: 'create' as const, record },
      expires_in_seconds: seconds,
    };
    const right = dice.isLucky(50) ? 'memory_propose' : 'memory_write';
    await play.ask('proposeMemory', play.caller(may(right)), { document }, (made, who) => {
      const id = (made as typeof made | undefined)?.receipt.proposal?.id;
      const wanted = { scope: fullScope(scope), key, text, seconds, id };
      const found = world.proposals.propose(holderOf(play, who), wanted, world.now);
      const { decision } = found;
      const state = decision === undefined ? 'proposed' : 'rejected';
      const proposal = {
        ...{ id: found.id, name: found.id, state, author: found.author },
        ...{ scopes: [found.scope], proposed_at_millis: found.proposedAt },
        ...{ ends_at_millis: found.endsAt, reason: decision?.reason ?? null },
        age_millis: Math.max(0, (decision?.at ?? world.now) - found.proposedAt),
      };
      return { ...VERSION, receipt: { revision: 1, action: 'created', proposal } };
    });
  },
};

const idOf = ({ dice, world }: Play): string =>
  (dice.isLucky(90) ? dice.any(world.proposals.waiting(world.now)) : undefined)?.id ?? UNKNOWN_ID;

const list: Rule = {
  name: 'list proposals',
  weight: 0.5,
  run: async (play) => {
    const { dice, world } = play;
    const state = dice.isLucky(70) ? 'proposed' : 'rejected';
    const parameters = { ...VERSION, state, limit: 100 } as const;
    const caller = play.caller(may('memory_read'));
    await play.ask('listMemoryProposals', caller, { parameters }, (_made, who) => {
      const ids = world.proposals.list(holderOf(play, who), state, world.now);
      const items = ids.slice(0, 100).map((id) => ({ id, state }));
      return { ...VERSION, page: { items } };
    });
  },
};

const reject: Rule = {
  name: 'reject a proposal',
  weight: 2,
  run: async (play) => {
    const { dice, world } = play;
    const id = idOf(play);
    const reason = dice.one(REASONS);
    const caller = play.caller(may('memory_review'));
    const parts = { id, document: { ...VERSION, reason } };
    await play.ask('rejectMemoryProposal', caller, parts, (_made, who) => {
      const found = world.proposals.reject(holderOf(play, who), id, reason, world.now);
      const { at, subjectId: subject_id, reason: first } = found.decision!;
      const decided = { decided_at_millis: at, reviewer: { subject_id }, reason: first };
      return { ...VERSION, proposal: { id, state: 'rejected', ...decided } };
    });
  },
};

const withdraw: Rule = {
  name: 'withdraw a proposal',
  weight: 0.3,
  run: async (play) => {
    const id = idOf(play);
    const caller = play.caller(may('memory_propose'));
    await play.ask('dropMemoryBranch', caller, { id, parameters: VERSION }, (_made, who) => {
      play.world.proposals.withdraw(holderOf(play, who), id, play.world.now);
      return { ...VERSION, dropped: true };
    });
  },
};

const withdrawAll: Rule = {
  name: 'withdraw all proposals of a subject',
  weight: 0.2,
  run: async (play) => {
    const { dice, world } = play;
    const subject_id = dice.any(world.proposals.authors) ?? 'nobody';
    const document = { ...VERSION, subject_id };
    const caller = play.caller(may('credential_admin'));
    await play.ask('withdrawMemoryProposals', caller, { document }, (_made, who) => {
      const withdrawn = world.proposals.withdrawAll(holderOf(play, who), subject_id, world.now);
      return { ...VERSION, withdrawn };
    });
  },
};

/** Steps with proposals. */
export const memoryProposalRules = [propose, list, reject, withdraw, withdrawAll];
