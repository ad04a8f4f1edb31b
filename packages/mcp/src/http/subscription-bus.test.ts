/** A subscription is no faster than its reader, and what feeds it goes on once the reader left. */
import { expect, test } from 'vitest';
import { SubscriptionBus } from './subscription-bus.js';

const EVENTS = 50;
const uri = 'agentkeep://scope/p/a/shared';

/** A stream that holds what it is told, as that of the SDK does, and what tells it of changes. */
function following() {
  const bus = new SubscriptionBus(() => undefined);
  let leave: (() => void) | undefined;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      leave = bus.subscribe(() => {
        controller.enqueue(Buffer.from('event'));
      });
    },
    cancel: () => leave?.(),
  });
  const reader = bus.bodyOf(body).getReader();
  const told = { count: 0 };
  const telling = (async () => {
    for (; told.count < EVENTS; told.count += 1) {
      await bus.ready();
      bus.publish({ kind: 'resource_updated', uri });
    }
  })();
  return { reader, told, telling };
}

test('a stream that nobody reads is told no more than it holds', async () => {
  const { reader, told, telling } = following();
  for (let read = 1; read < 10; read += 1) {
    await reader.read();
    // One may be told before the stream has passed the last one on.
    expect(told.count).toBeLessThanOrEqual(read + 1);
  }
  while (told.count < EVENTS) await reader.read();
  await telling;
});

test('what tells a stream goes on once its reader has left', async () => {
  const { reader, told, telling } = following();
  await reader.read();
  await reader.cancel();
  await telling;
  expect(told.count).toBe(EVENTS);
});
