/** Cases of the search for what an erasure left (docs/contract/erasure.md). */
import { verifyErasureOfStore } from '@agentkeep/core/operator';
import { describe, expect } from 'vitest';
import { result } from '../harness/answer.js';
import { scope, sharedScope } from '../harness/documents.js';
import { testCase, type Fixture } from '../harness/fixture.js';
import { admitted, erased, erasedTenant, ofSubject } from './erasure-kit.js';

type Target = Parameters<typeof verifyErasureOfStore>[1]['target'];

async function found(t: Fixture, target: Target) {
  const report = await verifyErasureOfStore(t.store, { tenantId: 'acme', target });
  const counted = (name: 'left' | 'kept') =>
    Object.fromEntries(
      report.families.flatMap((each) => (each[name] > 0 ? [[each.family, each[name]]] : [])),
    );
  const { status, erasures } = report;
  return { status, erasures: erasures.length, left: counted('left'), kept: counted('kept') };
}

// ERA-25
describe('ERA-C14', () => {
  testCase('finds a subject before it is erased, and nothing afterwards', async (t) => {
    const alice = await t.agent();
    result(await alice.put(scope, 'name'));
    await alice.created(sharedScope);
    const target = { kind: 'subject', subject_id: 'alice' } as const;
    const before = await found(t, target);
    expect(before).toMatchObject({ status: 'not_erased', erasures: 0 });
    const families = { memoryRecords: 1, memoryNames: 1, namespaces: 1, credentials: 1 };
    expect(before.left).toMatchObject(families);
    await erased(t, ofSubject('alice'));
    const after = await found(t, target);
    expect(after).toMatchObject({ status: 'clean', erasures: 1, left: {} });
    // What it wrote for others says so.
    expect(after.kept).toMatchObject({ memoryRecords: 1 });
    await admitted(t, 'alice');
    await t.agent();
    const again = await found(t, target);
    expect(again).toMatchObject({ status: 'left', left: { credentials: 1, subjects: 1 } });
  });

  testCase('finds a scope and a tenant', async (t) => {
    const alice = await t.agent();
    await alice.created(scope);
    await alice.created(sharedScope);
    const whole = { ...sharedScope, mission_id: null };
    const target = { kind: 'scope', scope: whole, subject_id: null } as const;
    expect((await found(t, target)).left).toMatchObject({ memoryRecords: 1, namespaces: 1 });
    await erased(t, target);
    expect(await found(t, target)).toMatchObject({ status: 'clean', left: {} });

    const tenant = { kind: 'tenant', tenant_id: 'acme' } as const;
    const before = await found(t, tenant);
    expect(before.left).toMatchObject({ tenants: 1, memoryRecords: 1, erasures: 1 });
    await erasedTenant(await t.master(), 'acme');
    expect(await found(t, tenant)).toMatchObject({ status: 'clean', erasures: 1, left: {} });
  });
});
