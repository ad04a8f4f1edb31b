/**
 * Object-level authorization (OWASP API1:2023): objects of another tenant, or in another scope of
 * the same tenant, get the same response as missing ones, word for word and with the same work.
 */
import { capabilities, type OperationName } from '@agentkeep/core';
import { createAdmin } from '@agentkeep/core/operator';
import { expect, test } from 'vitest';
import type { Answer } from '@agentkeep/contract-cases/answer';
import type { Caller, Members } from '@agentkeep/contract-cases/caller';
import { missionScope, openPolicy, scope, sharedScope } from '@agentkeep/contract-cases/documents';
import { drivers } from '@agentkeep/contract-cases/drivers';
import { type Fixture, tenant } from '@agentkeep/contract-cases/fixture';
import { PASSWORD } from '@agentkeep/contract-cases/user-fixture';
import type { Driver } from '@agentkeep/contract-cases/transport';
import { countingStore, type Work } from './counting-store.js';
import { callOf, everyName, operationOf } from './every-call.js';
import type { Owned, Reference, Trier } from './reference.js';
import { intruderSpec, loggedIn, missing, ownedBy, referencesIn } from './references.js';

const UUID = /^[0-9a-f-]{36}$/;
const ordinary = capabilities.filter((each) => each !== 'credential_admin');

/** A response and the work it took, without the ids of the request. */
interface Told {
  readonly status: number;
  readonly text: string;
  readonly work: Work;
}

/** The requests, the caller, and the objects of the attacked tenant. */
interface Attack {
  readonly t: Fixture;
  readonly owned: Owned;
  readonly taken: () => Work;
  readonly tokens: Readonly<Record<Trier, string>>;
}

async function open(driver: Driver): Promise<Omit<Attack, 'tokens'>> {
  const { store, taken } = countingStore();
  // Events would be written later, at unpredictable times.
  const t = await tenant(driver, store, { audit: { enabled: false } });
  return { t, owned: await ownedBy(t), taken };
}

async function ask(attack: Attack, reference: Reference, id: string): Promise<Told> {
  const { operation, by, parts } = reference;
  attack.taken();
  const answer: Answer = await attack.t.transport(operation, attack.tokens[by], parts(id));
  const text = JSON.stringify(answer.body).replaceAll(JSON.stringify(id), '"<id>"');
  return { status: answer.status, text, work: attack.taken() };
}

/** Statuses of operations that answer alike, whether the object is there or not. */
const openStatuses: { readonly [O in OperationName]?: number[] } = {
  // A lockout can be read for any name, with or without an account.
  getLockout: [200],
  // It says that nothing was attached.
  attachEmbeddings: [200, 403],
};

/** Expects the same response and work for existing and for missing objects. */
async function expectAlike(attack: Attack, references: readonly Reference[]): Promise<void> {
  for (const reference of references) {
    const id = attack.owned[reference.of];
    const none = UUID.test(id) ? missing.uuid : missing.text;
    const [theirs, nothing] = [
      await ask(attack, reference, id),
      await ask(attack, reference, none),
    ];
    const what = `${reference.operation} of ${reference.of}`;
    expect(theirs, what).toEqual(nothing);
    expect(theirs.status, what).toBeOneOf(openStatuses[reference.operation] ?? [403, 404]);
  }
}

async function intruder(admin: Caller, members: Members): Promise<string> {
  const { token } = await admin.appoint({ ...intruderSpec, capabilities: ordinary, ...members });
  return token;
}

for (const driver of drivers) {
  test(`an object of another tenant looks like a missing one (${driver.name})`, async () => {
    const { t, owned, taken } = await open(driver);
    const admin = await t.foreignAdmin();
    const agent = await intruder(admin, { scope_policy: openPolicy });
    const account = { username: 'eve', password: PASSWORD, tenantId: 'other' };
    await createAdmin(t.keep, account);
    const { token: person } = await loggedIn(t, 'eve', 'other');
    const tokens = { agent, admin: admin.token, person };
    await expectAlike({ t, owned, taken, tokens }, referencesIn(sharedScope));
    await t.keep.close();
  });

  test(`an authorized caller can see the same objects (${driver.name})`, async () => {
    const { t, owned, taken } = await open(driver);
    const agent = await intruder(t.admin, { scope_policy: openPolicy });
    const { token: person } = await loggedIn(t, 'ann', 'acme');
    const attack = { t, owned, taken, tokens: { agent, admin: t.admin.token, person } };
    // Nobody failed to log in as Ann, and no Admin manages her keys.
    const others: readonly string[] = ['getLockout', 'listUserApiKeys'];
    const reads = referencesIn(sharedScope).filter(
      ({ operation }) => operationOf(operation).effect === 'read' && !others.includes(operation),
    );
    for (const reference of reads) {
      const id = owned[reference.of];
      const none = UUID.test(id) ? missing.uuid : missing.text;
      expect((await ask(attack, reference, id)).status, reference.operation).toBe(200);
      expect((await ask(attack, reference, none)).status, reference.operation).not.toBe(200);
    }
    await t.keep.close();
  });

  test.each([
    ['another mission', missionScope],
    ['another visibility', scope],
    ['another project', { ...sharedScope, project_id: 'q' }],
    ['another agent', { ...sharedScope, agent_id: 'b' }],
  ])(`an object in %s looks like a missing one (${driver.name})`, async (_, place) => {
    const { t, owned, taken } = await open(driver);
    const token = await intruder(t.admin, { scope_policy: openPolicy });
    const tokens = { agent: token, admin: token, person: token };
    const scoped = referencesIn(place).filter(({ isScoped }) => isScoped);
    await expectAlike({ t, owned, taken, tokens }, scoped);
    await t.keep.close();
  });

  test(`an object in a scope without a grant is not even looked up (${driver.name})`, async () => {
    const { t, owned, taken } = await open(driver);
    const token = await intruder(t.admin, { grants: [scope] });
    const tokens = { agent: token, admin: token, person: token };
    const scoped = referencesIn(sharedScope).filter(({ isScoped }) => isScoped);
    await expectAlike({ t, owned, taken, tokens }, scoped);
    for (const reference of scoped) {
      const { status } = await ask({ t, owned, taken, tokens }, reference, owned[reference.of]);
      expect(status, reference.operation).toBe(403);
    }
    await t.keep.close();
  });
}

/** Members of documents that name an object. */
const NAMES_OBJECT =
  /"(?:record|procedure|policy|context|artifact|executor|request|attempt|event|case|credential|user)_id":/;

test('the table has every operation of a tenant that names an object', () => {
  const listed = new Set(referencesIn(sharedScope).map(({ operation }) => operation));
  const named = everyName.filter((name) => {
    const { input } = operationOf(name);
    return input.id !== undefined || NAMES_OBJECT.test(JSON.stringify(callOf(name)));
  });
  const isOfInstallation = (name: OperationName): boolean => {
    const operation = operationOf(name);
    if (operation.kind === 'account') return operation.requires.isInstallation === true;
    return operation.kind !== 'tenant';
  };
  const absent = named.filter((name) => !listed.has(name) && !isOfInstallation(name));
  // Registers its own id, and locks names whether or not an account has them.
  // So do subjects, which are not stored unless something is said of them.
  // Issuers are put under names of their tenant.
  const issuers = ['getTrustedIssuer', 'putTrustedIssuer'];
  // A connection is looked for among those of its caller: OAU-C3. So are consumers: CNS-C5.
  // A branch is judged by the scopes that it is over: BRA-C4, BRA-C13, and REV-C5.
  // An erasure is looked for among those of the tenant: ERA-C6.
  const consumers = everyName.filter((name) => name.endsWith('Consumer'));
  const branches = everyName.filter((name) => /^(?!create)\w+MemoryBranch$/.test(name));
  const singles = ['endConnection', 'rejectMemoryProposal', 'getErasure'];
  const own = [...singles, ...consumers, ...branches];
  const absentOnes = [...issuers, 'getSubject', 'putSubject', 'lockAccount', ...own];
  expect(absent.toSorted()).toEqual(absentOnes.toSorted());
});
