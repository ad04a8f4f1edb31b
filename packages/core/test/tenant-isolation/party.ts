/** One tenant of a history, with its actions and their answers. */
import { AgentkeepError, type Keep, type OperationName, operations } from '../../src/index.js';
import { bootstrapTenant } from '../../src/operator.js';
import { embeddedInput } from '../../src/transport.js';
import type { Action, PersonAction } from './steps.js';

const SCOPE = { project_id: 'p', agent_id: 'a', visibility: 'shared' } as const;
const VERSION = { contract_version: 1 } as const;
const AGENT = { capabilities: ['memory_read', 'memory_write'], grants: [SCOPE] };

/** A valid password. */
const PASSWORD = 'Correct-Horse-7';

/** The second tenant of a history. Imprecise key ranges of the first one would include it. */
export const OTHER_TENANT = 'a"';

/** A well-formed id that doesn't exist. A foreign id must give the same answer. */
const UNKNOWN_ID = '01900000-0000-7000-8000-000000000000';

type Parts = Parameters<typeof embeddedInput>[0];

/** A tenant with an administrator and agents. */
export class Party {
  readonly #keep: Keep;
  readonly #tenantId: string;
  readonly #admin: string;
  readonly #agents: string[] = [];
  readonly credentials: string[] = [];
  readonly records: string[] = [];
  readonly accounts: string[] = [];
  /** The last cursor that a list returned. */
  cursor: string | undefined;

  private constructor(keep: Keep, tenantId: string, admin: string, id: string) {
    this.#keep = keep;
    this.#tenantId = tenantId;
    this.#admin = admin;
    this.credentials.push(id);
  }

  /** Creates a tenant with one administrator and one agent. */
  static async start(keep: Keep, tenantId: string): Promise<Party> {
    const { secret, credential } = await bootstrapTenant(keep, { tenantId, subjectId: 'ops' });
    const party = new Party(keep, tenantId, secret, credential.id);
    await party.act({ type: 'issue', name: 'ann' }, undefined);
    return party;
  }

  /** Performs an action; `other` is the tenant with the foreign resources, if it exists. */
  async act(action: Action, other: Party | undefined): Promise<unknown> {
    switch (action.type) {
      case 'issue':
        return this.#issue(action.name);
      case 'create':
      case 'update':
      case 'delete':
        return this.#change(action, other);
      case 'read': {
        const id = this.#target(action, 'records', other);
        return this.#asAgent('readMemoryRecord', { id, parameters: { ...VERSION, ...SCOPE } });
      }
      case 'query': {
        const filter = { limit: action.limit, text_contains: 'x' };
        return this.#asAgent('queryMemory', { document: { ...VERSION, scope: SCOPE, filter } });
      }
      case 'audit':
        return this.#asAdmin('queryAuditLogs', { parameters: { limit: action.limit } });
      case 'list':
        return this.#list(action, other);
      case 'inspect':
        return this.#asAdmin('inspectCredential', {
          id: this.#target(action, 'credentials', other),
        });
      case 'rotate':
      case 'revoke':
      case 'rescope':
        return this.#administrate(action, other);
      case 'createUser':
      case 'createLogin':
      case 'logIn':
      case 'lock':
      case 'unlock':
      case 'getUser':
      case 'deleteUser':
      case 'disable':
      case 'listUsers':
      case 'listLockouts':
      case 'listLoginAccounts':
        return this.#manage(action, other);
    }
  }

  /** Performs an action on accounts. */
  async #manage(action: PersonAction, other: Party | undefined): Promise<unknown> {
    switch (action.type) {
      case 'createUser': {
        const document = { username: action.name, password: PASSWORD };
        return this.#account(await this.#asAdmin('createUser', { document }));
      }
      case 'createLogin': {
        const credential_id = this.#target(action, 'credentials', other);
        const document = { ...VERSION, username: action.name, password: PASSWORD, credential_id };
        const answer = await this.#asAdmin('createTenantLoginAccount', { document });
        this.#account((answer as { account?: unknown }).account);
        return answer;
      }
      case 'logIn': {
        const password = action.isRight ? PASSWORD : 'wrong';
        const document = { username: action.name, password, tenant_id: this.#tenantId };
        return this.#call('authLogin', { document }, undefined);
      }
      case 'lock':
        return this.#asAdmin('lockAccount', { id: action.name, document: {} });
      case 'unlock':
        return this.#asAdmin('unlockAccount', { id: action.name });
      case 'getUser':
      case 'deleteUser':
        return this.#asAdmin(action.type, { id: this.#target(action, 'accounts', other) });
      case 'disable': {
        const document = { ...VERSION, expected_revision: 1 };
        const id = this.#target(action, 'accounts', other);
        return this.#asAdmin('disableTenantLoginAccount', { id, document });
      }
      case 'listUsers':
      case 'listLockouts': {
        // An existing foreign tenant and a missing one must give the same answer.
        const tenancy = action.whose === 'own' ? {} : { tenant_id: OTHER_TENANT };
        return this.#asAdmin(action.type, { parameters: { limit: action.limit, ...tenancy } });
      }
      case 'listLoginAccounts': {
        const parameters = { ...VERSION, limit: action.limit };
        return this.#asAdmin('listTenantLoginAccounts', { parameters });
      }
    }
  }

  /** Remembers a created account. */
  #account(answer: unknown): unknown {
    const { id } = (answer ?? {}) as { id?: string };
    if (id !== undefined) this.accounts.push(id);
    return answer;
  }

  async #issue(subject_id: string): Promise<unknown> {
    const document = { ...VERSION, spec: { subject_id, ...AGENT } };
    const answer = await this.#asAdmin('issueCredential', { document });
    const made = answer as { secret?: string; credential?: { id: string } };
    if (made.secret !== undefined) this.#agents.push(made.secret);
    if (made.credential !== undefined) this.credentials.push(made.credential.id);
    return answer;
  }

  async #change(
    action: Extract<Action, { type: 'create' | 'update' | 'delete' }>,
    other: Party | undefined,
  ): Promise<unknown> {
    const record = {
      episode_type: 'Observation',
      content: { primary: `x ${action.index}` },
      event_time_millis: 0,
    };
    const operation =
      action.type === 'create'
        ? { type: 'create', record }
        : {
            type: action.type,
            record_id: this.#target(action, 'records', other),
            expected_revision: action.revision,
            ...(action.type === 'update' ? { record } : {}),
          };
    const document = { ...VERSION, idempotency_key: action.name, scope: SCOPE, operation };
    const answer = await this.#asAgent('executeMemoryCommand', { document });
    const { receipt } = answer as { receipt?: { record_id: string } };
    if (receipt !== undefined) this.records.push(receipt.record_id);
    return answer;
  }

  async #administrate(
    action: Extract<Action, { type: 'rotate' | 'revoke' | 'rescope' }>,
    other: Party | undefined,
  ): Promise<unknown> {
    const id = this.#target(action, 'credentials', other);
    // Without its administrator, a tenant would observe nothing more.
    if (id === this.credentials[0]) return 'left alone';
    const document = { ...VERSION, expected_revision: action.revision };
    switch (action.type) {
      case 'rotate':
        return this.#asAdmin('rotateCredential', { id, document });
      case 'revoke':
        return this.#asAdmin('revokeCredential', { id, document });
      case 'rescope': {
        const authority = { grants: [SCOPE] };
        return this.#asAdmin('changeScopeAuthority', { id, document: { ...document, authority } });
      }
    }
  }

  async #list(
    { limit, whose }: Extract<Action, { type: 'list' }>,
    other: Party | undefined,
  ): Promise<unknown> {
    const foreign = other === undefined ? 'invalid' : (other.cursor ?? 'invalid');
    const cursor = whose === 'own' ? this.cursor : foreign;
    const parameters = { ...VERSION, limit, ...(cursor === undefined ? {} : { cursor }) };
    const answer = await this.#asAdmin('listTenantCredentials', { parameters });
    const { page } = answer as { page?: { next_cursor: string | null } };
    if (page !== undefined) this.cursor = page.next_cursor ?? undefined;
    return answer;
  }

  #target(
    { whose, index }: { readonly whose: 'own' | 'foreign'; readonly index: number },
    kind: 'credentials' | 'records' | 'accounts',
    other: Party | undefined,
  ): string {
    const all = whose === 'own' ? this[kind] : (other?.[kind] ?? []);
    return all[index % Math.max(all.length, 1)] ?? UNKNOWN_ID;
  }

  #asAdmin(name: OperationName, parts: Parts): Promise<unknown> {
    return this.#call(name, parts, this.#admin);
  }

  #asAgent(name: OperationName, parts: Parts): Promise<unknown> {
    return this.#call(name, parts, this.#agents[0] ?? '');
  }

  async #call(name: OperationName, parts: Parts, token: string | undefined): Promise<unknown> {
    try {
      const proof = token === undefined ? undefined : ({ kind: 'bearer', token } as const);
      return await this.#keep.invoke(operations[name], embeddedInput(parts), { proof });
    } catch (error) {
      if (!(error instanceof AgentkeepError)) throw error;
      const { code, message, members, details } = error;
      return { code, message, members, details };
    }
  }
}
