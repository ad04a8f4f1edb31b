/** Replaces the names of somebody in stored events by a pseudonym. */
import {
  type EventFields,
  eventText,
  mappedFields,
  type MapText,
  memberOf,
} from './event-fields.js';

/** What parts of a path or of a resource are divided by. */
const DIVIDERS = /([:/?&=])/u;

/** A consumer as a resource, and in the path of a call. */
const CONSUMERS = [/^(consumer:).*$/su, /^(.*\/memory\/consumers\/)[^/?]+/u] as const;

/** Members of events of webhooks with what their owner chose. */
const OF_WEBHOOK: ReadonlySet<string> = new Set(['name', 'origin']);

/**
 * Returns a function that replaces names where they stand alone: as a whole text, behind the kind
 * of a resource, or as a part of a path. Events that were caused under such a name also lose the
 * address, the user agent, and the names that were given to consumers and webhooks.
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
    if (username === null || !known.has(username)) return mappedFields(fields, replaced, []);
    const chosen = withoutChosen(memberOf(fields, 'resource'), pseudonym);
    const map: MapText = (text, member) => replaced(chosen(text, member));
    return mappedFields(fields, map, ['ipAddress', 'userAgent']);
  };
}

/** Returns what replaces the names that the subject of an event gave to what it made. */
function withoutChosen(resource: string, pseudonym: string): MapText {
  const isOfWebhook = resource.startsWith('webhook:');
  return (text, member) => {
    if (isOfWebhook && OF_WEBHOOK.has(member)) return pseudonym;
    if (member !== 'resource' && member !== 'endpoint') return text;
    return CONSUMERS.reduce((before, named) => before.replace(named, `$1${pseudonym}`), text);
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
