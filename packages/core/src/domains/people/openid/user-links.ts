/** The operations on links between users and accounts of issuers. */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { exampleId } from '../../../contract/example-values.js';
import { uuid } from '../../../contract/schema/uuid.js';
import { TenantParameters } from '../../../kernel/lists/account-lists.js';
import { defineAccountOperation } from '../../../kernel/operation/define-operation.js';
import { accountChecks } from '../../../kernel/operation/orders-of-checks.js';
import type { ReadTx, WriteTx } from '../../../storage/store/store.js';
import { findLinkedAccount } from '../account/account-store.js';
import type { AccountLink, IssuerSubject, StoredAccount } from '../account/stored-account.js';
import { plannedChange, storeAccountChange } from '../user/change-account.js';
import { actorIdOf, managedUser, visibleUser } from '../user/managed-user.js';
import { changeEvents } from '../user/user-events.js';
import { endIssuerSessions } from './receive-issuer-logout.js';
import { PutUserLinksRequest, UserLinks } from './schema.js';

/** Replaces the whole. Ends the sessions that removed links opened. */
export const putUserLinks = defineAccountOperation({
  name: 'putUserLinks',
  summary: 'State who at issuers signs in as an account.',
  example: {
    id: exampleId,
    parameters: {},
    document: { links: [{ issuer: 'https://id.example.com', sub: '248289761001' }] },
  },
  command: {
    name: 'people put-links',
    examples: [
      'agentkeep people put-links <id> --links ' +
        `'[{"issuer":"https://id.example.com","sub":"248289761001"}]'`,
    ],
  },
  tag: 'Sign-in',
  input: { id: uuid(), parameters: TenantParameters, document: PutUserLinksRequest },
  whenFull: 'served',
  output: UserLinks,
  requires: { role: 'Admin' },
  checks: accountChecks,
  errors: ['target_not_found', 'account_disabled', 'already_exists'],
  handler: (request) => {
    const { runtime, nowMs } = request;
    const { id, document } = request.input;
    const { links } = document;
    return runtime.store.transact((tx) => {
      const caller = request.confirm(tx);
      const before = managedUser(tx, request, caller, id);
      for (const link of links) requireFree(tx, before, link);
      if (!areSame(before.links ?? [], links)) {
        const planned = plannedChange(tx, before, { links }) ?? before;
        const after = storeAccountChange(tx, before, planned, {
          ...{ actorId: actorIdOf(caller), nowMs },
          record: (event) => request.record(tx, event),
        });
        endRemoved(tx, before, links);
        for (const event of changeEvents({ before, after })) request.record(tx, event);
      }
      return { links };
    });
  },
});

function requireFree(tx: ReadTx, { authority, id }: StoredAccount, link: IssuerSubject): void {
  const holder = findLinkedAccount(tx, authority, link);
  // An account that is disabled for good gives its links away.
  const isHeld = holder !== undefined && holder.disabledAtMillis === null;
  if (isHeld && holder.id !== id) throw new AgentkeepError('already_exists');
}

function endRemoved(tx: WriteTx, before: StoredAccount, after: readonly AccountLink[]): void {
  for (const { issuer, sub } of before.links ?? []) {
    const isKept = after.some((each) => each.issuer === issuer && each.sub === sub);
    if (!isKept) endIssuerSessions(tx, before, issuer);
  }
}

function areSame(one: readonly AccountLink[], other: readonly AccountLink[]): boolean {
  return JSON.stringify(one.map(membersOf)) === JSON.stringify(other.map(membersOf));
}

function membersOf({ issuer, sub, follows_rules }: AccountLink): unknown[] {
  return [issuer, sub, follows_rules];
}

/** An account sees its own links. */
export const getUserLinks = defineAccountOperation({
  name: 'getUserLinks',
  summary: 'Show who at issuers signs in as an account.',
  example: { id: exampleId, parameters: {} },
  command: { name: 'people links' },
  tag: 'Sign-in',
  effect: 'read',
  input: { id: uuid(), parameters: TenantParameters },
  output: UserLinks,
  requires: { party: 'self' },
  checks: accountChecks,
  errors: ['target_not_found'],
  handler: (request) => {
    const { runtime, principal, input } = request;
    return runtime.store.read((tx) => {
      const { links } = visibleUser(tx, request, principal, input.id);
      return { links: (links ?? []).map((link) => ({ ...link })) };
    });
  },
});
