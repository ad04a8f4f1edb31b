/** Completeness: every addition appears in all places that CONTRIBUTING.md names. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { errorCatalogue, type OperationName, operations } from '@agentkeep/core';
import type { Operation } from '@agentkeep/core/operator';
import { describe, expect, test } from 'vitest';
import { statusOfKind } from '../src/http/status.js';
import { contractDocument } from '../src/openapi/document.js';
import { flagOf, optionNames, variableOf } from '../src/options/option-table.js';
import { contractRoute, routes } from '@agentkeep/client/routes';

const root = fileURLToPath(new URL('../../../', import.meta.url));

interface Source {
  /** Relative to the root, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const exists = (path: string): boolean => existsSync(join(root, path));

function filesUnder(folder: string): Source[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.ts'))
    .map((path) => ({ path, text: read(path) }));
}

const isTest = ({ path }: Source): boolean => path.endsWith('.test.ts');
const core = filesUnder('packages/core/src');
const others = ['packages/client/src', 'packages/server/src'].flatMap(filesUnder);
const shipped = [...core, ...others].filter((file) => !isTest(file));

describe('every operation', () => {
  const names = Object.keys(operations) as OperationName[];
  // Defined on its own, as an alias, or for a tenant and for the installation at once.
  const alone = String.raw`export const (?<one>\w+) = (?:define\w+Operation|aliasOf)\(`;
  const view = String.raw`\bof(?:Tenant|Installation): (?<view>\w+)[,\s]`;
  const statement = new RegExp(`${alone}|${view}`, 'gu');
  const stated = shipped.flatMap(({ text }) =>
    Array.from(text.matchAll(statement), ({ groups }) => groups?.['one'] ?? groups?.['view'] ?? ''),
  );

  test('is defined once, under its own name, and is listed in operations.ts', () => {
    expect(stated.sort()).toEqual([...names].sort());
    for (const name of names) expect(operations[name].name).toBe(name);
  });

  test('has a unique route', () => {
    const all = [contractRoute, ...Object.values(routes)];
    expect(Object.keys(routes).sort()).toEqual([...names].sort());
    expect(new Set(all.map(({ method, path }) => `${method} ${path}`)).size).toBe(all.length);
  });

  test.each(names)('%s is in the contract and in the reference', (name) => {
    const { method, path } = routes[name];
    expect(contractDocument.paths[path]?.[method.toLowerCase()]?.operationId).toBe(name);
    expect(read('docs/reference/operations.md')).toContain(`\n## ${name}\n`);
  });

  test.each(names)('%s is heavy if it takes a limit', (name) => {
    const operation: Operation = operations[name];
    const { parameters, document } = operation.input;
    const members = [parameters, document].map((schema) => JSON.stringify(schema ?? null));
    const takesLimit = members.some((text) => text.includes('"limit":'));
    // LOA-2
    expect(takesLimit && (operation.kind === 'public' || operation.isHeavy !== true)).toBe(false);
  });

  test.each(names)('%s is called by the tests of the contract', (name) => {
    const tests = filesUnder('packages/contract-cases/test');
    expect(tests.some(isTest)).toBe(true);
    expect(tests.filter(({ text }) => new RegExp(`\\b${name}\\b`).test(text))).not.toEqual([]);
  });
});

describe('every error', () => {
  const codes = Object.entries(errorCatalogue);

  test.each(codes)('%s has a status and is in the reference', (code, { kind }) => {
    expect(statusOfKind[kind]).toBeGreaterThanOrEqual(400);
    expect(read('docs/reference/errors.md')).toContain(`\n| \`${code}\` | \`${kind}\` |`);
  });

  test.each(codes)('%s is reported somewhere', (code) => {
    const reporters = shipped.filter(
      ({ path, text }) => !path.endsWith('/catalogue.ts') && text.includes(`'${code}'`),
    );
    expect(reporters).not.toEqual([]);
  });

  test('has a kind, and every kind is used', () => {
    const kinds = new Set<string>(codes.map(([, { kind }]) => kind));
    expect(Object.keys(statusOfKind).sort()).toEqual([...kinds].sort());
  });
});

describe('every store', () => {
  const files = readdirSync(join(root, 'packages')).flatMap((name) =>
    ['src', 'test']
      .map((part) => `packages/${name}/${part}`)
      .filter(exists)
      .flatMap(filesUnder),
  );
  const folders = files
    .filter((file) => !isTest(file) && /\bimplements Store\b/u.test(file.text))
    .map(({ path }) => dirname(path));

  test('is found', () => {
    expect(folders.length).toBeGreaterThan(1);
  });

  test.each(folders)('%s runs the conformance suite', (folder) => {
    const suites = files.filter(
      (file) =>
        isTest(file) &&
        [folder, folder.replace('/src', '/test')].includes(dirname(file.path)) &&
        file.text.includes('storeConformance('),
    );
    expect(suites).not.toEqual([]);
  });
});

describe('every family', () => {
  const families = shipped.flatMap(({ text }) =>
    Array.from(
      text.matchAll(/Family\(\{\s+name: '(?<name>\w+)',\s+number: (?<number>\d+),/gu),
      ({ groups }) => ({ name: groups?.['name'] ?? '', number: Number(groups?.['number']) }),
    ),
  );

  test('has a number and a name of its own', () => {
    expect(families.length).toBeGreaterThan(100);
    expect(new Set(families.map(({ number }) => number)).size).toBe(families.length);
    expect(new Set(families.map(({ name }) => name)).size).toBe(families.length);
  });

  test.each(families)('$name is among the stored data', ({ name, number }) => {
    expect(read('docs/reference/families.md')).toMatch(
      new RegExp(`\\n\\| ${number} +\\| \`${name}\` `),
    );
  });
});

test.each(optionNames)('the option %s is in the reference in all its spellings', (name) => {
  const page = read('docs/reference/options.md');
  expect(page).toContain(`\n## ${name}\n`);
  expect(page).toContain(`\`--${flagOf(name)} `);
  expect(page).toContain(`\`${variableOf(name)}\``);
});

test('every folder of the sources is in the map of the code', () => {
  const map = read('docs/code-map.md');
  const folders = shipped.flatMap(({ path }) => /\/src\/([^/]+)\//u.exec(path)?.[1] ?? []);
  for (const folder of new Set(folders)) expect(map).toContain(`\n| \`${folder}/\` `);
});
