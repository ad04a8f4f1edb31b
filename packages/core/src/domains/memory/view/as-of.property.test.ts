/** A read as of a position answers as it did then (docs/contract/as-of.md#aso-3). */
import { testStore } from '@agentkeep/testkit/test-store';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  histories,
  nothingMade,
  other,
  scanLimits,
  scope,
  stateOf,
  take,
} from '../../../../test/history-kit.js';
import { openKeep } from '../../../index.js';
import { agentFor, bootstrapTenant } from '../../../operator.js';
import { ManualClock } from '../../../testing.js';
import type { AsOf } from '../documents/as-of-schema.js';

test('ASO-3 every position answers as it did when it was the last', async () => {
  let gone = 0;
  await fc.assert(
    fc.asyncProperty(histories, fc.boolean(), async (steps, isCached) => {
      const clock = new ManualClock();
      await using keep = await openKeep({
        store: testStore(),
        clock,
        queryCacheBytes: isCached ? 1 << 24 : 0,
      });
      const root = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'root' });
      const admin = await keep.authenticate(root.secret);
      const worker = { tenantId: 'acme', subjectId: 's', scopes: [scope, other] };
      const agent = await agentFor(keep, worker);
      await admin.retention.set({ expectedRevision: 0 }, { deleted_days: 9 });
      const made = nothingMade();
      const { ids } = made;
      const states: { asOf: AsOf; state: unknown; redacted: number }[] = [];
      let after: string | undefined;
      let redacted = 0;
      for (const each of steps) {
        clock.advance(1_000);
        const done = await take(agent, made, each, { nowMs: clock.now() }).then(
          () => true,
          () => undefined,
        );
        if (done === undefined) continue;
        if (each.kind === 'redact') redacted += 1;
        const page = await agent.memory.changesPage({ limit: 256, ...(after && { after }) });
        after = page.next_after;
        // Another redaction of the same revision changes nothing.
        if (page.changes.length === 0) continue;
        const position = { cursor: page.next_after };
        states.push({ asOf: position, state: await stateOf(agent, ids), redacted });
        const millis = { millis: clock.now() };
        states.push({ asOf: millis, state: states.at(-1)?.state, redacted });
      }
      clock.advance(1_000);
      for (const { asOf, state, redacted: then } of states) {
        const scanLimit = scanLimits[states.length % scanLimits.length];
        const asked = stateOf(agent, ids, { asOf, scanLimit });
        const answer = await asked.catch((error: unknown) => String(error));
        if (typeof answer === 'string') {
          gone += 1;
          expect(answer).toContain('History');
          expect(then).toBeLessThan(redacted);
          continue;
        }
        const known = (state as unknown[]).slice(0, answer.length);
        expect(answer.slice(0, known.length)).toEqual(known);
      }
    }),
    { numRuns: Number(process.env['AGENTKEEP_PROPERTY_RUNS'] ?? 30) },
  );
  expect(gone).toBeGreaterThan(0);
});
