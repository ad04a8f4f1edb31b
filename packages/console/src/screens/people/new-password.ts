/** A password for somebody else, which follows the rule for passwords. */

/** Without characters that look alike. Each class is needed (docs/contract/users.md#usr-35). */
const classes = ['ABCDEFGHJKLMNPQRSTUVWXYZ', 'abcdefghijkmnopqrstuvwxyz', '23456789', '_+=.:@%'];

/** Characters of a password: more than 110 random bits. */
const LENGTH = 20;

/** Returns a random password with a character of every class. */
export function newPassword(): string {
  const all = classes.join('');
  const pools = [...classes, ...Array.from({ length: LENGTH - classes.length }, () => all)];
  const drawn = pools.map((pool) => ({ character: pool.charAt(below(pool.length)), at: random() }));
  return drawn
    .sort((one, other) => one.at - other.at)
    .map(({ character }) => character)
    .join('');
}

function random(): number {
  return new DataView(crypto.getRandomValues(new Uint8Array(4)).buffer).getUint32(0);
}

function below(bound: number): number {
  return Math.floor((random() / 2 ** 32) * bound);
}
