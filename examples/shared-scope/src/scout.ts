/** The scout: writes down what it learns of a customer. */
import type { ScopedMemory } from '@agentkeep/core';

const record = (primary: string) => ({
  episode_type: 'Observation' as const,
  content: { primary },
  event_time_millis: Date.UTC(2026, 0, 1),
  tags: ['customer'],
});

/** Learns of a customer, learns more, and forgets it. Yields what it does. */
export async function* learn(memory: ScopedMemory): AsyncGenerator<string, void> {
  await memory.put('customer/7', record('Customer 7 is new.'));
  yield 'a new customer';
  await memory.put('customer/7', record('Customer 7 prefers French.'));
  yield 'the customer prefers French';
  await memory.delete({ name: 'customer/7' });
  yield 'the customer has left';
}
