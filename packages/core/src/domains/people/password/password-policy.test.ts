/** The password rule, rule by rule. */
import { describe, expect, test } from 'vitest';
import { brokenPasswordRules } from './require-strong-password.js';

const tooShort = 'at least 12 characters';
const tooLong = 'at most 1024 bytes of UTF-8';
const noUpper = 'an upper-case letter A-Z';
const noLower = 'a lower-case letter a-z';
const noDigit = 'a digit 0-9';
const noSpecial = 'a special character out of !@#$%^&*()_+-=[]{}|;:,.<>?';

/** Breaks only the rule on special characters. */
const plain = 'Abcdefghijk1';

test('a password with every required class is valid', () => {
  expect(brokenPasswordRules('Abcdefghij1!')).toEqual([]);
});

test('every broken rule is named, in a fixed order', () => {
  expect(brokenPasswordRules('')).toEqual([tooShort, noUpper, noLower, noDigit, noSpecial]);
  expect(brokenPasswordRules(' '.repeat(1_025))).toEqual([
    tooLong,
    noUpper,
    noLower,
    noDigit,
    noSpecial,
  ]);
});

describe('special characters', () => {
  test.each(Array.from('!@#$%^&*()_+-=[]{}|;:,.<>?'))('%s alone meets the rule', (each) => {
    expect(brokenPasswordRules(plain + each)).toEqual([]);
  });

  test.each(["'", '"', '/', '\\', '~', '`', ' ', '\t', '§', '€', '！', '\u0000', '\u007F'])(
    '%j alone does not',
    (each) => {
      expect(brokenPasswordRules(plain + each)).toEqual([noSpecial]);
    },
  );
});

test.each([
  ['an upper-case letter of another alphabet', 'ÄÖΩЖbcdefgh1!', noUpper],
  ['a full-width upper-case letter', 'Ａbcdefghijk1!', noUpper],
  ['a lower-case letter of another alphabet', 'ABCDEFGHäöωж1!', noLower],
  ['a lower-case letter that upper-cases to A-Z', 'ABCDEFGHIJKſ1!', noLower],
  ['an Arabic-Indic digit', 'Abcdefghijk٣!', noDigit],
  ['a full-width digit', 'Abcdefghijk３!', noDigit],
  ['a superscript', 'Abcdefghijk²!', noDigit],
])('%s satisfies nothing', (_, password, rule) => {
  expect(brokenPasswordRules(password)).toEqual([rule]);
});

describe('length', () => {
  test.each([
    ['11 letters', 'Abcdefghi1!', [tooShort]],
    ['12 letters', 'Abcdefghij1!', []],
    ['11 code points of 18 UTF-16 units', `Aa1!${'😀'.repeat(7)}`, [tooShort]],
    ['12 code points', `Aa1!${'😀'.repeat(8)}`, []],
    ['12 code points that look like 8', `Aa1!${'e\u0301'.repeat(4)}`, []],
    ['spaces around, which count', '  Abcdef1!  ', []],
  ])('%s', (_, password, broken) => {
    expect(brokenPasswordRules(password)).toEqual(broken);
  });

  test.each([
    ['1,024 bytes of ASCII', `Aa1!${'x'.repeat(1_020)}`, []],
    ['1,025 bytes of ASCII', `Aa1!${'x'.repeat(1_021)}`, [tooLong]],
    ['1,024 bytes in 259 code points', `Aa1!${'😀'.repeat(255)}`, []],
    ['1,025 bytes in 260 code points', `Aa1!x${'😀'.repeat(255)}`, [tooLong]],
  ])('%s', (_, password, broken) => {
    expect(brokenPasswordRules(password)).toEqual(broken);
  });
});
