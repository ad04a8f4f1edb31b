/** Queries of random histories agree with a plain list, page by page. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { auditDraft } from '../../../test/audit-draft.js';
import type { AuditDraft } from '../audit/audit.js';
import { systemEntropy } from '../ports/entropy.js';
import { uuidV7Generator } from '../ports/ids.js';
import type { Principal } from '../access/principal.js';
import type { Runtime } from '../services/runtime.js';
import { timeText } from '../../contract/schema/time.js';
import { ManualClock } from '../../testing/manual-clock.js';
import { auditPage } from './query-audit-logs.js';
import { openAuditOver } from '../../../test/audit-kit.js';
import { auditSettings } from './audit-options.js';
import { type AuditQuota, quotaOf } from './quota-policy.js';
import type { AuditEvent, AuditParameters } from './schema.js';
import { verifyAudit } from './verification/verify-audit.js';
import { testStore } from '@agentkeep/testkit/test-store';

const TENANTS: readonly string[] = ['acme', 'other'];
const START_MS = 1_000_000;
/** Origin of the times in queries. */
const ORIGIN_MS = START_MS - 50;
const names = ['ann', 'bob', 'cy'];

interface Step {
  readonly advanceMs: number;
  readonly isChange: boolean;
  readonly lateMs: number;
  readonly tenant: number;
  readonly events: readonly { readonly name: number; readonly type: number; readonly ip: number }[];
}

const step: fc.Arbitrary<Step> = fc.record({
  advanceMs: fc.integer({ min: -5, max: 20 }),
  isChange: fc.boolean(),
  lateMs: fc.constantFrom(0, 0, 0, 3, 50),
  tenant: fc.constantFrom(0, 0, 0, 1, 2),
  events: fc.array(fc.record({ name: fc.nat(3), type: fc.nat(1), ip: fc.nat(2) }), {
    minLength: 1,
    maxLength: 90,
  }),
});

const query = fc.record({
  event_type: fc.option(fc.constantFrom('login', 'access_granted'), { nil: undefined }),
  username: fc.option(fc.constantFrom(...names, 'nobody'), { nil: undefined }),
  resource: fc.option(fc.constantFrom('record:0', 'record:1', 'record:9'), { nil: undefined }),
  ip_address: fc.option(fc.constantFrom('192.0.2.0', '192.0.2.1'), { nil: undefined }),
  from: fc.option(fc.nat(200), { nil: undefined }),
  to: fc.option(fc.nat(200), { nil: undefined }),
  limit: fc.integer({ min: 1, max: 40 }),
  tenant: fc.constantFrom(0, 0, 1, 2),
});

type Query = typeof query extends fc.Arbitrary<infer Q> ? Q : never;

const types = ['login', 'access_granted'] as const;

function draftOf(
  id: string,
  { name, type, ip }: Step['events'][number],
  atMillis: number,
  tenantId: string | null,
): AuditDraft {
  const [username, ipAddress] = [names[name] ?? null, `192.0.2.${ip}`];
  const resource = `record:${(name + ip) % 3}`;
  const about = { tenantId, username, ipAddress, resource };
  return auditDraft({ id, atMillis, type: types[type] ?? 'login', ...about });
}

function principalOf(tenant: number): Principal {
  const tenantId = TENANTS[tenant];
  const authority =
    tenantId === undefined
      ? ({ kind: 'global' } as const)
      : ({ kind: 'tenant', tenant_id: tenantId } as const);
  return { authority } as Principal;
}

/** Plays steps into an audit log. Returns it with the expected events of each tenant. */
async function play(steps: readonly Step[], maxEvents: number) {
  const clock = new ManualClock(START_MS);
  const newId = uuidV7Generator(clock, systemEntropy);
  const { store, audit } = openAuditOver(testStore(), clock, auditSettings({ maxEvents }));
  const lists = new Map<string | null, AuditDraft[]>();
  for (const { advanceMs, isChange, lateMs, tenant, events } of steps) {
    clock.stepTo(clock.now() + advanceMs);
    const tenantId = TENANTS[tenant] ?? null;
    const at = clock.now() - lateMs;
    const drafts = events.map((each) => draftOf(newId(), each, at, tenantId));
    for (const draft of drafts) {
      if (isChange) await store.transact((tx) => audit.changed(tx, draft));
      else audit.observed(draft);
    }
    await audit.flush();
    lists.set(tenantId, kept([...(lists.get(tenantId) ?? []), ...drafts], maxEvents));
  }
  return { runtime: { store, audit, clock } as unknown as Runtime, lists };
}

/** Returns the events that their quotas keep. */
function kept(drafts: readonly AuditDraft[], maxEvents: number): AuditDraft[] {
  const counts = new Map<AuditQuota, number>();
  const newest = drafts.toReversed().filter((draft) => {
    const count = (counts.get(quotaOf(draft)) ?? 0) + 1;
    counts.set(quotaOf(draft), count);
    return count <= maxEvents;
  });
  return newest.reverse();
}

/** Returns the ids that a query should find in a list, newest first. */
function naive(list: readonly AuditDraft[], query: Query): string[] {
  const { event_type, username, resource, ip_address, from, to } = query;
  return list
    .filter(
      (it) =>
        (event_type === undefined || it.type === event_type) &&
        (username === undefined || it.username === username) &&
        (resource === undefined || it.resource === resource) &&
        (ip_address === undefined || it.ipAddress === ip_address) &&
        (from === undefined || it.atMillis >= ORIGIN_MS + from) &&
        (to === undefined || it.atMillis <= ORIGIN_MS + to),
    )
    .map(({ id }) => id)
    .reverse();
}

async function allPages(runtime: Runtime, query: Query): Promise<AuditEvent[]> {
  const { from, to, tenant, ...rest } = query;
  const time = (offset: number | undefined) =>
    offset === undefined ? undefined : timeText(ORIGIN_MS + offset);
  const parameters = { ...rest, start_time: time(from), end_time: time(to) } as AuditParameters;
  const call = {
    runtime,
    principal: principalOf(tenant),
    nowMs: START_MS,
    turn: () => Promise.resolve(),
  };
  const found: AuditEvent[] = [];
  let cursor: string | null = null;
  do {
    const position = cursor === null ? {} : { cursor };
    const page = await auditPage({ ...call, parameters: { ...parameters, ...position } });
    expect(page.count).toBe(page.events.length);
    if (page.next_cursor !== null) expect(page.count).toBe(query.limit);
    found.push(...page.events);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return found;
}

test('a query finds the matching events, newest first, page by page', async () => {
  const histories = fc.array(step, { minLength: 1, maxLength: 12 });
  const queries = fc.array(query, { minLength: 1, maxLength: 6 });
  const property = fc.asyncProperty(
    histories,
    queries,
    fc.constantFrom(5, 70, 10_000),
    async (steps, asked, maxEvents) => {
      const { runtime, lists } = await play(steps, maxEvents);
      for (const each of asked) {
        const found = await allPages(runtime, each);
        const ids = found.map(({ event_id }) => event_id);
        const own = TENANTS[each.tenant];
        const wanted = (own === undefined ? [...lists.values()] : [lists.get(own) ?? []]).map(
          (list) => naive(list, each),
        );
        // Across authorities, each keeps its order and transaction times never ascend.
        expect(ids.toSorted()).toEqual(wanted.flat().toSorted());
        for (const list of wanted) expect(ids.filter((id) => list.includes(id))).toEqual(list);
        const times = found.map((event) => event.transaction_time);
        expect(times).toEqual(times.toSorted().reverse());
      }
      const report = await verifyAudit(runtime.store);
      expect(report).toMatchObject({ status: 'verified', broken_at: null });
      const count = [...lists.values()].reduce((sum, list) => sum + list.length, 0);
      expect(report.events_checked).toBe(count);
      await runtime.audit.close();
    },
  );
  await fc.assert(property, { numRuns: 60 });
});
