/** The store of the authorization server, over the port of core for grants. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { AgentkeepError } from '@agentkeep/core';
import type { GrantCall, GrantKind, Grants } from '@agentkeep/core/operator';
import type { Adapter, AdapterPayload, errors as providerErrors } from 'oidc-provider';
import { doorPaths } from '../request/door-paths.js';
import { type ClientDocuments, documentAskers, isDocumentAddress } from './client-documents.js';
import { holderMetadata, metadataOfId } from './client-metadata.js';

/** What the adapters of one authorization server share. */
export interface AdapterParts {
  readonly grants: Grants;
  /** Whether ids of registered programs count. */
  readonly acceptsRegistered: boolean;
  readonly documents: ClientDocuments;
  readonly errors: typeof providerErrors;
}

/** The request under way, for the events of what it stores. */
export const grantCalls = new AsyncLocalStorage<GrantCall>();

const stored: readonly string[] = [
  ...(['Interaction', 'Grant', 'AuthorizationCode', 'RefreshToken'] satisfies GrantKind[]),
];

/** Begins the name of the grant behind an access token; known to this process only. */
export const TOKEN_OF_GRANT = `token of grant ${crypto.randomUUID()} `;

/** Returns the adapter of a model of the authorization server. */
export function grantAdapter(name: string, parts: AdapterParts): Adapter {
  if (stored.includes(name)) return new StoredModel(name as GrantKind, parts);
  if (name === 'Client') return withFind(clientOf(parts));
  if (name === 'AccessToken') return withFind(accessTokenOf);
  // Sessions of browsers are those of accounts, and access tokens are ours.
  return withFind(() => undefined);
}

function clientOf({ acceptsRegistered, documents, errors }: AdapterParts): Find {
  return async (id) => {
    const registered = acceptsRegistered ? metadataOfId(id) : undefined;
    if (registered !== undefined || !isDocumentAddress(id)) return registered;
    const asker = documentAskers.getStore();
    if (asker === undefined) return holderMetadata(id);
    const answer = await documents.find(id, asker);
    if (answer.kind === 'known') return answer.properties;
    if (answer.kind === 'refused') throw new errors.InvalidClientMetadata(answer.problem);
    throw unavailable(errors);
  };
}

const SERVICE_UNAVAILABLE = 503;

/** A program must not take it for a refusal (RFC 6749, section 4.1.2.1). */
function unavailable({ CustomOIDCProviderError }: AdapterParts['errors']): Error {
  const text = 'the document of the program cannot be fetched now; try again in ten seconds';
  const error = new CustomOIDCProviderError('temporarily_unavailable', text);
  return Object.assign(error, { status: SERVICE_UNAVAILABLE, statusCode: SERVICE_UNAVAILABLE });
}

/** An access token that is to be revoked: the front door names the grant that it belongs to. */
function accessTokenOf(id: string): AdapterPayload | undefined {
  if (!id.startsWith(TOKEN_OF_GRANT)) return undefined;
  const [grantId = '', clientId = ''] = id.slice(TOKEN_OF_GRANT.length).split(' ');
  const exp = Math.floor(Date.now() / 1_000) + 60;
  return { kind: 'AccessToken', jti: id, grantId, clientId, exp };
}

type Find = (id: string) => AdapterPayload | undefined | Promise<AdapterPayload | undefined>;

/** An adapter that stores nothing. */
function withFind(find: Find): Adapter {
  const nothing = (): Promise<undefined> => Promise.resolve(undefined);
  return {
    upsert: nothing,
    find: async (id) => find(id),
    findByUserCode: nothing,
    findByUid: nothing,
    consume: nothing,
    destroy: nothing,
    revokeByGrantId: nothing,
  };
}

/** A model whose entries are stored. */
class StoredModel implements Adapter {
  readonly #kind: GrantKind;
  readonly #parts: AdapterParts;

  constructor(kind: GrantKind, parts: AdapterParts) {
    this.#kind = kind;
    this.#parts = parts;
  }

  async upsert(
    id: string,
    { jti: _, ...payload }: AdapterPayload,
    lifeSecs: number,
  ): Promise<void> {
    // Nothing else of it can be stored.
    const plain = JSON.parse(JSON.stringify(payload)) as Record<string, never>;
    const { rotations: turn = 0 } = payload;
    try {
      await this.#parts.grants.put(
        this.#kind,
        id,
        { payload: plain, lifeSecs, turn },
        callUnderWay(),
      );
    } catch (error) {
      if (!(error instanceof AgentkeepError) || error.kind === 'internal') throw error;
      throw new this.#parts.errors.InvalidGrant(error.advice);
    }
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const found = await this.#parts.grants.find(this.#kind, id);
    if (found === undefined) return undefined;
    const consumed = found.isUsed ? { consumed: true } : {};
    return { ...(found.payload as object), jti: id, ...consumed };
  }

  /** A code is used up by the first refresh token, and a refresh token by the next one. */
  consume(): Promise<void> {
    return Promise.resolve();
  }

  async destroy(id: string): Promise<void> {
    const { grants, errors } = this.#parts;
    if (this.#kind === 'Grant') {
      const call = callUnderWay();
      // At the token endpoint nothing else ends a grant.
      const cause = call.origin.path === doorPaths.token ? 'reuse' : undefined;
      await grants.end(id, call, cause);
    } else if (this.#kind === 'Interaction' && !(await grants.closeRequest(id))) {
      // Another request was first, here or at another server.
      throw new errors.SessionNotFound('the request was answered already');
    }
  }

  /** The grant is ended too, and nothing of an ended grant is found. */
  revokeByGrantId(): Promise<void> {
    return Promise.resolve();
  }

  findByUserCode(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  findByUid(): Promise<undefined> {
    return Promise.resolve(undefined);
  }
}

function callUnderWay(): GrantCall {
  const call = grantCalls.getStore();
  if (call === undefined) throw new Error('No request is under way.');
  return call;
}
