/** Generates passwords that follow the password rule. */
import type { Entropy } from '../../../kernel/ports/entropy.js';

/** Without characters that look alike or that a shell interprets. */
const classes = ['ABCDEFGHJKLMNPQRSTUVWXYZ', 'abcdefghijkmnopqrstuvwxyz', '23456789', '_+=.:@%'];
const all = classes.join('');

/** Characters of a generated password: more than 130 random bits. */
const LENGTH = 24;

/** Returns a random password with a character of every required class. */
export function generatePassword(entropy: Entropy): string {
  const pools = [...classes, ...Array.from({ length: LENGTH - classes.length }, () => all)];
  const ordered = pools.map((pool) => pool.charAt(below(pool.length, entropy)));
  // Shuffle, or the first four positions would reveal their classes.
  const shuffled: string[] = [];
  while (ordered.length > 0) shuffled.push(...ordered.splice(below(ordered.length, entropy), 1));
  return shuffled.join('');
}

/** Returns an integer in 0..bound-1. With 32 random bits the bias is negligible. */
function below(bound: number, entropy: Entropy): number {
  const bytes = entropy.bytes(4);
  const random = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0);
  return Math.floor((random / 2 ** 32) * bound);
}
