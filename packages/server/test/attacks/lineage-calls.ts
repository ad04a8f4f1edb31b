/** Calls on lineage and consumers with as much as they can have. */
import { result } from '@agentkeep/contract-cases/answer';
import { minimalRecord, record, scope } from '@agentkeep/contract-cases/documents';
import type { Fixture } from '@agentkeep/contract-cases/fixture';

const version = { contract_version: 1 };

/** Derives many records from many, erases a source with them, and follows consumers. */
export async function callOnLineage(t: Fixture): Promise<void> {
  const agent = await t.agent();
  const id = result(await agent.readNamed(scope, 'long 0')).record.record_id;
  const revisions = result(await agent.revisions(scope, id, { limit: 100 })).page.items;
  const derived_from = revisions
    .slice(0, 32)
    .map(({ revision }) => ({ record_id: id, revision, scope }));
  const derived = { type: 'create', record: record({ derived_from: derived_from.slice(0, 1) }) };
  const widely = { type: 'create', record: record({ derived_from }) };
  result(await agent.batch(Array.from({ length: 256 }, () => [scope, derived] as const)));
  result(await agent.batch(Array.from({ length: 8 }, () => [scope, widely] as const)));
  result(await agent.query(scope, { derived_from: { record_id: id }, limit: 100 }));
  const expected_revision = revisions[0]?.revision ?? 1;
  const gone = { type: 'delete', record_id: id, expected_revision, dependents: 'cascade' };
  const { revision } = result(await agent.command(scope, gone)).receipt;
  const document = { ...version, scope, revision, limit: 100 };
  result(await agent.call('traceMemoryDependents', { id, document }));
  const put = { type: 'put', name: 'long 0', record: minimalRecord };
  result(await agent.command(scope, put));
  await callOnConsumers(t);
}

/** Calls the operations on consumers, with as many of them as a tenant can have. */
async function callOnConsumers(t: Fixture): Promise<void> {
  const worker = { ...version, holder: 'worker' };
  for (let subject = 0; subject < 8; subject += 1) {
    const agent = await t.agent({ subject_id: `subject-${subject}` });
    const { consumers } = result(await agent.call('listConsumers', { parameters: version }));
    for (let count = consumers.length; count < 32; count += 1) {
      const id = `consumer-${count}`;
      await agent.call('claimConsumer', { id, document: { ...worker, scope } });
    }
  }
  const agent = await t.agent({ subject_id: 'subject-0' });
  const id = 'consumer-9';
  result(await agent.call('claimConsumer', { id, document: { ...worker, scope } }));
  const { page } = result(await agent.call('readConsumer', { id, document: worker }));
  const commit = { ...worker, cursor: page.next_after };
  result(await agent.call('commitConsumer', { id, document: commit }));
  result(await agent.call('releaseConsumer', { id, document: worker }));
  result(await agent.call('listConsumers', { parameters: version }));
  result(await agent.call('deleteConsumer', { id, parameters: version }));
}
