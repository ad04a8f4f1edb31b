/** First secrets go to private files, and a file that holds anything else is explained. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openKeep } from '@agentkeep/core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runCommand } from './run-command.js';

let folder: string;
let dataDir: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'agentkeep-written-'));
  dataDir = join(folder, 'data');
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

const run = (...words: readonly string[]) => runCommand([...words, '--data-dir', dataDir]);

test.each([
  ['bootstrap-tenant', ['acme', 'ops'], 'secret', /^ak1_\S+\n$/],
  ['bootstrap-master', ['root'], 'secret', /^akg1_\S+\n$/],
  ['create-admin', ['root'], 'password', /^\S+\n$/],
] as const)('OPR-103 %s writes it to a private file', async (command, words, member, text) => {
  const file = join(folder, 'kept');
  const { status, out, error } = await run(command, ...words, '--write-secret', file);
  expect({ status, error }).toEqual({ status: 0, error: '' });
  expect(JSON.parse(out)).toMatchObject({ [`${member}_file`]: file });
  expect(JSON.parse(out)).not.toHaveProperty(member);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, 'utf8')).toMatch(text);
});

test('OPR-103 the written secret is that of the administrator, and recovery writes a new one', async () => {
  await run('bootstrap-tenant', 'acme', 'ops', '--write-secret', join(folder, 'ops'));
  await run('bootstrap-master', 'root', '--write-secret', join(folder, 'first'));
  const recovered = await run('recover-master', '1', '--write-secret', join(folder, 'second'));
  expect(JSON.parse(recovered.out)).toMatchObject({ secret_file: join(folder, 'second') });
  const secret = (name: string) => readFileSync(join(folder, name), 'utf8').trim();
  expect(secret('second')).not.toBe(secret('first'));
  await using keep = await openKeep({ dataDir });
  const administrator = await keep.authenticate(secret('ops'));
  expect(await administrator.whoAmI()).toMatchObject({ tenant_id: 'acme' });
});

test('OPR-103 a file that is there is never replaced, and no tenant is made', async () => {
  const file = join(folder, 'kept');
  writeFileSync(file, 'mine');
  const refused = await run('bootstrap-tenant', 'acme', 'ops', '--write-secret', file);
  expect(refused).toMatchObject({ status: 1, out: '' });
  expect(refused.error).toContain('Nothing was changed. Name a new file.');
  expect(readFileSync(file, 'utf8')).toBe('mine');
  expect((await run('bootstrap-tenant', 'acme', 'ops')).status).toBe(0);
});

test('OPR-103 no file stays behind when the tenant exists', async () => {
  await run('bootstrap-tenant', 'acme', 'ops');
  const file = join(folder, 'kept');
  const { status } = await run('bootstrap-tenant', 'acme', 'ops', '--write-secret', file);
  expect(status).toBe(1);
  expect(statSync(file, { throwIfNoEntry: false })).toBeUndefined();
});

test('CMD-24 a secret file with the JSON of bootstrap-tenant is explained, and not quoted', async () => {
  const { out } = await run('bootstrap-tenant', 'acme', 'ops');
  const file = join(folder, 'acme-admin.json');
  writeFileSync(file, out, { mode: 0o600 });
  const { status, error } = await runCommand(['whoami', '--secret-file', file]);
  expect(status).toBe(1);
  expect(error).toContain('holds JSON, as `agentkeep bootstrap-tenant` prints it');
  expect(error).toContain('Copy its member "secret" into a file');
  expect(error).toContain('--write-secret');
  expect(error).not.toContain((JSON.parse(out) as { secret: string }).secret);
});
