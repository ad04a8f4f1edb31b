/**
 * Measures the memory that stays in use after garbage collection.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Bytes, in the heap and outside, by which the memory in use grows during `work`. */
export function memoryKept(work: () => void): number {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const inUse = (): number => {
    // The second collection waits for memory that the first one frees in the background.
    collectGarbage();
    collectGarbage();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const before = inUse();
  work();
  return inUse() - before;
}
