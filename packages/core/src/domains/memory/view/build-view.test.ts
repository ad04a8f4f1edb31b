/** How many records may have changed since a position (docs/contract/as-of.md#aso-12). */
import { testStore } from '@agentkeep/testkit/test-store';
import { expect, test } from 'vitest';
import { namespaceOf } from '../../../kernel/access/namespace.js';
import { openKeep } from '../../../index.js';
import { runtimeOf } from '../../../keep/keep.js';
import { agentFor } from '../../../operator.js';
import { buildView } from './build-view.js';

test('ASO-12 a position after which too many records changed is gone', async () => {
  await using keep = await openKeep({ store: testStore() });
  const scope = { project_id: 'p', mission_id: null, agent_id: 'a', visibility: 'shared' } as const;
  const agent = await agentFor(keep, { tenantId: 'acme', subjectId: 's', scopes: [scope] });
  for (let count = 0; count < 3; count += 1) {
    await agent.memory.in(scope).create({ content: { primary: 'text' } });
  }
  const { spec } = (await agent.whoAmI()) as Pick<Parameters<typeof namespaceOf>[0], 'spec'>;
  const acting = { spec, tenantId: 'acme' } as Parameters<typeof namespaceOf>[0];
  const namespace = namespaceOf(acting, scope);
  const runtime = runtimeOf(keep);
  const request = { runtime, nowMs: Date.now(), turn: () => Promise.resolve() };
  const built = (most: number) => buildView(request, namespace, { millis: 1 }, most);
  expect((await built(3)).ids).toHaveLength(3);
  await expect(built(2)).rejects.toMatchObject({ code: 'history_gone' });
});
