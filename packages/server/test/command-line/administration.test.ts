/** Tenants, credentials, people, keys, lockouts and the audit log by commands. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runtimeOf } from '@agentkeep/core/operator';
import { eventually } from '@agentkeep/testkit/eventually';
import { servedKeep, type ServedKeep } from './served-keep.js';

interface Issued {
  readonly credential: { readonly id: string; readonly revision: number };
  readonly secret: string;
}

const GRANT = 'project_id=p,agent_id=a,visibility=private';

function issue({ answerOf }: ServedKeep, ...words: readonly string[]): Promise<unknown> {
  const given = ['--subject-id', 'worker', '--capabilities', 'memory_read', '--grants', GRANT];
  return answerOf(['credentials', 'issue', '--profile', 'admin', ...given, ...words]);
}

/** Removes what says where the chains of the audit log end. */
async function removeAuditHeads({ keep }: ServedKeep): Promise<void> {
  // The subspace of heads in the installation, as docs/stored-data.md numbers it.
  const range = { from: Buffer.from([0, 9]), to: Buffer.from([0, 10]) };
  await runtimeOf(keep).store.transact((tx) => {
    const keys = Array.from(tx.range(range), ({ key }) => Uint8Array.from(key));
    for (const key of keys) tx.remove(key);
  });
}

describe('agentkeep credentials', () => {
  test('CMD-9, CMD-C6, CRD-44 issues, lists, rotates and revokes without being told revisions', async () => {
    await using served = await servedKeep();
    const { run, answerOf, url } = served;
    const { credential, secret } = (await issue(served)) as Issued;
    const list = ['credentials', 'list', '--profile', 'admin'];
    const wide = { columns: 160, hasColors: false };
    expect(await run(list, { terminal: wide })).toMatch(
      new RegExp(`^${credential.id} +worker +- +1 +- +memory_read$`, 'm'),
    );
    for (const line of (await run(list, { terminal: { ...wide, columns: 80 } })).split('\n')) {
      expect(line.length).toBeLessThanOrEqual(80);
    }
    const rotated = await answerOf(['credentials', 'rotate', credential.id, '--profile', 'admin']);
    expect(rotated).toMatchObject({ credential: { revision: 2 } });
    const withOld = { AGENTKEEP_URL: url, AGENTKEEP_SECRET: secret };
    const refused = await served.attempt(['whoami'], { environment: withOld });
    expect(refused.error).toContain('The secret is that of the environment');
    const withNew = { ...withOld, AGENTKEEP_SECRET: (rotated as Issued).secret };
    expect(await run(['whoami'], { environment: withNew })).toMatch(/^spec\.subject_id +worker$/m);
    await run(['credentials', 'revoke', credential.id, '--profile', 'admin']);
    expect((await served.attempt(['whoami'], { environment: withNew })).status).toBe(1);
  });

  test('CMD-9, CMD-C6 a given revision that is not the current one is a conflict', async () => {
    await using served = await servedKeep();
    const { credential } = (await issue(served)) as Issued;
    const words = ['credentials', 'rotate', credential.id, '--profile', 'admin'];
    const { error } = await served.attempt([...words, '--expected-revision', '7']);
    expect(error).toContain('(revision_conflict)');
  });

  test('CMD-5 takes a list of choices with commas, or one flag for each', async () => {
    await using served = await servedKeep();
    const words = [
      'credentials',
      'issue',
      '--profile',
      'admin',
      '--subject-id',
      'worker',
      '--json',
    ];
    const both = [...words, '--grants', GRANT, '--capabilities', 'memory_read,memory_write'];
    const issued = JSON.parse(await served.run(both)) as Issued;
    expect(issued.credential).toMatchObject({
      spec: { capabilities: ['memory_read', 'memory_write'] },
    });
    const { error } = await served.attempt([...words, '--capabilities', 'memory_read,memory_rite']);
    expect(error).toContain('Allowed: ');
  });

  test('CMD-C8 writes a secret to a new private file instead of the terminal', async () => {
    await using served = await servedKeep();
    const path = join(served.folder, 'worker');
    const answer = await issue(served, '--write-secret', path);
    expect(answer).toMatchObject({ secret_file: path });
    expect(JSON.stringify(answer)).not.toContain('ak1_');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readFileSync(path, 'utf8')).toMatch(/^ak1_\S+\n$/);
    const words = ['credentials', 'list', '--profile', 'admin', '--json'];
    const before = await served.run(words);
    await expect(issue(served, '--write-secret', path)).rejects.toThrow('Nothing was sent.');
    expect(await served.run(words)).toBe(before);
  });

  test('CMD-C7 shows all pages with --all, and says that there are more without it', async () => {
    await using served = await servedKeep();
    for (let made = 0; made < 3; made += 1) await issue(served);
    const words = ['credentials', 'list', '--profile', 'admin', '--limit', '2'];
    const { out, error } = await served.attempt(words);
    expect(out.trimEnd().split('\n')).toHaveLength(3);
    expect(error).toContain('There are more: add --all');
    const all = await served.run([...words, '--all']);
    expect(all.match(/^[\da-f]{8}-/gm)).toHaveLength(5);
  });
});

describe('an administrator of the installation', () => {
  test('CMD-8 registers tenants and sets their quota', async () => {
    await using served = await servedKeep();
    const master = ['--profile', 'master'];
    const made = await served.answerOf([
      'tenants',
      'register',
      '--tenant-id',
      'globex',
      '--subject-id',
      'ops',
      ...master,
    ]);
    expect(made).toMatchObject({ tenant: { tenant_id: 'globex' } });
    await served.run(
      ['tenants', 'set-quota', 'globex', '--max-entries', '10', '--document', '-', ...master],
      {
        environment: served.environment,
        input: '{"max_bytes": null}',
      },
    );
    const quota = await served.answerOf(['tenants', 'quota', 'globex', ...master]);
    expect(quota).toMatchObject({ quota: { max_entries: 10, max_bytes: null } });
    expect(await served.run(['tenants', 'list', ...master])).toMatch(/^globex /m);
  });
});

describe('a person who logs in for each command', () => {
  const root = ['--profile', 'root'];

  test('makes people, ends their access, locks and unlocks names', async () => {
    await using served = await servedKeep();
    const ann = await served.answerOf(
      ['people', 'create', '--username', 'ann', '--password-file', '-', '--roles', 'Read', ...root],
      { environment: served.environment, input: 'Battery.Staple8\n' },
    );
    const { id } = ann as { id: string };
    expect(ann).toMatchObject({ username: 'ann', roles: ['Read'] });
    await served.run(['people', 'set-roles', id, '--roles', 'Read', '--roles', 'Write', ...root]);
    expect(await served.run(['people', 'list', ...root])).toMatch(/ann +Read,Write +true/);
    await served.run(['lockouts', 'lock', 'ann', '--reason', 'Under investigation.', ...root]);
    expect(await served.run(['lockouts', 'list', ...root])).toMatch(
      /^ann +0 +- +Under investigation\.$/m,
    );
    await served.run(['lockouts', 'unlock', 'ann', ...root]);
    await served.run(['people', 'update', id, '--is-active', 'false', ...root]);
    await served.run(['people', 'delete', id, ...root]);
  });

  test('CMD-C4 makes and revokes keys, and leaves no session behind', async () => {
    await using served = await servedKeep();
    const made = await served.answerOf(['keys', 'create', '--name', 'nightly', ...root]);
    const { id, key } = made as { id: string; key: string };
    const environment = { AGENTKEEP_URL: served.url, AGENTKEEP_SECRET: key };
    expect(await served.run(['keys', 'list'], { environment })).toMatch(/nightly +ak_live_/);
    await served.run(['keys', 'revoke', id, ...root]);
    expect((await served.attempt(['keys', 'list'], { environment })).status).toBe(1);
    const stats = await served.answerOf(['stats', ...root]);
    expect(stats).toMatchObject({ entries: { sessions: 1 } });
  });

  test('reads the audit log and follows it', async () => {
    await using served = await servedKeep();
    const wrong = { AGENTKEEP_URL: served.url, AGENTKEEP_SECRET: 'ak1_wrong' };
    const interruption = new AbortController();
    let seen = '';
    const words = ['audit', 'follow', '--interval', '0.1', '--json', ...root];
    const following = served.run(words, {
      environment: served.environment,
      interrupted: () => interruption.signal,
      onOut: (text) => {
        seen += text;
      },
    });
    await served.attempt(['whoami'], { environment: wrong });
    await eventually(() => expect(seen).toContain('"event_type":"login"'));
    const before = seen;
    await served.run(['lockouts', 'lock', 'ann', '--reason', 'x', ...root]);
    await eventually(() => expect(seen).toContain('account_locked'));
    interruption.abort();
    const ids = (await following).match(/"event_id":"[^"]+"/g) ?? [];
    expect(new Set(ids).size).toBe(ids.length);
    expect(seen.startsWith(before)).toBe(true);
    const found = await served.answerOf([
      'audit',
      'query',
      '--event-type',
      'account_locked',
      ...root,
    ]);
    expect(found).toMatchObject({ events: [{ metadata: { target_username: 'ann' } }] });
  });

  test('CMD-32, CMD-C13 verifies the audit log, and fails where it is damaged', async () => {
    await using served = await servedKeep();
    const verify = ['audit', 'verify', '--profile', 'admin'];
    expect(await served.run(verify)).toMatch(
      /^verified: \d+ events in \d+ blocks\nchanges {2}2 events {2}[0-9a-f]{64}\n/u,
    );
    const ofTenant = await served.answerOf(['audit', 'verify', '--tenant-id', 'acme', ...root]);
    expect(ofTenant).toMatchObject({ status: 'verified', tenant_id: 'acme' });
    await removeAuditHeads(served);
    const { status, out, error } = await served.attempt(verify);
    expect([status, out]).toEqual([1, 'broken: 0 events in 0 blocks\n']);
    expect(error).toMatch(/does not verify at event [\w-]+ \(head_missing\)/u);
  });
});
