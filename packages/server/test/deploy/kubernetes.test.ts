/** The manifests for Kubernetes: as its published schemas want them, merged as kustomize does. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Deployment } from 'kubernetes-models/apps/v1';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { PersistentVolumeClaim, Service, ServiceAccount } from 'kubernetes-models/v1';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { optionNames } from '../../src/options/option-table.js';

const folder = join(import.meta.dirname, '../../deploy/kubernetes');

type Document = Readonly<Record<string, unknown>>;
interface Kustomization {
  readonly resources: readonly string[];
  readonly patches?: readonly { readonly path: string }[];
}

const documentOf = (path: string): Document =>
  parse(readFileSync(join(folder, path), 'utf8')) as Document;
const kustomizationOf = (overlay: string): Kustomization =>
  parse(readFileSync(join(folder, overlay, 'kustomization.yaml'), 'utf8')) as Kustomization;

/** Merges as the strategic merges of kustomize do for what the overlays use. */
function merged(old: unknown, patch: unknown): unknown {
  if (Array.isArray(old) && Array.isArray(patch)) {
    const [before, named] = [old as Document[], patch as Document[]];
    const names = new Set(named.map(({ name }) => name));
    const changed = named.map((each) =>
      merged(
        before.find(({ name }) => name === each.name),
        each,
      ),
    );
    return [...changed, ...before.filter(({ name }) => !names.has(name))];
  }
  const isObject = (value: unknown): value is Document =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isObject(patch)) return patch;
  const result = new Map(Object.entries(isObject(old) ? old : {}));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) result.delete(name);
    else result.set(name, merged(result.get(name), value));
  }
  return Object.fromEntries(result);
}

/** Returns the deployment of an overlay. */
function deploymentOf(overlay: string, patch: string) {
  // Kustomize adds the selector and its labels.
  const labels = { 'app.kubernetes.io/name': 'agentkeep' };
  const selected = {
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels } } },
  };
  const base = merged(documentOf('base/deployment.yaml'), selected);
  const document = merged(base, documentOf(`${overlay}/${patch}`));
  return new Deployment(document as ConstructorParameters<typeof Deployment>[0]);
}

/** Asserts that a document is one of a kind, without members that the kind doesn't have. */
function expectValid(model: { readonly validate: () => void }): void {
  expect(() => {
    model.validate();
  }).not.toThrow();
}

const deployments = [
  ['one-directory', deploymentOf('one-directory', 'data-directory.yaml')],
  ['postgres', deploymentOf('postgres', 'three-servers.yaml')],
] as const;

describe('a manifest', () => {
  test.each(deployments)('of the overlay %s is valid', (_, deployment) => {
    expectValid(deployment);
  });

  test('of another kind is valid', () => {
    expectValid(new Service(documentOf('base/service.yaml')));
    expectValid(new ServiceAccount(documentOf('base/service-account.yaml')));
    expectValid(new PersistentVolumeClaim(documentOf('one-directory/volume-claim.yaml')));
    expectValid(new PodDisruptionBudget(documentOf('postgres/disruption-budget.yaml')));
    const policy = documentOf('base/network-policy.yaml') as ConstructorParameters<
      typeof NetworkPolicy
    >[0];
    expectValid(new NetworkPolicy(policy));
    const added = documentOf('postgres/database-access.yaml') as unknown as readonly Document[];
    const egress = [added[0]?.['value']] as NonNullable<typeof policy>['spec'] extends infer Spec
      ? Spec extends { egress?: infer Rules }
        ? Rules
        : never
      : never;
    expectValid(new NetworkPolicy({ ...policy, spec: { podSelector: {}, egress } }));
  });

  test('that is wrong is refused', () => {
    const [, deployment] = deployments[0];
    const wrong = structuredClone(deployment.toJSON()) as { spec: { replicas: unknown } };
    wrong.spec.replicas = 'three';
    expect(() => {
      new Deployment(wrong as ConstructorParameters<typeof Deployment>[0]).validate();
    }).toThrow(/replicas/u);
  });

  test.each(['base', 'one-directory', 'postgres'])('that %s names is there', (overlay) => {
    const { resources, patches = [] } = kustomizationOf(overlay);
    for (const path of [...resources, ...patches.map(({ path }) => path)]) {
      expect(existsSync(join(folder, overlay, path)), path).toBe(true);
    }
  });
});

test('two of three servers of a database serve while an upgrade replaces the third', () => {
  const [, [, deployment]] = deployments;
  expect(deployment.spec?.replicas).toBe(3);
  // Each has a node of its own, so none starts beside the one that it replaces.
  const rollingUpdate = { maxUnavailable: 1, maxSurge: 0 };
  expect(deployment.spec?.strategy).toEqual({ type: 'RollingUpdate', rollingUpdate });
});

test('one server at a time opens a data directory', () => {
  const [[, deployment]] = deployments;
  expect(deployment.spec).toMatchObject({ replicas: 1, strategy: { type: 'Recreate' } });
});

describe.each(deployments)('a pod of %s', (_, deployment) => {
  const pod = deployment.spec?.template.spec;
  const container = pod?.containers[0];

  test('has options that the server knows, and no secret among its variables', () => {
    const known = optionNames.flatMap((name) => {
      const variable = `AGENTKEEP_${name.toUpperCase()}`;
      return [variable, `${variable}_FILE`];
    });
    const names = container?.env?.map(({ name }) => name) ?? [];
    expect(names.length).toBeGreaterThan(2);
    expect(known).toEqual(expect.arrayContaining(names));
    expect(names).not.toContain('AGENTKEEP_STORE_URL');
  });

  test('runs without rights, on a read-only root', () => {
    expect(pod?.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
    expect(container?.securityContext).toMatchObject({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(pod?.automountServiceAccountToken).toBe(false);
  });

  test('is asked on a port that says when it stops, and gets longer than a stop takes', () => {
    expect(container?.readinessProbe?.httpGet).toMatchObject({ path: '/readyz', port: 'metrics' });
    expect(container?.livenessProbe?.httpGet?.path).toBe('/livez');
    expect(pod?.terminationGracePeriodSeconds).toBeGreaterThan(10);
  });

  test('mounts only volumes that it has', () => {
    const volumes = pod?.volumes?.map(({ name }) => name);
    expect(volumes).toEqual(
      expect.arrayContaining(container?.volumeMounts?.map(({ name }) => name) ?? ['none']),
    );
  });
});
