/** The published contract: valid, complete, and generated from the current operations. */
import { CONTRACT_DOCUMENT_VERSION, operations } from '@agentkeep/core';
import { Validator } from '@seriousme/openapi-schema-validator';
import { everyName, operationRows } from '@agentkeep/testkit/operations';
import { describe, expect, it } from 'vitest';
import { contractText } from '../src/openapi/contract-text.js';
import { contractDocument } from '../src/openapi/document.js';
import { generateDocument } from '../../../scripts/openapi/generate-document.js';
import { contractRoute, routes } from '@agentkeep/client/routes';

const { components, paths } = contractDocument;

const published = Object.values(paths).flatMap((methods) => Object.values(methods));

function referencesIn(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) =>
    key === '$ref' ? [String(value)] : referencesIn(value),
  );
}

function nodeAt(reference: string): unknown {
  const parts = reference.replace('#/', '').split('/');
  return parts.reduce<unknown>(
    (node, part) => (node as Record<string, unknown> | undefined)?.[part],
    contractDocument,
  );
}

/** Whether a response is only that of a store, target or keys that are away: CON-192 and so on. */
function isOfStore(response: object): boolean {
  const { $ref = '' } = response as { readonly $ref?: string };
  const away = 'KeyUnavailable(?:OrReplicaUnavailable)?OrStoreFullOrStoreUnavailable503';
  return new RegExp(`/(?:Flat)?(?:KeyDestroyed410|ReplicaFenced409|${away})$`, 'u').test($ref);
}

const operationNamed = (operationId: string | undefined) =>
  Object.values(operations).find(({ name }) => name === operationId);

function isHeavy(operationId: string | undefined): boolean {
  const operation = operationNamed(operationId);
  return operation !== undefined && 'isHeavy' in operation && operation.isHeavy;
}

describe('the OpenAPI document', () => {
  const generated = generateDocument();

  it('matches the operations', async () => {
    expect(JSON.parse(await contractText())).toEqual(generated);
  });

  it('PLT-12 is generated the same way every time', () => {
    expect(JSON.stringify(generateDocument())).toBe(JSON.stringify(generated));
  });

  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    const specification = JSON.parse(await contractText()) as Record<string, unknown>;
    expect(await validator.validate(specification)).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
    expect(contractDocument.openapi).toBe('3.1.0');
    expect(contractDocument.info.version).toBe(CONTRACT_DOCUMENT_VERSION);
  });

  it('has every operation at its route', () => {
    for (const [name, { method, path, status }] of Object.entries(routes)) {
      const operation = paths[path]?.[method.toLowerCase()];
      expect(operation?.operationId).toBe(name);
      expect(Object.keys(operation?.responses ?? {})).toContain(String(status));
    }
    expect(paths[contractRoute.path]?.['get']?.operationId).toBe('getContract');
    expect(published).toHaveLength(Object.keys(operations).length + 1);
  });

  it('has the statuses that the contract lists', () => {
    const found = published.map(({ operationId, responses }) => [
      operationId,
      Object.entries(responses)
        .filter(([, response]) => !isOfStore(response))
        .map(([status]) => Number(status))
        // 429 is on every operation, and 503 on the heavy ones.
        .filter((status) => status !== 429 && !(status === 503 && isHeavy(operationId))),
    ]);
    const statuses = everyName.map((name) => {
      const { failures } = operationRows[name];
      // CON-199, LOG-18, DIR-24
      const waiting = routes[name].mayWait ? [202] : [];
      const all = [routes[name].status, ...waiting, ...failures, 500];
      return [name, all.toSorted((one, other) => one - other)];
    });
    expect(Object.fromEntries(found)).toEqual({
      ...Object.fromEntries(statuses),
      getContract: [200, 500],
    });
    for (const { operationId, responses } of published) {
      expect(responses).toHaveProperty('429');
      const usesStore = operationId !== 'getHealth' && operationId !== 'getContract';
      for (const status of ['410', '503']) {
        expect(Object.hasOwn(responses, status), operationId).toBe(usesStore);
      }
    }
  });

  it('CON-191, CON-192, CON-193, CON-194, CON-197, CON-198 tells what each operation can get', () => {
    const onEveryUse = ['key_unavailable', 'key_destroyed', 'store_full', 'store_unavailable'];
    const onEveryChange = ['replica_unavailable', 'replica_fenced'];
    for (const { operationId, responses, security } of published) {
      const words = JSON.stringify(
        Object.values(responses).map((each) => ('$ref' in each ? nodeAt(each.$ref) : each)),
      );
      const isProved = security?.length !== 0;
      expect(words.includes('`use_dpop_nonce`'), operationId).toBe(isProved);
      const operation = operationNamed(operationId);
      const usesStore = operation !== undefined && operationId !== 'getHealth';
      const isChange = usesStore && operation.effect !== 'read';
      for (const code of onEveryChange) {
        expect(words.includes(`\`${code}\``), `${operationId} ${code}`).toBe(isChange);
      }
      if (!isProved) continue;
      for (const code of onEveryUse) expect(words, operationId).toContain(`\`${code}\``);
    }
  });

  it('has no dangling reference', () => {
    const references = new Set(referencesIn(contractDocument));
    expect(references.size).toBeGreaterThan(0);
    for (const reference of references) expect(nodeAt(reference), reference).toBeDefined();
  });

  it('has no unused component', () => {
    const references = new Set(referencesIn(contractDocument));
    for (const kind of ['schemas', 'responses', 'headers'] as const) {
      for (const name of Object.keys(components[kind])) {
        expect(references).toContain(`#/components/${kind}/${name}`);
      }
    }
  });
});

describe('the components', () => {
  it.each([
    ...['Capability', 'Visibility', 'Scope', 'CompanyScopePolicy'],
    ...['Credential', 'CredentialSpec', 'CredentialEvent'],
    ...['IssueRequest', 'IssuedCredential', 'CredentialResponse', 'RevisionRequest'],
    ...['ScopeAuthorityRequest', 'DirectoryTenantCredentialsResponse'],
    ...['MemoryCommand', 'ReceiptResponse', 'RecordResponse', 'QueryRequest', 'QueryResponse'],
    ...['MemoryRecord', 'RecordInput', 'EpisodeType', 'Health', 'Error', 'RateLimited'],
    ...['FlatError', 'AuditEvent', 'AuditPage'],
    ...['LockoutStatus', 'LockoutList', 'UserLockout', 'LockRequest'],
    ...['SuccessResponse', 'LoginFailed', 'AccountLocked', 'LockoutNotFound'],
    ...['AuthLoginRequest', 'AuthLoginResponse', 'RefreshRequest', 'RefreshResponse'],
    ...['RevokeRequest', 'RevokeResponse', 'RevokeAllRequest', 'RevokeAllResponse', 'JwkSet'],
    ...['CreateApiKeyRequest', 'CreatedApiKey', 'ApiKey', 'ApiKeyList', 'SuccessResponse'],
    ...['Snapshot', 'SnapshotList', 'ListedSnapshot', 'Stats'],
    ...['GlobalCapability', 'GlobalCredential', 'GlobalCredentialSpec', 'GlobalCredentialEvent'],
    ...['IssueGlobalRequest', 'IssuedGlobalCredential', 'GlobalCredentialResponse'],
    ...['RegisterTenantRequest', 'RegisteredTenantResponse', 'TenantRegistration'],
    ...['TenantAdminRequest', 'TenantResponse', 'TenantDirectoryEntry'],
    ...['DirectoryTenantsResponse', 'DirectoryGlobalCredentialsResponse'],
  ])('hold %s', (name) => {
    expect(components.schemas).toHaveProperty(name);
  });

  it('let a request omit members that a response always has', () => {
    const { Scope, ScopeOutput } = components.schemas;
    expect(Scope?.['required']).toEqual(['project_id', 'agent_id', 'visibility']);
    expect(ScopeOutput?.['required']).toContain('mission_id');
  });

  it('close every object but free-form JSON', () => {
    const objects = Object.values(components.schemas).filter(({ type }) => type === 'object');
    expect(objects.length).toBeGreaterThan(0);
    for (const node of objects) expect(node['additionalProperties']).toBe(false);
  });
});

describe('the proofs', () => {
  it('are either of two by default, and none for public operations', () => {
    expect(contractDocument.security).toEqual([{ platformCredential: [] }, { loginSession: [] }]);
    const open = published.filter(({ security }) => security?.length === 0);
    expect(open.map(({ operationId }) => operationId).sort()).toEqual([
      ...['acceptInvitation', 'authLogin', 'authRefresh', 'beginSignIn', 'completeSignIn'],
      ...['getContract', 'getHealth'],
      ...['getSignInMethods', 'issueFederatedToken', 'jwks', 'loginGlobal', 'loginTenant'],
      ...['receiveIssuerLogout', 'revokeToken'],
    ]);
  });

  it('are bearer tokens, and an API key in its own header', () => {
    for (const name of ['platformCredential', 'loginSession', 'globalCredential']) {
      expect(components.securitySchemes[name]).toMatchObject({ type: 'http', scheme: 'bearer' });
    }
    expect(components.securitySchemes['apiKey']).toMatchObject({
      type: 'apiKey',
      in: 'header',
      name: 'X-API-Key',
    });
  });
});

it('has no schema that is true or false, which few generators take', () => {
  const booleans: string[] = [];
  const walk = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, inner] of Object.entries(value)) {
      const isSchema = name === 'items' || name === 'not' || path.endsWith('/properties');
      if (isSchema && typeof inner === 'boolean') booleans.push(`${path}/${name}`);
      walk(inner, `${path}/${name}`);
    }
  };
  walk(components.schemas, '');
  expect(booleans).toEqual([]);
});
