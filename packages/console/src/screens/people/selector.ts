/** Selectors of subjects: from the texts of a form, and as people read them. */
import type { Agent } from '@agentkeep/client';
import { texts } from '../../texts/en/english.js';

const words = texts.selector;

/** Which subjects are meant. */
export type Selector = Parameters<Agent['credentials']['issueFederated']>[1]['sub'];

/** Returns the selector of the fields of a name, or `undefined` if the form has none. */
export function selectorOf(
  form: Readonly<Record<string, string>>,
  name: string,
): Selector | undefined {
  const [mode, text = ''] = [form[`${name}_mode`], form[`${name}_text`]];
  if (mode === 'all') return { mode };
  if (mode === 'prefix') return { mode, prefix: text };
  return mode === 'only' ? { mode, ids: linesOf(text) } : undefined;
}

/** Returns a selector in words. */
export function selectorText(selector: Selector): string {
  switch (selector.mode) {
    case 'all':
      return words.all;
    case 'prefix':
      return words.beginsWith(selector.prefix);
    case 'only':
      return selector.ids.length === 0 ? texts.none : selector.ids.join(', ');
  }
}

function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/u).filter((line) => line !== '');
  return [...new Set(lines)];
}
