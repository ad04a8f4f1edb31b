/** What an action makes does not depend on when the events of earlier calls are stored. */
import { eventually } from '@agentkeep/testkit/eventually';
import { expect } from 'vitest';
import { result } from './answer.js';
import { testCase } from './fixture.js';
import { entriesMadeBy } from './stored-entries.js';

testCase(
  'events of earlier calls that are stored meanwhile are not made by an action',
  async (t) => {
    const master = await t.master();
    result(await master.revoke(master.id, 1));
    expect((await t.keep.waiting()).auditEvents).toBeGreaterThan(0);
    const made = await entriesMadeBy(t.store, () =>
      eventually(async () => expect((await t.keep.waiting()).auditEvents).toBe(0)),
    );
    expect(made).toEqual([]);
  },
);
