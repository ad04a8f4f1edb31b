/** The address rule of webhooks (docs/contract/webhooks.md#hok-4). */
import { WEBHOOK_URL_BYTES_MAX } from '../contract/limits.js';
import { utf8Bytes } from '../contract/schema/text.js';

/** Whether a text is an absolute http or https URL without user, password and fragment. */
export function isWebhookUrl(text: string): boolean {
  if (utf8Bytes(text) > WEBHOOK_URL_BYTES_MAX || !URL.canParse(text)) return false;
  // Parsers of URLs drop spaces and control characters, so that the address would differ.
  if (/[\s\p{Cc}]/u.test(text)) return false;
  const { protocol, username, password } = new URL(text);
  const isWeb = protocol === 'https:' || protocol === 'http:';
  return isWeb && username === '' && password === '' && !text.includes('#');
}
