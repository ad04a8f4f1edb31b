/** The words of history items, which make a session findable by search. */
import { cutText } from '@agentkeep/client';
import type { AgentInputItem } from '@openai/agents-core';

/** Characters of text beside a page; the items themselves are kept whole. */
const SHOWN_CHARS_MAX = 4_000;

/** Returns the texts of people and models in items, one line for each message. */
export function shownText(items: readonly AgentInputItem[]): string {
  const lines = items.flatMap((item) => {
    if (!('role' in item)) return [];
    const text = wordsOf(item.content);
    return text === '' ? [] : [`${item.role}: ${text}`];
  });
  return cutText(lines.join('\n').toWellFormed(), SHOWN_CHARS_MAX);
}

function wordsOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  const texts = content.map((part: { text?: unknown }) => part.text);
  return texts.filter((text) => typeof text === 'string').join(' ');
}
