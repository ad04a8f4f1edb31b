/** Runs in a copy with a new member of branches, and follows it through all that has to have it. */
import { deepEqual, equal, match } from 'node:assert/strict';
import { inMemoryStore, openKeep, operations } from '../../packages/core/src/index.ts';
import { bootstrapTenant, embeddedInput } from '../../packages/core/src/operator.ts';
import { ADDED } from './new-member.ts';

const scope = { project_id: 'p', agent_id: 'a', visibility: 'shared' } as const;
const text = 'as it was given';

/** Opens an empty store, and returns how its administrator and an agent call operations. */
async function opened() {
  const keep = await openKeep({ store: inMemoryStore() });
  const { secret } = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
  const admin = await keep.authenticate(secret);
  const agent = await admin.credentials.issue({
    subject_id: 'helper',
    capabilities: ['memory_read', 'memory_write'],
    grants: [scope],
  });
  const calls = (token: string) => (name: keyof typeof operations, parts: object) =>
    keep.invoke(operations[name], embeddedInput(parts), {
      proof: { kind: 'bearer', token },
    }) as Promise<never>;
  return { keep, byAdmin: calls(secret), byAgent: calls(agent.secret) };
}

interface Shown {
  readonly branch: { readonly id: string; readonly [member: string]: unknown };
}

const version = { contract_version: 1 };
const here = await opened();
const document = { ...version, name: 'trial', scopes: [scope] };
const made: Shown = await here.byAgent('createMemoryBranch', {
  document: { ...document, [ADDED]: text },
});
equal(made.branch[ADDED], text);
const plain: Shown = await here.byAgent('createMemoryBranch', {
  document: { ...document, name: 'other' },
});
equal(plain.branch[ADDED], null);

const { id } = made.branch;
const read: Shown = await here.byAgent('getMemoryBranch', { id, parameters: version });
equal(read.branch[ADDED], text);
const listed: { page: { items: Shown['branch'][] } } = await here.byAgent('listMemoryBranches', {
  parameters: version,
});
const shown = new Map(listed.page.items.map((each) => [each.id, each[ADDED]]));
deepEqual([shown.get(id), shown.get(plain.branch.id)], [text, null]);

const exported: { page: { text: string } } = await here.byAdmin('exportMemory', {
  document: { ...version, of: { type: 'tenant' } },
});
match(exported.page.text, new RegExp(`"${ADDED}":"${text}"`, 'u'));

const there = await opened();
await there.byAdmin('importMemory', { document: { ...version, text: exported.page.text } });
const moved: Shown = await there.byAgent('getMemoryBranch', { id, parameters: version });
equal(moved.branch[ADDED], text);

await here.keep.close();
await there.keep.close();
console.log(`The member ${ADDED} is stored, shown, listed, exported and imported.`);
