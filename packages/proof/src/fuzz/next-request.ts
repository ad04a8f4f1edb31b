/** Chooses the next request: its operation, its kind, and its change. */
import type { Chooser } from './chooser.js';
import type { ContractOperation } from './contract-operations.js';
import { documentChanges } from './document-changes.js';
import { sitesOf } from './document-sites.js';
import { type Draft, type FuzzRequest, type RequestKind, wireOf } from './draft.js';
import { hostileChanges } from './hostile-changes.js';
import { rawChanges, socketChanges } from './raw-changes.js';
import { validDraft } from './valid-request.js';
import { type WireChange, wireChanges } from './wire-changes.js';
import type { World } from './world.js';

/** Relative frequency of operations; 1 for all others. */
const WEIGHTS: Readonly<Record<string, number>> = {
  executeMemoryCommand: 4,
  executeMemoryBatch: 2,
  authLogin: 2,
  issueCredential: 2,
  createUser: 2,
  // Each call copies the whole store and verifies the copy.
  createSnapshot: 0.01,
  getContract: 0.05,
};

const KINDS: readonly (readonly [RequestKind, weight: number])[] = [
  ['valid', 45],
  ['nearly valid', 35],
  ['hostile', 20],
];
/** Share of the nearly valid requests with a document whose document is changed. */
const DOCUMENT_SHARE = 0.65;
const TRIES = 20;

const inApp: Changes = { 'nearly valid': wireChanges, hostile: hostileChanges };
const onSocket: Changes = {
  'nearly valid': wireChanges,
  hostile: [...hostileChanges, ...socketChanges, ...rawChanges],
};

type Changes = Readonly<Record<Exclude<RequestKind, 'valid'>, readonly WireChange[]>>;

/** Time and transport of a request. */
export interface Sending {
  /** In Unix milliseconds. */
  readonly nowMs: number;
  readonly isSocket: boolean;
}

/** Returns the next request. */
export function nextRequest(world: World, chooser: Chooser, sending: Sending): FuzzRequest {
  const { nowMs, isSocket } = sending;
  const operation = chooser.weighted(world.contract.operations, weightOf);
  const [kind] = chooser.weighted(KINDS, ([, weight]) => weight);
  const draft = validDraft(world, chooser, operation, nowMs);
  if (kind === 'valid') return { kind, change: '', draft, wire: wireOf(draft) };
  if (kind === 'nearly valid' && draft.document !== undefined && chooser.chance(DOCUMENT_SHARE)) {
    return inDocument(world, chooser, draft);
  }
  const changes = (isSocket ? onSocket : inApp)[kind];
  return onWire(world, chooser, { kind, change: '', draft, wire: wireOf(draft) }, changes);
}

function weightOf({ id }: ContractOperation): number {
  return WEIGHTS[id] ?? 1;
}

function inDocument(world: World, chooser: Chooser, draft: Draft): FuzzRequest {
  const { document = {}, operation } = draft;
  const holder = { document };
  const sites = sitesOf(world.contract.schemas, holder, operation.body ?? {});
  const site = chooser.pick(sites);
  const change = chooser.pick(documentChanges.filter((each) => each.fits(site)));
  change.apply(site, chooser);
  const changed = { ...draft, document: holder.document };
  const what = `${site.key}: ${change.name}`;
  return { kind: 'nearly valid', change: what, draft: changed, wire: wireOf(changed) };
}

function onWire(
  world: World,
  chooser: Chooser,
  request: FuzzRequest,
  changes: readonly WireChange[],
): FuzzRequest {
  for (let turn = 0; turn < TRIES; turn += 1) {
    const change = chooser.pick(changes);
    const parts = change.apply(request, chooser, world);
    if (parts === undefined) continue;
    return { ...request, change: change.name, wire: { ...request.wire, ...parts } };
  }
  return request;
}
