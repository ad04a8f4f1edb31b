/** The page about high availability has the blocks that its test follows. */
import { findPostgres } from '@agentkeep/testkit/find-postgres';
import { expect, test } from 'vitest';
import { PAGE_NETWORK } from './ground.js';
import { HOSTS, placed, readPage } from './page.js';

const isolated = { isIsolated: true, network: PAGE_NETWORK };
const shared = { isIsolated: false, network: '127.9.0.' };

test('the page starts each program, and names each host', () => {
  const page = readPage();
  for (const unit of ['etcd', 'patroni', 'haproxy'] as const) {
    expect(page[unit]).toContain(`systemctl restart ${unit}`);
  }
  expect(page.serve).toMatch(/^agentkeep serve /u);
  expect(page.drill).toMatch(/^agentkeep drill failover /u);
  const all = Object.values(page).join('\n');
  for (const last of Object.values(HOSTS)) expect(all).toContain(`${PAGE_NETWORK}${String(last)}`);
});

test.skipIf(findPostgres() === undefined)('the control does not wait for copies', () => {
  const { patroni } = readPage();
  const directory = '/d';
  expect(placed(patroni, { ground: isolated, directory, isSafe: true })).toContain(
    'synchronous_mode_strict: true',
  );
  const control = placed(patroni, { ground: shared, directory, isSafe: false });
  expect(control).toContain('synchronous_mode: false');
  expect(control).toContain('synchronous_mode_strict: false');
  expect(control).not.toContain(PAGE_NETWORK);
  expect(control).toContain('data_dir: /d/var/lib/postgresql/15/agentkeep');
});
