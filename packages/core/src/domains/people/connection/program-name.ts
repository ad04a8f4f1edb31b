/** The name of a program as it is stored and shown (docs/contract/oauth.md#oau-36). */
import { utf8Bytes } from '../../../contract/schema/text.js';
import { TEXT_BYTES_MAX } from '../../../contract/limits.js';
import { withoutUnseen } from '../../../contract/schema/unseen.js';

/** Control characters often stand for spaces. */
const SPACES = /[\p{Cc}\p{Z}]+/gu;

/** Returns what counts of a name; '' where nothing of it is seen, `undefined` if it is too long. */
export function programName(stated: string): string | undefined {
  const name = withoutUnseen(stated.replaceAll(SPACES, ' ')).replaceAll(/ {2,}/g, ' ').trim();
  return utf8Bytes(name) > TEXT_BYTES_MAX ? undefined : name;
}
