/** `withdrawMemoryProposals`: ends all proposals of an author that wait. */
import { sweepMemory } from '../retention/sweep-port.js';
import { exampleVersion } from '../../../contract/example-values.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { inputFirstChecks } from '../../../kernel/operation/orders-of-checks.js';
import type { WriteTx } from '../../../storage/store/store.js';
import {
  endWaiting,
  findProposal,
  isKept,
  isTakenBy,
  type KeyedProposal,
  orderedAt,
  type ProposalPlace,
  proposalsAfter,
} from '../branch/proposal-store.js';
import { ProposalsWithdrawal, WithdrawnResponse } from './proposal-documents.js';

/** Proposals that one transaction looks at. */
const LOOKED_AT_ONCE = 64;

/** A few short commits. What is proposed meanwhile stays, and another call withdraws it too. */
export const withdrawMemoryProposals = defineTenantOperation({
  name: 'withdrawMemoryProposals',
  summary: 'Withdraw all proposals of memory of one author that wait.',
  example: { document: { ...exampleVersion, subject_id: 'helper' } },
  command: {
    name: 'memory withdraw-proposals',
    examples: ['agentkeep memory withdraw-proposals --subject-id helper'],
  },
  tag: 'Memory',
  input: { document: ProposalsWithdrawal },
  output: WithdrawnResponse,
  requires: { capability: 'credential_admin' },
  checks: inputFirstChecks,
  isHeavy: true,
  whenFull: 'served',
  handler: async (request) => {
    const { runtime, credential, input, nowMs } = request;
    const { tenantId } = credential;
    const { subject_id: subjectId } = input.document;
    const withdrawn: string[] = [];
    for (let after: ProposalPlace | undefined, isLast = false; !isLast;) {
      const from = after;
      const looked = await runtime.store.transact((tx) => {
        request.confirm(tx);
        return withdrawSome(tx, { tenantId, subjectId, nowMs }, from);
      });
      withdrawn.push(...looked.withdrawn);
      after = looked.last && { atMillis: orderedAt(looked.last), id: looked.last.id };
      isLast = after === undefined;
      await request.turn();
    }
    if (withdrawn.length > 0) sweepMemory.of(runtime)();
    request.nameChanges(() => withdrawn.map((proposal) => ({ proposal, change: 'withdrawn' })));
    return { contract_version: CONTRACT_VERSION, withdrawn: withdrawn.length };
  },
});

interface Withdrawal {
  readonly tenantId: string;
  readonly subjectId: string;
  readonly nowMs: number;
}

/** Withdraws those among some proposals; returns their ids, and the last one if more may follow. */
function withdrawSome(
  tx: WriteTx,
  { tenantId, subjectId, nowMs }: Withdrawal,
  after: ProposalPlace | undefined,
): { readonly withdrawn: readonly string[]; readonly last: KeyedProposal | undefined } {
  const part = { after, limit: LOOKED_AT_ONCE };
  const looked = proposalsAfter(tx, tenantId, 'proposed', part).flatMap(
    (id) => findProposal(tx, tenantId, id) ?? [],
  );
  const found = looked.filter((each) => isKept(each, nowMs) && isTakenBy(each, subjectId));
  for (const each of found) endWaiting(tx, tenantId, each);
  const last = looked.length < LOOKED_AT_ONCE ? undefined : looked.at(-1);
  return { withdrawn: found.map(({ id }) => id), last };
}
