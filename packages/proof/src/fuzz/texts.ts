/**
 * Texts to fill requests with.
 * @module
 */
import type { Chooser } from './chooser.js';

const WORDS = [
  'plan',
  'Ωmega',
  'naïve',
  '日本',
  'ſtraße',
  'a|b',
  'x.y',
  '🙂',
  'İi',
  "o'neil",
  '{}',
];

/** A text that no other one equals, valid wherever a name or an id is. */
export function freshText(chooser: Chooser, bytesMax = 256): string {
  const words = Array.from({ length: chooser.between(0, 3) }, () => chooser.pick(WORDS));
  const text = [...words, chooser.hex(10)].join(' ');
  return Buffer.byteLength(text) <= bytesMax ? text : chooser.hex(Math.max(1, bytesMax));
}

/** A text of exactly so many bytes. */
export function textOfBytes(bytes: number): string {
  return bytes % 2 === 0 ? 'é'.repeat(bytes / 2) : `a${'é'.repeat((bytes - 1) / 2)}`;
}

/** A password that follows the rule. */
export function freshPassword(chooser: Chooser): string {
  return `Pw!${chooser.hex(16)}aZ9`;
}

/** What text should never be taken for granted to be without. */
export const NASTY_TEXTS: readonly string[] = [
  '',
  ' ',
  '\u2003\u00a0',
  '\u0000',
  'a\u0000b',
  'line\nbreak',
  'tab\there',
  '\u007f',
  '\u0085',
  '\ufeff',
  '\u200b',
  '\u202e',
  '\ud800',
  'x\udfff',
  '\uffff',
  '__proto__',
  'constructor',
  'null',
  '../../etc/passwd',
  '%00',
  '<script>alert(1)</script>',
  "' OR 1=1 --",
  '${jndi:ldap://x}',
  '{{7*7}}',
  '𝔘'.repeat(64),
  'é'.repeat(129),
  '(a+)+$'.repeat(20),
];
