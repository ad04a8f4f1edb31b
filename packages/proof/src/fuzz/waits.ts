/** Keeps requests from waiting: the clock of the server under test stands still. */
import type { WireRequest } from './draft.js';

const WAIT = /([?&]wait_millis=)([^&#]*)/g;

/** Returns the request with a wait of 0 instead of one that the server would accept. */
export function withoutWait(wire: WireRequest): WireRequest {
  const target = wire.target.replace(WAIT, (part, name: string, value: string) =>
    isWait(value) ? `${name}0` : part,
  );
  return target === wire.target ? wire : { ...wire, target };
}

function isWait(value: string): boolean {
  try {
    return Number(decodeURIComponent(value)) > 0;
  } catch {
    return false;
  }
}
