/** What embeddings are made of. */
import type { RecordInput } from './schema.js';

/** Returns what is embedded of a record: its texts, each on a line of its own. */
export function embeddedText({ primary, secondary, context }: RecordInput['content']): string {
  return [primary, secondary, context]
    .filter((text) => typeof text === 'string' && text.trim() !== '')
    .join('\n');
}
