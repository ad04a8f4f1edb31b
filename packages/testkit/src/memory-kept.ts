/**
 * How much memory something keeps, as the collector of garbage sees it.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Bytes of the heap and outside of it that are still in use after `work`, beyond those before. */
export function memoryKept(work: () => void): number {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const inUse = (): number => {
    // The second one waits for what the first one frees beside the program.
    collectGarbage();
    collectGarbage();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const before = inUse();
  work();
  return inUse() - before;
}
