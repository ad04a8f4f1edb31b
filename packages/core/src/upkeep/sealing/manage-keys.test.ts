/** What an operator does with keys: rotation, escrow, recovery, and a command that wraps them. */
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newKeys } from '../../../test/key-kit.js';
import { openKeep } from '../../keep/open-keep.js';
import * as operator from '../../operator.js';
import type { EncryptionOptions } from '../../storage/key-files/open-sealed.js';
import { sharedMemory } from '../../storage/in-memory-store/in-memory-store.js';

let directory = '';

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'agentkeep-manage-keys-'));
});

afterAll(async () => {
  await rm(directory, { recursive: true, force: true });
});

const memory = () => sharedMemory();

async function used(keys: EncryptionOptions, shared = memory()) {
  const keep = await openKeep({ store: shared.open(), encryption: keys });
  for (const tenantId of ['acme', 'other']) {
    const agent = await operator.agentFor(keep, { tenantId, subjectId: 'ann' });
    await agent.memory.remember('Ann likes tea.');
  }
  await keep.close();
  return shared;
}

async function recalls(keys: EncryptionOptions, shared: ReturnType<typeof memory>) {
  await using keep = await openKeep({ store: shared.open(), encryption: keys });
  const ann = await operator.agentFor(keep, { tenantId: 'acme', subjectId: 'ann' });
  return (await ann.memory.recall('tea')).map(({ text }) => text);
}

describe('keys of an encrypted store', () => {
  test('ENC-11 a rotation rewraps one file for each tenant and leaves the data keys alone', async () => {
    const keys = await newKeys();
    const shared = await used(keys);
    const before = await contents(join(keys.keysDir, 'keys'));
    const newRootKey = { file: join(directory, 'second.key') };
    const done = await operator.encryptionKeys.rotate({ ...keys, newRootKey });
    // The installation counts as one.
    expect(done).toEqual({ tenants: 3 });
    expect(await contents(join(keys.keysDir, 'keys'))).toEqual(before);
    await expect(recalls(keys, shared)).rejects.toMatchObject({ code: 'keys_unusable' });
    const rotated = { ...keys, rootKey: newRootKey };
    expect(await recalls(rotated, shared)).toEqual(['Ann likes tea.']);
    // The same call completes a rotation that was interrupted.
    expect(await operator.encryptionKeys.rotate({ ...keys, newRootKey })).toEqual({ tenants: 3 });
    const status = await operator.encryptionKeys.status(rotated);
    expect(status).toMatchObject({ tenants: 3, tenants_away: 0, destroyed_keys: 0 });
  });

  test('ENC-11 an escrow replaces a lost root key, and destroyed keys stay destroyed', async () => {
    const keys = await newKeys();
    const shared = await used(keys);
    const recoveryKey = { file: join(directory, 'recovery.key') };
    const file = join(directory, 'escrow.json');
    expect(await operator.encryptionKeys.escrow({ ...keys, recoveryKey, file })).toEqual({
      tenants: 3,
    });
    await expect(operator.encryptionKeys.escrow({ ...keys, recoveryKey, file })).rejects.toThrow(
      'exists',
    );
    await operator.encryptionKeys.destroy({ ...keys, tenantId: 'acme', subjectId: 'ann' });
    await rm(keys.rootKey.file);
    await expect(recalls(keys, shared)).rejects.toThrow('cannot be read');
    const rootKey = { file: join(directory, 'third.key') };
    const recovered = { ...keys, rootKey };
    expect(await operator.encryptionKeys.recover({ ...recovered, recoveryKey, file })).toEqual({
      tenants: 3,
    });
    await expect(recalls(recovered, shared)).rejects.toMatchObject({ code: 'key_destroyed' });
    const others = { ...(await newKeys()), recoveryKey, file };
    await expect(operator.encryptionKeys.recover(others)).rejects.toThrow('is not of the keys');
  });

  test('ENC-2 a shared scope has a key of its own', async () => {
    const keys = await newKeys();
    const shared = memory();
    const keep = await openKeep({ store: shared.open(), encryption: keys });
    const scope = {
      project_id: 'p',
      mission_id: null,
      agent_id: 'a',
      visibility: 'shared',
    } as const;
    const agent = await operator.agentFor(keep, {
      tenantId: 'acme',
      subjectId: 'ann',
      scopes: [scope],
    });
    await agent.memory.in(scope).remember('For all.');
    await keep.close();
    const named = { project_id: 'p', mission_id: null, agent_id: 'a' };
    const none = { ...named, agent_id: 'b' };
    const missing = await operator.encryptionKeys.destroy({
      ...keys,
      tenantId: 'acme',
      scope: none,
    });
    expect(missing).toEqual({ key_id: null });
    const { key_id: id } = await operator.encryptionKeys.destroy({
      ...keys,
      tenantId: 'acme',
      scope: named,
    });
    expect(id).toMatch(/^[0-9a-f]{32}$/u);
    await using again = await openKeep({ store: shared.open(), encryption: keys });
    const reader = await operator.agentFor(again, { tenantId: 'acme', subjectId: 'ann' });
    const reading = reader.memory.in(scope).recall('all');
    await expect(reading).rejects.toMatchObject({ code: 'key_destroyed' });
  });

  test('ENC-1 a command may wrap the keys, and a rotation may lead to it', async () => {
    const program = join(directory, 'wrap.mjs');
    await writeFile(program, wrapper);
    await chmod(program, 0o700);
    const keys = await newKeys();
    const shared = await used(keys);
    const newRootKey = { command: [program] as [string] };
    await operator.encryptionKeys.rotate({ ...keys, newRootKey });
    const commanded = { ...keys, rootKey: newRootKey };
    expect(await recalls(commanded, shared)).toEqual(['Ann likes tea.']);
    const absent = { ...keys, rootKey: { command: ['/nowhere/wrap'] as [string] } };
    await expect(recalls(absent, shared)).rejects.toMatchObject({ code: 'keys_unusable' });
  });
});

/** A stand-in for a key service: wraps with a key that it keeps to itself. */
const wrapper = `#!/usr/bin/env node
import { createCipheriv, createDecipheriv } from 'node:crypto';
let input = '';
for await (const part of process.stdin) input += part;
const bytes = Buffer.from(input, 'base64');
const [key, nonce] = [Buffer.alloc(32, 7), Buffer.alloc(12, 1)];
if (process.argv[2] === 'wrap') {
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const sealed = Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
  process.stdout.write(sealed.toString('base64'));
} else {
  const decipher = createDecipheriv('aes-256-gcm', key, nonce);
  decipher.setAuthTag(bytes.subarray(-16));
  const opened = decipher.update(bytes.subarray(0, -16));
  try {
    decipher.final();
    process.stdout.write(opened.toString('base64'));
  } catch {
    process.exitCode = 1;
  }
}
`;

async function contents(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const pairs = files.map(async ({ parentPath, name }) => {
    const bytes = await readFile(join(parentPath, name), 'hex');
    return [name, bytes] as const;
  });
  return Object.fromEntries(await Promise.all(pairs));
}
