/** Keys that are wrapped by a PKCS#11 module: SoftHSM behind a command of a few lines. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { inMemoryStore } from '../../storage/in-memory-store/in-memory-store.js';
import { openKeep } from '../../keep/open-keep.js';
import * as operator from '../../operator.js';

/** Debian's package softhsm2. CI installs it, with opensc and openssl. */
const MODULE = '/usr/lib/softhsm/libsofthsm2.so';
const canRun = existsSync(MODULE) || process.env['CI'] !== undefined;
const command = fileURLToPath(new URL('../../../test/wrap-with-pkcs11.sh', import.meta.url));
const run = promisify(execFile);

let home: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'agentkeep-pkcs11-'));
});

afterAll(async () => {
  vi.unstubAllEnvs();
  await rm(home, { recursive: true, force: true });
});

/** Makes a token with one key pair, and names it in the environment of commands. */
async function newToken(): Promise<void> {
  const config = join(home, 'softhsm2.conf');
  await writeFile(config, `directories.tokendir = ${home}\nobjectstore.backend = file\n`);
  vi.stubEnv('SOFTHSM2_CONF', config);
  vi.stubEnv('PKCS11_MODULE', MODULE);
  vi.stubEnv('PKCS11_PIN', '1234');
  vi.stubEnv('PKCS11_PUBLIC_KEY', join(home, 'public.der'));
  const token = ['--label', 'agentkeep', '--pin', '1234', '--so-pin', '4321'];
  await run('softhsm2-util', ['--init-token', '--free', ...token]);
  const tool = (...words: string[]) =>
    run('pkcs11-tool', ['--module', MODULE, '--token-label', 'agentkeep', ...words]);
  const pair = ['--keypairgen', '--key-type', 'rsa:2048', '--label', 'root', '--id', '01'];
  await tool('--login', '--pin', '1234', ...pair);
  const key = ['--read-object', '--type', 'pubkey', '--id', '01'];
  await tool(...key, '--output-file', join(home, 'public.der'));
}

test.runIf(canRun)('ENC-1 a PKCS#11 module wraps the keys of tenants', async () => {
  await newToken();
  const rootKey = { command: [command] } as const;
  const encryption = { keysDir: join(home, 'keys'), rootKey };
  await operator.encryptionKeys.make(encryption);
  await using keep = await openKeep({ store: inMemoryStore(), encryption });
  const { memory } = await operator.agentFor(keep, { tenantId: 'acme', subjectId: 'ann' });
  await memory.remember('Ann likes tea.');
  const found = await operator.encryptionKeys.status(encryption);
  expect(found).toMatchObject({ root: 'command', tenants: 2, tenants_away: 0 });
  // Another token does not open them.
  await rm(join(home, 'softhsm2.conf'));
  await expect(operator.encryptionKeys.status(encryption)).resolves.toMatchObject({
    tenants_away: 2,
  });
});
