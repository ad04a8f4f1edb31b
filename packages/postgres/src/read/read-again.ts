/** Reads that are repeated, which is safe, because they store nothing. */
import { isLost, isOfCopy, isTransient } from '../database/failure.js';
import { backOff } from '../database/lane.js';

/** Tries of a read that the database aborts, as one may that runs everything SERIALIZABLE. */
const TRIES_MAX = 12;

/**
 * Repeats a read that the database aborts, each time after a longer pause, and once a read whose
 * connection breaks. A copy of the database refuses at once: to wait for the primary is up to the
 * caller, who would wait as long for each read.
 */
export async function readAgain<T>(read: () => Promise<T>, pause = backOff): Promise<T> {
  let wasLost = false;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await read();
    } catch (error) {
      if (attempt + 1 === TRIES_MAX || isOfCopy(error)) throw error;
      if (isLost(error) && !wasLost) wasLost = true;
      else if (isTransient(error)) await pause(attempt);
      else throw error;
    }
  }
}
