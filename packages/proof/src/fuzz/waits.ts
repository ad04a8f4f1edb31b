/** Keeps requests from waiting: the clock of the server under test stands still. */
import type { WireRequest } from './draft.js';

const WAIT = /([?&]wait_millis=)([^&#]*)/g;
/** A JSON number: another spelling stays as it is, since the server refuses it. */
const WAIT_IN_BODY =
  /("wait_millis"\s*:\s*)(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?=\s*[,}])/g;

/** Returns the request with a wait of 0 instead of one that the server would accept. */
export function withoutWait(wire: WireRequest): WireRequest {
  const target = wire.target.replace(WAIT, (part, name: string, value: string) =>
    isWait(value) ? `${name}0` : part,
  );
  return { ...wire, target, body: wire.body && bodyWithoutWait(wire.body) };
}

/** Bytes that are no text stay as they are. */
function bodyWithoutWait(body: Uint8Array): Uint8Array {
  const text = Buffer.from(body).toString('latin1');
  const changed = text.replace(WAIT_IN_BODY, (part, name: string, value: string) =>
    isWait(value) ? `${name}0` : part,
  );
  return changed === text ? body : Buffer.from(changed, 'latin1');
}

/** Longest wait that the contract allows (CHG-7). The server has to refuse a longer one. */
const WAIT_MILLIS_MAX = 30_000;

function isWait(value: string): boolean {
  try {
    const millis = Number(decodeURIComponent(value));
    return millis > 0 && millis <= WAIT_MILLIS_MAX;
  } catch {
    return false;
  }
}
