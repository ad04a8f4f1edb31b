/** Makes summaries of notes: what a model would do, as a plain function. */
import type { ChangedMemory, MemoryRecord, ScopedMemory } from '@agentkeep/core';

/** The change that stores the summary of a customer. */
interface SummaryChange {
  readonly type: 'put';
  readonly name: string;
  readonly expected_revision: number;
  readonly record: {
    readonly content: { readonly primary: string };
    readonly tags: string[];
    readonly derived_from: { record_id: string; revision: number }[];
  };
}

/** Returns the customer that a note is about. */
function customerOf({ payload }: MemoryRecord): string {
  return payload.tags.find((tag) => tag.startsWith('customer/')) ?? 'customer/unknown';
}

/** Returns a function that adds changed notes to the summaries of their customers. */
export function summarize(memory: ScopedMemory) {
  return async ({ records }: ChangedMemory): Promise<SummaryChange[]> => {
    const customers = new Map<string, MemoryRecord[]>();
    for (const record of records) {
      const customer = customerOf(record);
      customers.set(customer, [...(customers.get(customer) ?? []), record]);
    }
    return Promise.all(
      [...customers].map(async ([customer, notes]) => {
        const name = `summary of ${customer}`;
        const before = await memory.read({ name });
        const lines = notes.map(({ payload }) => payload.content.primary);
        const known = before === undefined ? [] : [before.payload.content.primary];
        return {
          type: 'put' as const,
          name,
          // Refused if somebody else has changed it meanwhile; then the page is given again.
          expected_revision: before?.revision ?? 0,
          record: {
            content: { primary: [...known, ...lines].join('\n') },
            tags: ['summary', customer],
            derived_from: [...notes, ...(before === undefined ? [] : [before])].map(
              ({ record_id, revision }) => ({ record_id, revision }),
            ),
          },
        };
      }),
    );
  };
}
