/** A caller of operations: a token and a transport, with a short form of every call. */
import type { Credential, OperationName } from '@agentkeep/core';
import { type Answer, type Parts, result } from './answer.js';
import { minimalRecord, scope } from './documents.js';
import type { Transport } from './transport.js';

let keys = 0;

/** Returns an unused idempotency key. */
export function freshKey(): string {
  keys += 1;
  return `key-${keys}`;
}

/** Members of a document or record, valid or not. */
export type Members = Readonly<Record<string, unknown>>;

/** Members of a put that are seldom given. */
export interface PutMembers {
  readonly record?: unknown;
  readonly expected_revision?: unknown;
}

/** A caller with the credential of a tenant. */
export class Caller {
  readonly #transport: Transport;
  /** The token that it sends. */
  readonly token: string;
  /** The credential behind the token, as issued. */
  readonly credential: Credential;

  constructor(transport: Transport, token: string, credential: Credential) {
    this.#transport = transport;
    this.token = token;
    this.credential = credential;
  }

  get id(): string {
    return this.credential.id;
  }

  /** The same credential with another token. */
  with(token: string): Caller {
    return new Caller(this.#transport, token, this.credential);
  }

  call<N extends OperationName>(name: N, parts: Parts): Promise<Answer<N>> {
    return this.#transport(name, this.token, parts);
  }

  whoAmI(): Promise<Answer<'whoAmI'>> {
    return this.call('whoAmI', {});
  }

  /** Issues a credential; returns the response. */
  issue(spec: unknown): Promise<Answer<'issueCredential'>> {
    return this.call('issueCredential', { document: { contract_version: 1, spec } });
  }

  /** Issues a credential; returns the caller that holds its secret. */
  async appoint(spec: unknown): Promise<Caller> {
    const { secret, credential } = result(await this.issue(spec));
    return new Caller(this.#transport, secret, credential);
  }

  list(parameters: Members = {}): Promise<Answer<'listTenantCredentials'>> {
    const document = { contract_version: 1, ...parameters };
    return this.call('listTenantCredentials', { parameters: document });
  }

  inspect(id: unknown): Promise<Answer<'inspectCredential'>> {
    return this.call('inspectCredential', { id });
  }

  rotate(
    id: unknown,
    expected_revision: unknown,
    members: Members = {},
  ): Promise<Answer<'rotateCredential'>> {
    const document = { contract_version: 1, expected_revision, ...members };
    return this.call('rotateCredential', { id, document });
  }

  revoke(id: unknown, expected_revision: unknown): Promise<Answer<'revokeCredential'>> {
    const document = { contract_version: 1, expected_revision };
    return this.call('revokeCredential', { id, document });
  }

  rescope(
    id: unknown,
    expected_revision: unknown,
    authority: unknown,
  ): Promise<Answer<'changeScopeAuthority'>> {
    const document = { contract_version: 1, expected_revision, authority };
    return this.call('changeScopeAuthority', { id, document });
  }

  command(
    scope: unknown,
    operation: unknown,
    idempotency_key: unknown = freshKey(),
  ): Promise<Answer<'executeMemoryCommand'>> {
    const document = { contract_version: 1, idempotency_key, scope, operation };
    return this.call('executeMemoryCommand', { document });
  }

  /** Executes a batch: pairs of scope and operation. */
  batch(
    commands: readonly (readonly [scope: unknown, operation: unknown])[],
    idempotency_key: unknown = freshKey(),
  ): Promise<Answer<'executeMemoryBatch'>> {
    const placed = commands.map(([scope, operation]) => ({ scope, operation }));
    const document = { contract_version: 1, idempotency_key, commands: placed };
    return this.call('executeMemoryBatch', { document });
  }

  create(
    scope: unknown,
    record: unknown = minimalRecord,
    key?: string,
  ): Promise<Answer<'executeMemoryCommand'>> {
    return this.command(scope, { type: 'create', record }, key);
  }

  /** Creates a record; returns its id. */
  async created(scope: unknown, record: unknown = minimalRecord): Promise<string> {
    return result(await this.create(scope, record)).receipt.record_id;
  }

  update(
    scope: unknown,
    target: readonly [id: unknown, revision: unknown],
    record: unknown = minimalRecord,
    key?: string,
  ): Promise<Answer<'executeMemoryCommand'>> {
    const [record_id, expected_revision] = target;
    return this.command(scope, { type: 'update', record_id, expected_revision, record }, key);
  }

  delete(
    scope: unknown,
    target: readonly [id: unknown, revision: unknown],
    key?: string,
  ): Promise<Answer<'executeMemoryCommand'>> {
    const [record_id, expected_revision] = target;
    return this.command(scope, { type: 'delete', record_id, expected_revision }, key);
  }

  restore(
    scope: unknown,
    record_id: unknown,
    revision: unknown,
    expected_revision: unknown,
    key?: string,
  ): Promise<Answer<'executeMemoryCommand'>> {
    const target = { record_id, revision, expected_revision };
    return this.command(scope, { type: 'restore', ...target }, key);
  }

  redact(
    scope: unknown,
    record_id: unknown,
    revision: unknown,
    key?: string,
  ): Promise<Answer<'executeMemoryCommand'>> {
    return this.command(scope, { type: 'redact', record_id, revision }, key);
  }

  /** Reads a revision of a record: members beside the scope are `revision` or `as_of_millis`. */
  readAt(scope: Members, id: unknown, members: Members): Promise<Answer<'readMemoryRecord'>> {
    return this.call('readMemoryRecord', {
      id,
      parameters: { contract_version: 1, ...scope, ...members },
    });
  }

  revisions(
    scope: Members,
    id: unknown,
    members: Members = {},
  ): Promise<Answer<'listMemoryRevisions'>> {
    const parameters = { contract_version: 1, ...scope, ...members };
    return this.call('listMemoryRevisions', { id, parameters });
  }

  readers(scope: Members, id: unknown, members: Members = {}): Promise<Answer<'listMemoryReads'>> {
    const parameters = { contract_version: 1, ...scope, ...members };
    return this.call('listMemoryReads', { id, parameters });
  }

  retention(scope: Members = {}): Promise<Answer<'getMemoryRetention'>> {
    return this.call('getMemoryRetention', { parameters: { contract_version: 1, ...scope } });
  }

  /** Sets the retention of the tenant, or of a scope. */
  setRetention(
    retention: Members,
    expected_revision: unknown = 0,
    scope?: unknown,
  ): Promise<Answer<'setMemoryRetention'>> {
    const placed = scope === undefined ? {} : { scope };
    const document = { contract_version: 1, ...placed, expected_revision, retention };
    return this.call('setMemoryRetention', { document });
  }

  put(
    scope: unknown,
    name: unknown,
    { record = minimalRecord, expected_revision }: PutMembers = {},
    key?: string,
  ): Promise<Answer<'executeMemoryCommand'>> {
    const expected = expected_revision === undefined ? {} : { expected_revision };
    return this.command(scope, { type: 'put', name, record, ...expected }, key);
  }

  remove(
    scope: unknown,
    name: unknown,
    expected_revision: unknown = null,
  ): Promise<Answer<'executeMemoryCommand'>> {
    return this.command(scope, { type: 'remove', name, expected_revision });
  }

  readNamed(
    scope: Members,
    name: unknown,
    members: Members = {},
  ): Promise<Answer<'readNamedRecord'>> {
    const parameters = { contract_version: 1, ...scope, name, ...members };
    return this.call('readNamedRecord', { parameters });
  }

  changes(members: Members = {}): Promise<Answer<'listMemoryChanges'>> {
    return this.call('listMemoryChanges', { parameters: { contract_version: 1, ...members } });
  }

  read(scope: Members, id: unknown): Promise<Answer<'readMemoryRecord'>> {
    const parameters = { contract_version: 1, ...scope };
    return this.call('readMemoryRecord', { id, parameters });
  }

  query(scope: unknown, filter?: unknown, members: Members = {}): Promise<Answer<'queryMemory'>> {
    const rest = filter === undefined ? members : { filter, ...members };
    return this.call('queryMemory', { document: { contract_version: 1, scope, ...rest } });
  }

  attach(
    scope: unknown,
    embeddings: readonly (readonly [id: unknown, revision: unknown, values: unknown])[],
  ): Promise<Answer<'attachEmbeddings'>> {
    const all = embeddings.map(([record_id, revision, values]) => ({
      record_id,
      revision,
      values,
    }));
    const document = { contract_version: 1, scope, embeddings: all };
    return this.call('attachEmbeddings', { document });
  }

  search(scopes: unknown, members: Members = {}): Promise<Answer<'searchMemory'>> {
    return this.call('searchMemory', { document: { contract_version: 1, scopes, ...members } });
  }

  /** Returns the ids that a query finds. */
  async found(scope: unknown, filter?: unknown): Promise<string[]> {
    const { page } = result(await this.query(scope, filter));
    return page.records.map(({ record_id }) => record_id);
  }
}

/** Creates records in the common scope, one after another; returns their ids. */
export async function createAll(caller: Caller, records: readonly unknown[]): Promise<string[]> {
  const ids: string[] = [];
  for (const each of records) ids.push(await caller.created(scope, each));
  return ids;
}
