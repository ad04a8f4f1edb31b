/** Snapshots, copies and checks of a directory (docs/contract/operator.md). */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openKeep } from '@agentkeep/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCommand } from '../../../test/command-line/run-command.js';

const PASSWORD = 'Correct-Horse-7';

let folder: string;
let dataDir: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'agentkeep-store-'));
  dataDir = join(folder, 'data');
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function run(words: readonly string[], environment: Record<string, string> = {}) {
  return runCommand([...words, '--data-dir', dataDir], { environment });
}

const createAdmin = (words: readonly string[], password = PASSWORD) =>
  run(['create-admin', ...words], { AGENTKEEP_ADMIN_PASSWORD: password });

/** Returns the names of the accounts that an administrator of a directory sees. */
async function namesIn(directory: string): Promise<readonly string[]> {
  await using keep = await openKeep({ dataDir: directory });
  const { agent } = await keep.logIn({ username: 'root', password: PASSWORD });
  return (await agent.users.listPage()).users.map(({ username }) => username);
}

describe('a command', () => {
  it('OPR-14, OPR-78 reads its arguments before it touches a store', async () => {
    for (const words of [['create-admin'], ['bootstrap-tenant'], ['restore'], ['snapshot', 'x']]) {
      const { status, out, error } = await run(words);
      expect({ words, status, out }).toEqual({ words, status: 1, out: '' });
      expect(error).not.toBe('');
    }
    expect(readdirSync(folder)).toEqual([]);
  });

  it('OPR-14, OPR-15 prints text for people, or one line of JSON', async () => {
    await createAdmin(['root']);
    for (const name of ['snapshot', 'verify-store', 'verify-audit', 'config', 'doctor']) {
      const { out } = await run([name, '--json']);
      expect(out).toMatch(/^\{.*\}\n$/u);
      expect(JSON.parse(out)).toEqual(expect.any(Object));
      expect((await run([name])).out).not.toMatch(/^\{/u);
    }
  });

  it('OPR-79 create-admin checks form, tenant, name, then password', async () => {
    await createAdmin(['root']);
    const errorOf = async (words: readonly string[]) => (await createAdmin(words, 'weak')).error;
    const tenant = ['--tenant-id', 'absent'];
    expect(await errorOf(['\u0007', ...tenant])).toMatch(/username/iu);
    expect(await errorOf(['root', ...tenant])).toMatch(/absent/u);
    expect(await errorOf(['root'])).toMatch(/taken/u);
    expect(await errorOf(['other'])).toMatch(/password/iu);
  });
});

describe('a directory', () => {
  it('OPR-53 has no account that nobody made', async () => {
    await using keep = await openKeep({ dataDir });
    for (const username of ['admin', 'root', 'agentkeep']) {
      for (const password of ['admin', 'password', username, PASSWORD]) {
        await expect(keep.logIn({ username, password })).rejects.toMatchObject({
          code: expect.stringMatching(/^(invalid_login|account_locked)$/u) as unknown,
        });
      }
    }
  });

  it('OPR-7, OPR-59 comes back from the files of a snapshot', async () => {
    await createAdmin(['root']);
    const made = JSON.parse((await run(['snapshot', '--json'])).out) as Record<string, unknown>;
    expect(Object.keys(made)).toEqual(['snapshot_id', 'path', 'size_bytes']);
    const restored = join(folder, 'restored');
    cpSync(String(made['path']), restored, { recursive: true });
    expect(await namesIn(restored)).toEqual(['root']);
  });

  it('OPR-58 is copied while no server runs, and compared', async () => {
    await createAdmin(['root']);
    const copy = join(folder, 'copy');
    cpSync(dataDir, copy, { recursive: true });
    const words = ['verify-store', '--json', '--data-dir', copy, '--source', dataDir];
    const { status, out } = await runCommand(words, { environment: {} });
    expect(status).toBe(0);
    expect(JSON.parse(out)).toEqual(expect.any(Object));
    expect(
      readFileSync(join(copy, 'data.mdb')).equals(readFileSync(join(dataDir, 'data.mdb'))),
    ).toBe(true);
  });
});
