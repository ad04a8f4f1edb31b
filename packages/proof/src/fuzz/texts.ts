/** Texts for requests. */
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

/** Returns a unique text that is valid as a name or an id. */
export function freshText(chooser: Chooser, bytesMax = 256): string {
  const words = Array.from({ length: chooser.between(0, 3) }, () => chooser.pick(WORDS));
  const text = [...words, chooser.hex(10)].join(' ');
  return Buffer.byteLength(text) <= bytesMax ? text : chooser.hex(Math.max(1, bytesMax));
}

/** Returns a text of exactly this many bytes. */
export function textOfBytes(bytes: number): string {
  return bytes % 2 === 0 ? 'é'.repeat(bytes / 2) : `a${'é'.repeat((bytes - 1) / 2)}`;
}

/** Returns a valid password. */
export function freshPassword(chooser: Chooser): string {
  return `Pw!${chooser.hex(16)}aZ9`;
}

/** Texts that careless code handles wrongly. */
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
