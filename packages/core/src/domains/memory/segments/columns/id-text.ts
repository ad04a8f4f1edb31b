/** Record ids as texts of one character per byte, which compare as the ids do. */
import { keyBytes, keyText } from '../../../../storage/store/bytes.js';
import { uuidAt } from '../../../../storage/store/key.js';

/** Before every id: a range after it starts with the first record. */
export const BEFORE_ALL = '';

/** After every id: a range through it ends with the last record, also with later ones. */
export const AFTER_ALL = '\u0100';

/** Returns the text of a hyphenated UUID. */
export function idTextOf(uuid: string): string {
  return keyText(Buffer.from(uuid.replaceAll('-', ''), 'hex'));
}

/** Returns the greatest id text before one, or {@link BEFORE_ALL}. */
export function idBefore(idText: string): string {
  const bytes = keyBytes(idText);
  for (let at = bytes.length - 1; at >= 0; at -= 1) {
    const byte = bytes[at] ?? 0;
    bytes[at] = byte - 1;
    if (byte > 0) return keyText(bytes);
  }
  return BEFORE_ALL;
}

/** Returns the least id text after one that is not the greatest. */
export function idAfter(idText: string): string {
  const bytes = keyBytes(idText);
  for (let at = bytes.length - 1; at >= 0; at -= 1) {
    const byte = bytes[at] ?? 0;
    bytes[at] = byte + 1;
    if (byte < 0xff) break;
  }
  return keyText(bytes);
}

/** Returns the UUID of an id text. */
export function uuidOf(idText: string): string {
  return uuidAt(keyBytes(idText), 0);
}
