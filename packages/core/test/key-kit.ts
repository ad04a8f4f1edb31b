/** Keys for tests, in a directory of their own. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sealedFamilies } from '../src/keep/sealed-families.js';
import { KeyDirectory, makeKeyDirectory } from '../src/storage/key-files/key-directory.js';
import type { EncryptionOptions } from '../src/storage/key-files/open-sealed.js';
import { openRootKey } from '../src/storage/key-files/root-key.js';
import { KeyRing } from '../src/storage/sealing/key-ring.js';
import { SealedStore } from '../src/storage/sealing/sealed-store.js';
import { TenantMarks } from '../src/storage/sealing/tenant-marks.js';
import type { Store } from '../src/storage/store/store.js';

/** Makes a root key file, and returns its path. */
export async function newRootKey(directory?: string): Promise<string> {
  const parent = directory ?? (await mkdtemp(join(tmpdir(), 'agentkeep-root-')));
  const path = join(parent, `root-${randomBytes(4).toString('hex')}.key`);
  await writeFile(path, randomBytes(32), { mode: 0o600 });
  return path;
}

/** Makes keys, and returns the option that opens them. */
export async function newKeys(): Promise<EncryptionOptions & { rootKey: { file: string } }> {
  const keysDir = await mkdtemp(join(tmpdir(), 'agentkeep-keys-'));
  const rootKey = { file: await newRootKey() };
  await makeKeyDirectory(keysDir, await openRootKey(rootKey));
  return { keysDir, rootKey };
}

/** Returns a sealed store that doesn't note that it is one, so it passes for any other store. */
export async function sealedOver(
  below: Store,
  { keysDir, rootKey }: EncryptionOptions,
): Promise<SealedStore> {
  const source = await KeyDirectory.open(keysDir, await openRootKey(rootKey));
  const ring = new KeyRing({ source, marks: new TenantMarks(below), now: () => Date.now() });
  return new SealedStore(below, {
    ring,
    progress: { isComplete: true },
    families: sealedFamilies,
  });
}
