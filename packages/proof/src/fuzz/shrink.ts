/** Shrinks a failing request while it fails in the same way. */
import type { WireRequest } from './draft.js';

/** Most requests that are sent to shrink one. */
const TRIES_MAX = 300;

/** Sends a request; returns whether it fails in the same way. */
export type Fails = (wire: WireRequest) => Promise<boolean>;

/**
 * Returns the smallest request found that still fails, or the given one if it doesn't fail again.
 */
export async function shrink(wire: WireRequest, fails: Fails): Promise<WireRequest> {
  let best = wire;
  let tries = 0;
  for (;;) {
    let smaller: WireRequest | undefined;
    for (const candidate of smallerOnes(best)) {
      if ((tries += 1) > TRIES_MAX) return best;
      if (await fails(candidate)) {
        smaller = candidate;
        break;
      }
    }
    if (smaller === undefined) return best;
    best = smaller;
  }
}

function* smallerOnes(wire: WireRequest): Generator<WireRequest> {
  const { headers, target, body, raw } = wire;
  if (raw !== undefined) {
    for (const cut of cuts(raw)) yield { ...wire, raw: cut };
    return;
  }
  for (let index = 0; index < headers.length; index += 1) {
    yield { ...wire, headers: headers.filter((_header, at) => at !== index) };
  }
  const [path = '', query = ''] = target.split('?', 2);
  const pairs = query === '' ? [] : query.split('&');
  for (let index = 0; index < pairs.length; index += 1) {
    const rest = pairs.filter((_pair, at) => at !== index).join('&');
    yield { ...wire, target: rest === '' ? path : `${path}?${rest}` };
  }
  for (const shorter of shorterTexts(target)) yield { ...wire, target: shorter };
  if (body === undefined) return;
  yield { ...wire, body: undefined };
  for (const smaller of smallerBodies(body)) yield { ...wire, body: smaller };
}

/** Yields shorter prefixes of a long text. */
function* shorterTexts(text: string): Generator<string> {
  for (let cut = Math.floor(text.length / 2); cut >= 64; cut = Math.floor(cut / 2)) {
    yield text.slice(0, -cut);
  }
}

/**
 * Yields documents with one member or item less, or bytes without a piece if there is no document.
 */
function* smallerBodies(body: Uint8Array): Generator<Uint8Array> {
  const document = parsed(body);
  if (document === undefined) {
    yield* cuts(body);
    return;
  }
  for (const [parent, key] of membersIn(document)) {
    const record = parent as Record<string, unknown>;
    const whole = record[key];
    const kept = Array.isArray(parent) ? [...(parent as unknown[])] : undefined;
    if (kept === undefined) Reflect.deleteProperty(record, key);
    else (parent as unknown[]).splice(Number(key), 1);
    yield Buffer.from(JSON.stringify(document));
    if (kept === undefined) record[key] = whole;
    else (parent as unknown[]).splice(0, Infinity, ...kept);
  }
}

/**
 * Parses a document if encoding it gives the same text. Else duplicates or unusual numbers would be
 * lost.
 */
function parsed(body: Uint8Array): unknown {
  const text = Buffer.from(body).toString();
  try {
    const document: unknown = JSON.parse(text);
    return JSON.stringify(document) === text ? document : undefined;
  } catch {
    return undefined;
  }
}

function membersIn(value: unknown): [object, string][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [
    [value, key] as [object, string],
    ...membersIn(member),
  ]);
}

function* cuts(bytes: Uint8Array): Generator<Uint8Array> {
  for (let size = Math.ceil(bytes.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let start = 0; start < bytes.length; start += size) {
      yield Buffer.concat([bytes.subarray(0, start), bytes.subarray(start + size)]);
      if (bytes.length / size > 64) return;
    }
  }
}
