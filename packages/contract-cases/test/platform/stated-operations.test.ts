/**
 * The tables of operations in the contract say what is published: method, path, statuses and
 * documents (docs/contract/platform.md).
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { routes } from '@agentkeep/client/routes';
import { contractDocument } from '@agentkeep/server';
import { expect, test } from 'vitest';

const pages = fileURLToPath(new URL('../../../../docs/contract/', import.meta.url));

/** A row of a table that names an operation and its path. */
interface Stated {
  readonly clause: string;
  readonly name: string;
  readonly method: string;
  readonly path: string;
  /** The cells beside these, without the statuses of failures. */
  readonly rest: string;
  /** Failures beyond those of CON-199, where the table lists them. */
  readonly failures: readonly number[] | undefined;
}

type Operation = (typeof contractDocument.paths)[string][string];

const names = new Set(['getContract', ...Object.keys(routes)]);

function statedIn(line: string): Stated[] {
  const clause = /^\| <a id="[a-z]+-\d+"><\/a>\*\*(?<id>[A-Z]+-\d+)\*\*/u.exec(line)?.groups?.[
    'id'
  ];
  const cells = line.split('|').slice(2, -1);
  const plain = cells.map((cell) => cell.replaceAll(/[`*]/gu, '').trim());
  const stated = plain.map((cell) => cell.split(', ')).find(([name]) => names.has(name ?? ''));
  const place = plain
    .map((cell) =>
      /^(GET|POST|PUT|DELETE) ((?:\/|…\/login-accounts)[^\s,]*(?:, \/\S+)*)/u.exec(cell),
    )
    .find(Boolean);
  if (clause === undefined || stated === undefined || !place) return [];
  const listed = /^(?:–|\d{3}(?:, \d{3})*)$/u.test(plain.at(-1) ?? '') ? plain.at(-1) : undefined;
  const rest = plain.slice(0, listed === undefined ? undefined : -1).join(' ');
  const failures = listed?.match(/\d+/gu)?.map(Number) ?? (listed === undefined ? undefined : []);
  const method = place[1]!.toLowerCase();
  // By KEY-1 the operation of a second path has the suffix `Alias`.
  const paths = place[2]!.split(', ').map((path, at) => [path, at === 0 ? '' : 'Alias'] as const);
  return stated.flatMap((first) =>
    paths.map(([path, suffix]) => {
      const name = `${first}${suffix}`;
      return { clause, name, method, path: pathOf(name, path), rest, failures };
    }),
  );
}

/** Returns the path of an operation; LOG-18 leaves the start of a path to the authority. */
function pathOf(name: string, path: string): string {
  const start = name.includes('Global') ? '/api/v1/admin' : '/api/v1';
  return path.replace('…', start);
}

const stated = readdirSync(pages).flatMap((page) =>
  readFileSync(join(pages, page), 'utf8').split('\n').flatMap(statedIn),
);

/** Any operation may answer with these (CON-199). */
const common = new Set([429, 500, 503]);
/** By CON-129 these ignore parameters and body. */
const neverMalformed = new Set(['getHealth', 'getContract', 'jwks', 'authLogout', 'logout']);
const documents = new Set(Object.keys(contractDocument.components.schemas));

test('every operation is stated by a row of a table', () => {
  const rows = new Set(stated.map(({ name }) => name));
  expect(Array.from(names).filter((name) => !rows.has(name))).toEqual([]);
});

/*
 * Of these clauses, this test alone shows what a row states:
 * AUD-1 AUD-2 CHG-1 CRD-1 CRD-2 CRD-3 CRD-4 CRD-5 CRD-6 CRD-7 DIR-1 DIR-5 DLG-1 DLG-2 DLG-3
 * DLG-4 FED-1 FED-2 FED-3 FED-4 EXP-1 EXP-2 EXP-3 EXP-4 EXP-5 HIS-1 HIS-3 HOK-2 HOK-3 HOK-4
 * HOK-5 HOK-6 HOK-7 HOK-8 INS-67 INS-68 INS-70 INS-71 INS-72 CRD-7 KCR-1 KCR-15 KCR-16 KCR-2
 * KEY-28 KEY-29 CNS-1 LCK-1 LCK-2 LCK-3 LCK-4 LOG-19 LOG-20 LOG-21 LOG-22 LOG-23 LOG-24 LOG-25
 * LRN-53 LRN-54 LRN-55 LRN-56 LRN-57 LRN-58 LRN-59 LRN-60 LRN-61 MEM-2 MEM-3 MEM-81 MEM-91
 * QUO-5 QUO-6 RTL-1 RTL-2 RTL-3 RTL-4 RTL-5 SEA-1 SEA-43 SEA-55 SEA-56 SEA-57 SES-53 SES-54
 * SES-57 SES-58 SNP-1 SNP-2 SNP-3 TOOL-2 TOOL-3 TOOL-4 TOOL-5 TOOL-6 TOOL-8 USR-1 USR-4 USR-5
 * USR-6 USR-7 USR-8
 */
test.each(stated)('$clause $name is published as stated', (row) => {
  const operation = contractDocument.paths[row.path]?.[row.method];
  expect(operation?.operationId).toBe(row.name);
  const statuses = Object.entries(operation?.responses ?? {})
    .filter(([, response]) => !isOfAnyStore(response))
    .map(([status]) => Number(status));
  const own = statuses.filter((status) => status >= 400 && !common.has(status));
  const { failures } = row;
  const ruled = operation === undefined ? [] : ruledFailures(operation);
  if (failures !== undefined) {
    expect(own).toEqual([...ruled, ...failures].toSorted((a, b) => a - b));
  }
  const ok = /\b201\b/u.test(row.rest.replace('never 201', '')) ? 201 : 200;
  const waits = /\b202\b/u.test(row.rest) ? [202] : [];
  expect(statuses.filter((status) => status < 400)).toEqual([ok, ...waits]);
  const named = row.rest.match(/\w+/gu)?.filter((word) => documents.has(word)) ?? [];
  const answered = documentOf(operation?.responses[ok]);
  if (named.length > 0 && answered !== undefined) expect(named).toContain(answered);
});

/**
 * Whether a response is only that of destroyed keys, which any operation can get, or that of a
 * fenced directory, which any change can get: ENC-9 and CON-198.
 */
function isOfAnyStore(response: object): boolean {
  const { $ref = '' } = response as { readonly $ref?: string };
  return /\/(?:Flat)?(?:KeyDestroyed410|ReplicaFenced409)$/u.test($ref);
}

/** Returns the failures that an operation has by CON-199, beside the common ones. */
function ruledFailures({ operationId, security, requestBody }: Operation): number[] {
  const needsProof = (security ?? contractDocument.security).length > 0;
  return [
    ...(neverMalformed.has(operationId) ? [] : [400]),
    ...(needsProof ? [401, 403] : []),
    ...(requestBody === undefined ? [] : [413]),
  ];
}

/** Returns the name of the document that a response has. */
function documentOf(response: unknown): string | undefined {
  return /"\$ref":"#\/components\/schemas\/(\w+)"/u.exec(JSON.stringify(response ?? {}))?.[1];
}
