/** A hook for a number that is there again after "back". */
import { useEffect, useState } from 'preact/hooks';
import { keep, keptAt } from './kept.js';
import { presentPlace } from './router.js';

/** Returns a number, at first `initial`, and how to change it. */
export function useKeptNumber(name: string, initial: number): [number, (next: number) => void] {
  const place = presentPlace();
  const [value, setValue] = useState(() => {
    const kept = keptAt(place, name);
    return typeof kept === 'number' ? kept : initial;
  });
  useEffect(() => keep(place, name, value), [place, value]);
  return [value, setValue];
}
