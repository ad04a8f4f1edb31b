/**
 * Learns from answers: things for the pool, and new callers with the secrets that they were given.
 * @module
 */
import { type Caller, GLOBAL, type Login, nobody, proofOf } from './caller.js';
import { type Draft, type FuzzRequest } from './draft.js';
import { isObject, type Json, valueAt } from './json-text.js';
import { type Lesson, links } from './links.js';
import type { Thing } from './pool.js';
import { secretsIn } from './secrets.js';
import type { World } from './world.js';

/** Notes all that a successful answer tells. */
export function learn(world: World, { draft }: FuzzRequest, answer: unknown, text: string): void {
  const authority = authorityOf(world, draft);
  const known = {
    path: draft.path,
    query: Object.fromEntries(draft.query),
    document: draft.document,
    answer,
    own: { one: 1, tenant_id: authority === GLOBAL ? null : authority },
  };
  for (const lesson of links[draft.operation.id]?.teaches ?? []) {
    note(world, authority, lesson, known);
  }
  for (const secret of secretsIn(text)) world.owners.set(secret, authority);
  for (const caller of newcomers(draft, authority, answer)) world.welcome(caller);
}

/** Whom a request is about: the tenant that it names, else the authority of its caller. */
function authorityOf(world: World, { operation, caller, query, document }: Draft): string {
  if (operation.id === 'registerTenant') return caller.authority;
  const members = isObject(document) ? document : {};
  const token = members['refresh_token'];
  if (typeof token === 'string') return world.owners.get(token) ?? caller.authority;
  const named = query.find(([name]) => name === 'tenant_id')?.[1] ?? members['tenant_id'];
  if (typeof named === 'string') return named;
  // Where no proof is read, an account without a tenant is one of the installation.
  return operation.needs.length === 0 && operation.id !== 'authRefresh' ? GLOBAL : caller.authority;
}

function note(world: World, authority: string, lesson: Lesson, known: unknown): void {
  const id = valueAt(known, lesson.id);
  if (typeof id !== 'string') return;
  if (lesson.isEnd === true) {
    world.pool.forget(lesson.kind, authority, id);
    return;
  }
  const members = Object.entries(lesson.members)
    .map(([name, path]) => [name, valueAt(known, path)] as const)
    .filter(([, value]) => value !== undefined);
  world.pool.learn(lesson.kind, authority, id, Object.fromEntries(members) as Thing);
}

/** The members of answers that give secrets; each answer has some of them. */
export interface Issued {
  readonly secret?: string;
  readonly access_token?: string;
  readonly key?: string;
  readonly session?: { readonly token: string };
  readonly credential?: {
    readonly id: string;
    readonly tenant_id?: string;
    readonly spec: {
      readonly subject_id: string;
      readonly capabilities: readonly string[];
      readonly grants?: Caller['scopes'];
    };
  };
}

/** The callers that an answer makes: holders of a credential, a session or a key. */
function newcomers(
  { operation, caller, document }: Draft,
  authority: string,
  answer: unknown,
): Caller[] {
  if (!isObject(answer)) return [];
  const issued = answer as Issued & Record<string, Json>;
  const name = `a newcomer by ${operation.id}`;
  const blank: Caller = { ...nobody, name, authority, isSpare: true };
  const { secret, access_token, key, session, credential } = issued;
  if (secret !== undefined && credential !== undefined) {
    return [holderOf(secret, credential, blank)];
  }
  const token = access_token ?? session?.token;
  const { rights: held } = caller;
  const isOwn = key !== undefined;
  const rights = new Set([...(isOwn ? held : []), 'account', ...(isOwn ? [] : ['session'])]);
  if (isOwn) rights.delete('session');
  const proof = token ?? key;
  if (proof === undefined) return [];
  const made = { ...blank, rights, proof: proofOf(proof) };
  const login = key === undefined ? loginOf(document) : undefined;
  return [login === undefined ? made : { ...made, login }];
}

/** Whom a document logs in. */
function loginOf(document: unknown): Login | undefined {
  const { username, password, tenant_id: tenantId } = Object(document) as Record<string, unknown>;
  if (typeof username !== 'string' || typeof password !== 'string') return undefined;
  const login = { username, password };
  return typeof tenantId === 'string' ? { ...login, tenantId } : login;
}

/** The holder of a credential, with all that its spec gives. */
export function holderOf(
  secret: string,
  { tenant_id, spec }: NonNullable<Issued['credential']>,
  blank: Caller,
): Caller {
  const { capabilities, grants = [], subject_id: subjectId } = spec;
  const isGlobal = tenant_id === undefined;
  const rights = new Set(capabilities.map((name) => (isGlobal ? `installation ${name}` : name)));
  rights.add(isGlobal ? 'installation' : 'tenant');
  if (rights.has('credential_admin')) rights.add('Admin');
  const authority = tenant_id ?? GLOBAL;
  return { ...blank, authority, rights, scopes: grants, subjectId, proof: proofOf(secret) };
}
