/** Which steps of an order of checks an operation takes. */
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { closed } from '../../contract/schema/document.js';
import {
  accountChecks,
  installationChecks,
  type CheckedParts,
  noChecks,
  scopedChecks,
  stepsOf,
} from './orders-of-checks.js';

const version = { contract_version: v.literal(1) };
const text = v.string();

const steps: readonly (readonly [string, string[], CheckedParts])[] = [
  ['nothing but authority without an input', ['authority'], { kind: 'account', input: {} }],
  [
    'rules after each part',
    ['authority', 'parameters', 'rules', 'document', 'rules'],
    { kind: 'account', input: { parameters: closed({}), document: closed({}) } },
  ],
  [
    'the tenant that a query names',
    ['authority', 'id', 'parameters', 'rules', 'tenant'],
    { kind: 'account', input: { id: text, parameters: closed({ tenant_id: text }) } },
  ],
  [
    'no authority of a public operation',
    ['document', 'rules'],
    {
      kind: 'public',
      input: {
        document: v.pipe(
          closed({}),
          v.check(() => true),
        ),
      },
    },
  ],
  [
    'no rules of a document that is ignored',
    ['authority', 'document'],
    { kind: 'account', input: {}, document: { presence: 'ignored' } },
  ],
];

for (const [title, expected, operation] of steps) {
  test(`the account surface has ${title}`, () => {
    expect(stepsOf(accountChecks, operation)).toEqual(expected);
  });
}

test('the scope comes before authority, whether a document or a query names it', () => {
  const order = ['version', 'first rules', 'authority', 'rules'];
  const document = closed({ ...version, scope: closed({}) });
  const parameters = closed({ ...version, project_id: text });
  const kind = 'tenant';
  expect(stepsOf(scopedChecks, { kind, input: { document } })).toEqual(['document', ...order]);
  expect(stepsOf(scopedChecks, { kind, input: { parameters } })).toEqual(['parameters', ...order]);
});

test('a member that an operation states comes before authority too', () => {
  const document = v.variant('type', [
    closed({ ...version, type: v.literal('a') }),
    closed({ type: v.literal('b'), display_name: text }),
  ]);
  const operation: CheckedParts = { kind: 'installation', input: { document } };
  const without = ['document', 'version', 'authority', 'rules'];
  expect(stepsOf(installationChecks, operation)).toEqual(without);
  const stated = stepsOf(installationChecks, { ...operation, firstRules: ['display_name'] });
  expect(stated).toEqual(['document', 'version', 'first rules', 'authority', 'rules']);
});

test('what checks nothing takes no step', () => {
  expect(stepsOf(noChecks, { kind: 'public', input: {} })).toEqual([]);
});
