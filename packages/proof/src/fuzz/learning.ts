/** Learns from answers: resources for the pool, and new callers with their secrets. */
import { valueAt } from '@agentkeep/testkit/member-paths';
import { linksOf } from '@agentkeep/testkit/operations';
import type { LearnedResource } from '@agentkeep/testkit/operation-links';
import { type Caller, GLOBAL, type Login, unauthenticated } from './caller.js';
import { type Draft, type FuzzRequest, pathParameter } from './draft.js';
import { givesCredential, holderOf, type Issued, proofIn } from './issued.js';
import { isObject } from './json-text.js';
import type { PooledResource } from './pool.js';
import { secretsIn } from './secrets.js';
import type { World } from './world.js';

/** Records everything that a sender learns from a successful answer. */
export function learn(world: World, request: FuzzRequest, answer: unknown, text: string): void {
  const { draft, wire } = request;
  const sender = world.senderOf(wire);
  const authority = authorityOf(world, draft, sender);
  const known = {
    // Links call the parameter of a path `id`, whatever its name is.
    path: { ...draft.path, id: draft.path[pathParameter(draft.path)] },
    query: Object.fromEntries(draft.query),
    document: draft.document,
    answer,
    own: { one: 1, tenant_id: authority === GLOBAL ? null : authority },
  };
  for (const lesson of linksOf(draft.operation.id).teaches ?? []) {
    note(world, authority, lesson, known);
  }
  for (const secret of secretsIn(text)) world.owners.set(secret, authority);
  for (const caller of newcomers(draft, { sender, authority }, answer)) world.addCaller(caller);
}

/**
 * Returns the authority that a request targets: the tenant that it names, else that of its sender.
 */
function authorityOf(world: World, { operation, query, document }: Draft, sender: Caller): string {
  if (operation.id === 'registerTenant') return sender.authority;
  const members = isObject(document) ? document : {};
  if (operation.id === 'issueFederatedToken') {
    const id = members['credential_id'] as string;
    return world.pool.authorityOf('federated credential', id) ?? sender.authority;
  }
  const token = members['refresh_token'];
  if (typeof token === 'string') return world.owners.get(token) ?? sender.authority;
  const named = query.find(([name]) => name === 'tenant_id')?.[1] ?? members['tenant_id'];
  if (typeof named === 'string') return named;
  // Without a proof, an account without a tenant belongs to the installation.
  return operation.needs.length === 0 && operation.id !== 'authRefresh' ? GLOBAL : sender.authority;
}

function note(world: World, authority: string, lesson: LearnedResource, known: unknown): void {
  const id = valueAt(known, lesson.id);
  if (typeof id !== 'string') return;
  if (lesson.isEnd === true) {
    world.pool.forget(lesson.kind, authority, id);
    return;
  }
  const members = Object.entries(lesson.members)
    .map(([name, path]) => [name, valueAt(known, path)] as const)
    .filter(([, value]) => value !== undefined);
  world.pool.learn(lesson.kind, authority, id, Object.fromEntries(members) as PooledResource);
}

/** The sender of a request, and its target authority. */
interface Asked {
  readonly sender: Caller;
  readonly authority: string;
}

/** Returns the callers that result from an answer: holders of a credential, a session or a key. */
function newcomers({ operation, document }: Draft, by: Asked, answer: unknown): Caller[] {
  const { sender, authority } = by;
  const issued = Object(answer) as Issued;
  const blank = {
    ...unauthenticated,
    name: `a newcomer by ${operation.id}`,
    authority,
    isSpare: true,
  };
  if (givesCredential(issued)) return [holderOf(issued, blank)];
  const proof = proofIn(issued);
  if (proof.length === 0) return [];
  if (issued.key === undefined) {
    const login = loginOf(document);
    const made = { ...blank, rights: new Set(['account', 'session']), proof };
    return [login === undefined ? made : { ...made, login }];
  }
  const rights = new Set(sender.rights);
  rights.delete('session');
  return [{ ...blank, rights, proof }];
}

/** Returns the login that a document contains, or `undefined`. */
function loginOf(document: unknown): Login | undefined {
  const { username, password, tenant_id: tenantId } = Object(document) as Record<string, unknown>;
  if (typeof username !== 'string' || typeof password !== 'string') return undefined;
  const login = { username, password };
  return typeof tenantId === 'string' ? { ...login, tenantId } : login;
}
