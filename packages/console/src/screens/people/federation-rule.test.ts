/** Federation rules from the fields of a form. */
import { describe, expect, test } from 'vitest';
import { ruleOf } from './federation-rule.js';

const form = { issuer: 'ci', sub_mode: 'prefix', sub_text: 'repo:', token_seconds: '900' };

/** The fields of claims: path, kind and value of each. */
function claims(...all: readonly (readonly [string, string, string])[]): FormData {
  const fields = new FormData();
  for (const [path, kind, value] of all) {
    fields.append('claim_path', path);
    fields.append('claim_kind', kind);
    fields.append('claim_value', value);
  }
  return fields;
}

describe('the rule of a form', () => {
  test('has each claim with its path, and texts apart from booleans', () => {
    const fields = claims(
      ['kubernetes.io > namespace', 'text', 'true'],
      ['email_verified', 'false', ''],
      ['admin', 'true', ''],
    );
    expect(ruleOf(form, fields, [])).toEqual({
      rule: {
        issuer: 'ci',
        sub: { mode: 'prefix', prefix: 'repo:' },
        claims: [
          { path: ['kubernetes.io', 'namespace'], value: 'true' },
          { path: ['email_verified'], value: false },
          { path: ['admin'], value: true },
        ],
        subject_claim: null,
        token_seconds: 900,
      },
    });
  });

  test('takes each subject of a list once', () => {
    const only = { ...form, sub_mode: 'only', sub_text: 'repo:a\r\n\nrepo:b\nrepo:a\n' };
    expect(ruleOf(only, claims(), [])).toMatchObject({
      rule: { sub: { mode: 'only', ids: ['repo:a', 'repo:b'] }, claims: [] },
    });
  });

  test('acts for a subject that a claim names, with the right to', () => {
    const acting = { ...form, subject_claim: 'user > id' };
    expect(ruleOf(acting, claims(), ['act_for'])).toMatchObject({
      rule: { subject_claim: ['user', 'id'] },
    });
    expect(ruleOf(acting, claims(), ['memory_read'])).toEqual({
      problem: expect.stringContaining('act for') as string,
    });
  });

  test('is wrong without an issuer, and when every token would do', () => {
    const unissued = { sub_mode: 'prefix', sub_text: 'repo:' };
    expect(ruleOf(unissued, claims(), [])).toEqual({
      problem: expect.stringContaining('No issuer') as string,
    });
    const all = { ...form, sub_mode: 'all' };
    expect(ruleOf(all, claims(), [])).toEqual({
      problem: expect.stringContaining('Every token') as string,
    });
    expect(ruleOf(all, claims(['a', 'text', 'b']), [])).toHaveProperty('rule');
  });
});
