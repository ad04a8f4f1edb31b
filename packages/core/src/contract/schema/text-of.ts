/**
 * Bounded text: ids, references and free text of learning, tools and experiences
 * (docs/contract/learning.md).
 */
import * as v from 'valibot';
import { describedAs } from './json-schema.js';
import { withCommas } from './number.js';
import { isTextWithin } from './text.js';

/**
 * A string of at most so many UTF-8 bytes that is not blank. It is opaque: control characters are
 * fine, and it is never trimmed, folded or normalised.
 */
export function textOf(bytesMax: number) {
  return v.pipe(
    v.string(),
    v.check((text) => isTextWithin(text, bytesMax), `1 to ${bytesMax} UTF-8 bytes, not blank`),
    describedAs({
      type: 'string',
      minLength: 1,
      maxLength: bytesMax,
      description: `At most ${withCommas(bytesMax)} UTF-8 bytes, not blank; compared exactly.`,
    }),
  );
}

/** A SHA-256 digest as documents carry it: 64 lower-case hexadecimal digits, without a prefix. */
export function hexDigest() {
  const pattern = '^[0-9a-f]{64}$';
  return v.pipe(
    v.string(),
    v.regex(new RegExp(pattern), '64 lower-case hexadecimal digits'),
    describedAs({ type: 'string', pattern }),
  );
}
