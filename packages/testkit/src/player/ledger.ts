/**
 * Entries that are registered once under an id of the caller's choice.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Capability, Credential, ScopeInput } from '@agentkeep/core';
import { Refusal } from '../models/outcome.js';
import type { Play } from './play.js';
import { asTenant, type Principal } from '../models/principal.js';
import type { Registration, World } from '../models/world.js';

/** The place and the id of an entry. */
export interface Entry {
  readonly kind: string;
  /** A tenant, or a namespace of a tenant. */
  readonly place: string;
  readonly id: string;
}

/** The credential of a principal with a capability in a scope, or a refusal. */
export function inScope(
  { world }: Play,
  principal: Principal,
  capability: Capability,
  scope: ScopeInput,
): Credential {
  const { id: credentialId } = asTenant(principal);
  const { secretNumber } = world.credentials.get(credentialId);
  const holder = { credentialId, secretNumber, actingFor: principal.actingFor };
  const full = { ...scope, mission_id: scope.mission_id ?? null };
  return world.credentials.authorize(holder, capability, full, world.now);
}

/** The namespace of a scope: one for each tenant and, when private, subject. */
export function namespaceOf({ tenant_id, spec }: Credential, scope: ScopeInput): string {
  const owner = scope.visibility === 'private' ? spec.subject_id : null;
  return JSON.stringify([tenant_id, scope, owner]);
}

/** The registration of an entry. */
function registered(world: World, entry: Entry): Registration | undefined {
  return world.registrations.get(keyOf(entry));
}

/** The registration of an entry, or a refusal. */
export function found(world: World, entry: Entry): Registration {
  const known = registered(world, entry);
  if (known === undefined) throw new Refusal('record_not_found');
  return known;
}

/**
 * The original answer when the same request was registered before, by the same subject if one is
 * given; a refusal when another request was.
 */
export function original(
  world: World,
  entry: Entry,
  { request, subject }: { request: unknown; subject?: string },
): unknown {
  const known = registered(world, entry);
  if (known === undefined) return undefined;
  const isSame =
    isDeepStrictEqual(known.request, request) && (subject ?? known.subject) === known.subject;
  if (!isSame) throw new Refusal('idempotency_conflict');
  return known.answer;
}

/** Registers an answer. */
export function register(world: World, entry: Entry, registration: Registration): void {
  const answer = JSON.parse(JSON.stringify(registration.answer)) as unknown;
  world.registrations.set(keyOf(entry), { ...registration, answer });
}

/** The ids of the entries of a kind in a place, in the order of their UTF-8 bytes. */
export function idsIn(world: World, { kind, place }: Omit<Entry, 'id'>): string[] {
  const ids: string[] = [];
  for (const key of world.registrations.keys()) {
    const [itsKind, itsPlace, id] = JSON.parse(key) as [string, string, string];
    if (itsKind === kind && itsPlace === place) ids.push(id);
  }
  return ids.sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
}

function keyOf({ kind, place, id }: Entry): string {
  return JSON.stringify([kind, place, id]);
}
