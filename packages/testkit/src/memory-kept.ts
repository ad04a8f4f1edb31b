/**
 * Measures the memory that stays in use after garbage collection.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const COLLECTIONS = 8;

/** Bytes, in the heap and outside, by which the memory in use grows during `work`. */
export function memoryKept(work: () => void): number {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const inUse = (): number => {
    // A collection leaves memory to later ones: what is freed in the background, and unused code,
    // which has to grow old first.
    for (let left = COLLECTIONS; left > 0; left -= 1) collectGarbage();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const before = inUse();
  work();
  return inUse() - before;
}
