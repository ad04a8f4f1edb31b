/**
 * Ways to damage a file.
 */
import { readFile, rm, writeFile } from 'node:fs/promises';
import type { Random } from '@agentkeep/testkit/random';

const PAGE_BYTES = 4_096;

/** Damages bytes; `undefined` removes the file. */
type Damage = (bytes: Buffer, random: Random) => Buffer | undefined;

/** Ways to damage a file, by name. */
export const damages = {
  removed: () => undefined,
  emptied: () => Buffer.alloc(0),
  truncated: (bytes, random) => bytes.subarray(0, random(bytes.length)),
  'cut by one page': (bytes) => bytes.subarray(0, Math.max(0, bytes.length - PAGE_BYTES)),
  'one bit flipped': (bytes, random) => {
    const at = random(bytes.length);
    bytes[at]! ^= 1 << random(8);
    return bytes;
  },
  'one page zeroed': (bytes, random) => {
    pageOf(bytes, random).fill(0);
    return bytes;
  },
  'one page randomized': (bytes, random) => {
    randomize(pageOf(bytes, random), random);
    return bytes;
  },
  'pages swapped': (bytes, random) => {
    const one = pageOf(bytes, random);
    const other = pageOf(bytes, random);
    const copy = Buffer.from(one);
    other.copy(one);
    copy.copy(other);
    return bytes;
  },
  zeroed: (bytes) => bytes.fill(0),
  randomized: (bytes, random) => randomize(bytes, random),
} as const satisfies Readonly<Record<string, Damage>>;

/** Name of a way to damage a file. */
export type DamageName = keyof typeof damages;

/** Damages a file in place. */
export async function damageFile(path: string, name: DamageName, random: Random): Promise<void> {
  const damage: Damage = damages[name];
  const bytes = damage(await readFile(path), random);
  if (bytes === undefined) await rm(path);
  else await writeFile(path, bytes);
}

function pageOf(bytes: Buffer, random: Random): Buffer {
  const start = random(Math.max(1, Math.floor(bytes.length / PAGE_BYTES))) * PAGE_BYTES;
  return bytes.subarray(start, start + PAGE_BYTES);
}

function randomize(bytes: Buffer, random: Random): Buffer {
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = random(256);
  return bytes;
}
