/** A frame exists if and only if its commit does, whenever a process is killed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { bundleModule } from '@agentkeep/testkit/bundle-module';
import { expect, test } from 'vitest';
import { keyText } from '../store/bytes.js';
import { decodeFrame, digestOfFrame } from './frame.js';
import { openFramedStore } from '../lmdb-store/open-lmdb-store.js';

/** Writes in 40 loops, so that commits run aside too, and prints a line after each write. */
const OWNER = `
const [, url, directory] = process.argv;
const { openFramedStore } = await import(url);
const { store, frames } = await openFramedStore({ directory, reserveBytes: 0 }, Date.now);
const bytes = (text) => new TextEncoder().encode(text);
const write = async (writer) => {
  for (let count = 0; ; count += 1) {
    await store.transact((tx) => {
      tx.put(bytes('row ' + writer), bytes('x'.repeat(count % 5000)));
      tx.append(bytes('log '), bytes(String(count)));
      if (count % 7 === 0) tx.remove(bytes('row ' + (writer - 1)));
    });
    console.log(frames.tip.position);
  }
};
for (let writer = 0; writer < 40; writer += 1) void write(writer);
`;

const core = new URL('../../../', import.meta.url);

// docs/contract/replication.md#rep-3
test('frames and the store agree after each kill', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'agentkeep-frames-'));
  const directory = join(parent, 'store');
  const content = new Map<string, string>();
  const storeModule = await bundleModule('storage/lmdb-store/open-lmdb-store.ts', core);
  let acknowledged = 0;
  let previous = '0'.repeat(64);
  try {
    for (let round = 0; round < 5; round += 1) {
      const flags = ['--input-type=module', '--eval', OWNER];
      const child = spawn(process.execPath, [...flags, storeModule, directory], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let lines = 0;
      for await (const line of createInterface({ input: child.stdout })) {
        acknowledged = Number(line);
        lines += 1;
        if (lines === 300 + 37 * round) break;
      }
      const exit = once(child, 'exit');
      child.kill('SIGKILL');
      await exit;
      const { store, frames } = await openFramedStore({ directory, reserveBytes: 0 }, Date.now);
      expect(frames.tip.position).toBeGreaterThanOrEqual(acknowledged);
      for (const encoded of frames.read(frames.kept.position, 2 ** 30)) {
        const frame = decodeFrame(encoded);
        expect(frame.previous).toBe(previous);
        previous = digestOfFrame(encoded);
        for (const [key, value] of frame.writes) {
          if (value === undefined) content.delete(key);
          else content.set(key, keyText(value));
        }
      }
      const stored = new Map<string, string>();
      await store.scan(({ key, value }) => stored.set(keyText(key), keyText(value)));
      expect(new Map([...content].sort())).toEqual(stored);
      frames.noteShipped(frames.tip, frames.waitingBytes);
      await store.transact(() => undefined);
      await store.close();
    }
  } finally {
    await rm(parent, { recursive: true, force: true });
  }
});
