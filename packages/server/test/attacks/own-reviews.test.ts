/**
 * A service that proposes for one of its subjects and reviews for another, or as itself
 * (docs/contract/review.md#rev-7).
 */
import { describe, expect } from 'vitest';
import { outcome, result } from '@agentkeep/contract-cases/answer';
import { type Caller, freshKey, type Members } from '@agentkeep/contract-cases/caller';
import { minimalRecord, sharedScope } from '@agentkeep/contract-cases/documents';
import { bothWays, type Fixture } from '@agentkeep/contract-cases/fixture';

const version = { contract_version: 1 };
const FORBIDDEN = '403 forbidden';

/** Issues a credential of a service that acts for everybody. */
const serviceOf = (t: Fixture, subject_id: string, capability: string): Promise<Caller> =>
  t.agent({
    subject_id,
    capabilities: ['memory_read', capability, 'act_for'],
    grants: [sharedScope],
    act_for: { mode: 'all' },
  });

async function actingFor(service: Caller, subject_id: string): Promise<Caller> {
  const document = { ...version, subject_id };
  const { access_token } = result(await service.call('issueSubjectToken', { document }));
  return service.with(access_token);
}

async function propose(by: Caller): Promise<string> {
  const operation = { type: 'create', record: minimalRecord };
  const document = { ...version, idempotency_key: freshKey(), scope: sharedScope, operation };
  const { receipt } = result(await by.call('proposeMemory', { document }));
  if (receipt.proposal === undefined) throw new Error('The receipt has no proposal.');
  return receipt.proposal.id;
}

async function merge(by: Caller, id: string, members: Members = {}): Promise<string> {
  const parameters = { ...version };
  const { digest } = result(await by.call('compareMemoryBranch', { id, parameters }));
  const document = { ...version, idempotency_key: freshKey(), digest, ...members };
  return outcome(await by.call('mergeMemoryBranch', { id, document }));
}

const reject = async (by: Caller, id: string): Promise<string> =>
  outcome(await by.call('rejectMemoryProposal', { id, document: { ...version, reason: 'No.' } }));

describe('REV-7, REV-C34 a service reviews nothing that it proposed', () => {
  bothWays('for a subject, by another credential, for whomever', async (t) => {
    const proposing = await serviceOf(t, 'bot', 'memory_propose');
    const reviewing = await serviceOf(t, 'bot', 'memory_review');
    const made = [await propose(await actingFor(proposing, 'ann')), await propose(proposing)];
    const reviewers = [
      await actingFor(reviewing, 'bob'),
      await actingFor(reviewing, 'ann'),
      await actingFor(reviewing, 'bot'),
      reviewing,
    ];
    for (const id of made) {
      for (const by of reviewers) {
        expect(await merge(by, id)).toBe(FORBIDDEN);
        expect(await reject(by, id)).toBe(FORBIDDEN);
      }
    }
    const other = await serviceOf(t, 'other bot', 'memory_review');
    expect(await merge(await actingFor(other, 'ann'), made[0] ?? '')).toBe(FORBIDDEN);
    expect(await merge(await actingFor(other, 'bot'), made[0] ?? '')).toBe(FORBIDDEN);
    expect(await merge(await actingFor(other, 'bob'), made[0] ?? '')).toBe('200');
    expect(await reject(other, made[1] ?? '')).toBe('200');
  });

  bothWays('also where its credential has ended', async (t) => {
    const proposing = await serviceOf(t, 'bot', 'memory_propose');
    const id = await propose(await actingFor(proposing, 'ann'));
    result(await t.admin.revoke(proposing.id, 1));
    const reviewing = await serviceOf(t, 'bot', 'memory_review');
    expect(await merge(await actingFor(reviewing, 'bob'), id)).toBe(FORBIDDEN);
  });

  bothWays('a subject reviews nothing that a service proposed for it', async (t) => {
    const id = await propose(await actingFor(await serviceOf(t, 'bot', 'memory_propose'), 'ann'));
    const members = { capabilities: ['memory_read', 'memory_review'], grants: [sharedScope] };
    expect(await merge(await t.agent({ subject_id: 'ann', ...members }), id)).toBe(FORBIDDEN);
    expect(await merge(await t.agent({ subject_id: 'rita', ...members }), id)).toBe('200');
  });
});
