/** Replaces the names of somebody in stored events by a pseudonym. */
import { type EventFields, mappedFields, memberOf } from './event-fields.js';
import { eventText } from './event-text.js';

/** What parts of a path or of a resource are divided by. */
const DIVIDERS = /([:/?&=])/u;

/**
 * Returns a function that replaces names where they stand alone: as a whole text, behind the kind
 * of a resource, or as a part of a path. Events that were caused under such a name also lose the
 * address and the user agent.
 */
export function namesReplacer(
  names: readonly string[],
  pseudonym: string,
): (fields: EventFields) => EventFields {
  const texts = new Set([...names, ...names.map(eventText)]);
  const known = { has: (text: string) => texts.has(text) || texts.has(decoded(text)) };
  const replaced = (text: string): string => {
    if (known.has(text)) return pseudonym;
    const behind = text.indexOf(':') + 1;
    // A name may have dividers itself.
    if (behind > 0 && known.has(text.slice(behind))) return text.slice(0, behind) + pseudonym;
    if (!DIVIDERS.test(text)) return text;
    return text
      .split(DIVIDERS)
      .map((part) => (known.has(part) ? pseudonym : part))
      .join('');
  };
  return (fields) => {
    const username = memberOf(fields, 'username');
    const isOwn = username !== null && known.has(username);
    return mappedFields(fields, replaced, isOwn ? ['ipAddress', 'userAgent'] : []);
  };
}

/** Decodes a part of a path, however it was encoded. */
function decoded(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
