/**
 * Makes a failing request smaller, for as long as it fails in the same way.
 * @module
 */
import type { WireRequest } from './draft.js';

/** Most requests that are tried. */
const TRIES_MAX = 300;

/** Sends a request; tells whether it fails in the way that is looked for. */
export type Fails = (wire: WireRequest) => Promise<boolean>;

/** The smallest request found that still fails; the given one, if it fails only once. */
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

/** A long text without some of its end. */
function* shorterTexts(text: string): Generator<string> {
  for (let cut = Math.floor(text.length / 2); cut >= 64; cut = Math.floor(cut / 2)) {
    yield text.slice(0, -cut);
  }
}

/** Documents with one member or item less; of what is no document, bytes without a piece. */
function* smallerBodies(body: Uint8Array): Generator<Uint8Array> {
  const document = parsed(body);
  if (document === undefined) {
    yield* cuts(body);
    return;
  }
  for (const [parent, key] of placesIn(document)) {
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

/** A document that its own text stands for; duplicates and strange numbers would be lost. */
function parsed(body: Uint8Array): unknown {
  const text = Buffer.from(body).toString();
  try {
    const document: unknown = JSON.parse(text);
    return JSON.stringify(document) === text ? document : undefined;
  } catch {
    return undefined;
  }
}

function placesIn(value: unknown): [object, string][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [
    [value, key] as [object, string],
    ...placesIn(member),
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
