/**
 * Issues, uses and revokes credentials, and checks that their secrets, revisions and audit events
 * agree.
 */
import assert from 'node:assert/strict';
import type { Administrator, Credential, NewSecret } from '@agentkeep/core';
import type { Parties } from './parties.js';
import type { Account, Check, Task, Work } from './work.js';

type Step =
  | { readonly type: 'issue'; readonly subject: string }
  | { readonly type: 'revoke'; readonly id: string };

type Result = NewSecret | Credential;

/** Issues credentials, and revokes every second one. */
export class CredentialWork implements Work<Step, Result> {
  readonly #name: string;
  #steps = 0;
  #issued: string | undefined;

  constructor(name: string) {
    this.#name = name;
  }

  /** Chooses the next step. */
  next(): Step {
    const isSecond = this.#steps % 3 === 2 && this.#issued !== undefined;
    if (isSecond) return { type: 'revoke', id: this.#issued! };
    return { type: 'issue', subject: `${this.#name}-${this.#steps}` };
  }

  /** Sends a step. */
  send({ admin }: Parties, step: Step): Promise<Result> {
    if (step.type === 'revoke') return admin.credentials.revoke(step.id, 1);
    return admin.credentials.issue({
      subject_id: step.subject,
      capabilities: ['memory_read'],
      grants: [],
    });
  }

  /** Records the issued credential. */
  note({ result }: Task<Step, Result>): void {
    this.#steps += 1;
    this.#issued = 'secret' in result ? result.credential.id : undefined;
  }
}

/** Checks that credentials and their audit trails are as acknowledged, or one step further. */
export const checkCredentials: Check<Step, Result> = async (parties, accounts) => {
  const listed = new Map<string, Credential>();
  for await (const each of parties.admin.credentials.list()) listed.set(each.id, each);
  const events = await eventsOfCredentials(parties.root);
  for (const account of accounts) {
    const known = await checkAccount(parties, account, listed);
    for (const id of known) {
      assert.equal(
        events.get(id),
        listed.get(id)?.revision,
        `The events of ${id} do not match its revision.`,
      );
    }
  }
  for (const id of events.keys())
    assert(listed.has(id), `There are events of ${id}, which does not exist.`);
};

/** Returns the ids of the stored credentials. */
async function checkAccount(
  parties: Parties,
  { done, next }: Account<Step, Result>,
  listed: ReadonlyMap<string, Credential>,
): Promise<Set<string>> {
  const known = new Set<string>();
  const revoked = new Set(done.flatMap(({ step }) => (step.type === 'revoke' ? [step.id] : [])));
  for (const { result } of done) {
    if (!('secret' in result)) continue;
    const { id } = result.credential;
    known.add(id);
    const found = listed.get(id);
    assert(found !== undefined, `Credential ${id} is lost.`);
    const isRevoked = found.revoked_at_millis !== null;
    const mayBeRevoked = next?.type === 'revoke' && next.id === id;
    assert(
      isRevoked === revoked.has(id) || (isRevoked && mayBeRevoked),
      `${id} is in the wrong state.`,
    );
    assert.equal(found.revision, isRevoked ? 2 : 1);
    const proof = Promise.resolve(parties.as(result.secret)).then((agent) => agent.whoAmI());
    if (isRevoked) await assert.rejects(proof, { code: 'unauthorized' });
    else assert.equal((await proof).id, id);
  }
  if (next?.type === 'issue') {
    const made = [...listed.values()].filter(({ spec }) => spec.subject_id === next.subject);
    assert(made.length <= 1, `${next.subject} was issued twice.`);
    for (const { id } of made) known.add(id);
  }
  return known;
}

/** Returns the number of events of each credential of the tenant. */
async function eventsOfCredentials(root: Administrator): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for await (const { resource, tenant_id } of root.audit.query({
    eventType: 'configuration_changed',
    limit: 1_000,
  })) {
    const [, id] = /^credential:(.+)$/.exec(resource) ?? [];
    if (id !== undefined && tenant_id !== null) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}
