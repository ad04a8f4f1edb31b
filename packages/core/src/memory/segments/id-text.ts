/** Record ids as texts of one character per byte, which compare as the ids do. */
import { keyBytes, keyText } from '../../storage/store/bytes.js';
import { uuidAt } from '../../storage/store/key.js';

/** Before every id: a range after it starts with the first record. */
export const BEFORE_ALL = '';

/** After every id: a range through it ends with the last record, also with later ones. */
export const AFTER_ALL = '\u0100';

/** Returns the text of a hyphenated UUID. */
export function idTextOf(uuid: string): string {
  return keyText(Buffer.from(uuid.replaceAll('-', ''), 'hex'));
}

/** Returns the UUID of an id text. */
export function uuidOf(idText: string): string {
  return uuidAt(keyBytes(idText), 0);
}
