/** What the files of an encrypted store show of a person, before and after its erasure. */
import { openLmdbStore } from '@agentkeep/core';
import {
  copyStore,
  encryptionKeys,
  runtimeOf,
  verifyErasureOfStore,
} from '@agentkeep/core/operator';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tenant } from '../harness/fixture.js';
import { httpDriver } from '../harness/http-driver.js';
import { erased, ofSubject } from './erasure-kit.js';
import { namedPerson, namesInFreedKeys, namesInKeys, sealedTexts } from './named-person.js';

const names = { ...namesInKeys, ...namesInFreedKeys, ...sealedTexts };

/** The spellings in which a text could be stored. */
const spellings = (text: string): readonly Buffer[] => {
  const plain = Buffer.from(text);
  const escaped = JSON.stringify(text).replaceAll('é', '\\u00e9');
  const encoded = [plain.toString('hex'), plain.toString('base64url').slice(0, -1)];
  const texts = [text, escaped, encodeURIComponent(text), ...encoded];
  const others = [Buffer.from(text, 'utf16le'), Buffer.from(text, 'latin1')];
  return [...texts.map((each) => Buffer.from(each)), ...others];
};

/** Returns which of the names any file below a directory shows. */
async function shownIn(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => readFile(join(parentPath, name))),
  );
  const isShown = (text: string) =>
    spellings(text).some((bytes) => files.some((file) => file.includes(bytes)));
  return Object.entries(names).flatMap(([kind, name]) => (isShown(name) ? [kind] : []));
}

/** A store in a directory of its own, with a person in it. */
async function filledStore(isEncrypted: boolean) {
  const parent = await mkdtemp(join(tmpdir(), 'agentkeep-names-'));
  const encryption = { keysDir: join(parent, 'keys'), rootKey: { file: join(parent, 'root.key') } };
  await encryptionKeys.make(encryption);
  const directory = join(parent, 'data');
  const store = await openLmdbStore({ directory, durability: 'relaxed', reserveBytes: 0 });
  const t = await tenant(httpDriver, store, isEncrypted ? { encryption } : {});
  await namedPerson(t);
  await runtimeOf(t.keep).audit.flush();
  return { t, parent, directory };
}

// ENC-4, ENC-5, ENC-6
test('an encrypted store shows of a person the names in keys, and its copy none', async () => {
  const { t, parent, directory } = await filledStore(true);
  const before = (await shownIn(directory)).filter((kind) => !(kind in namesInFreedKeys));
  expect(before.toSorted()).toEqual(Object.keys(namesInKeys).toSorted());
  // A state that is held keeps the pages that the erasure frees from being used again.
  const held = await t.store.hold();
  await erased(t, ofSubject(namesInKeys.subject));
  await runtimeOf(t.keep).audit.flush();
  await held.close();
  await t.keep.close();
  const left = await shownIn(directory);
  expect(left).toContain('subject');
  const inKeys = { ...namesInKeys, ...namesInFreedKeys };
  expect(left.filter((kind) => !(kind in inKeys))).toEqual([]);
  const copy = join(parent, 'copy');
  await copyStore({ from: { directory }, to: { directory: copy } });
  expect(await shownIn(copy)).toEqual([]);
  await rm(parent, { recursive: true });
});

// ERA-12, ERA-13, ERA-25
test('without encryption, a copy shows what the tenant and its administrators stated', async () => {
  const { t, parent, directory } = await filledStore(false);
  expect((await shownIn(directory)).toSorted()).toEqual(Object.keys(names).toSorted());
  await erased(t, ofSubject(namesInKeys.subject));
  await runtimeOf(t.keep).audit.flush();
  const target = { kind: 'subject', subject_id: namesInKeys.subject } as const;
  const own = Object.values(names).filter((name) => name !== names.lock);
  const given = { tenantId: 'acme', target, names: own };
  const { status, families } = await verifyErasureOfStore(t.store, given);
  const kept = families.filter((each) => each.kept > 0).map(({ family }) => family);
  expect([status, kept]).toEqual(['clean', ['learningPolicies', 'toolExecutors']]);
  await t.keep.close();
  const copy = join(parent, 'copy');
  await copyStore({ from: { directory }, to: { directory: copy } });
  // A policy and an executor, a path in the log of the installation, and the words of its event.
  expect(await shownIn(copy)).toEqual(['subject', 'username', 'lock']);
  await rm(parent, { recursive: true });
});
