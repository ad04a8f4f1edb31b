/** Answers ordinary messages directly: the app's answer is written at once. */
import { type MessageApp, onMessage } from '../http/message-app.js';
import { type Exchanged, writeAnswer, writeWhole } from './answer-writer.js';
import type { Connections } from './connections.js';
import { crashAnswer } from './refusal.js';
import type { SharedTurns } from './shared-turns.js';
import type { TrackedWork } from './tracked-work.js';

/** Returns whether an app answers messages itself. */
export function isMessageApp(app: object): app is MessageApp {
  return onMessage in app;
}

interface DirectTracking {
  readonly work: TrackedWork;
  readonly connections: Connections;
  readonly turns: SharedTurns;
}

/** Answers a message; does not reject. */
export async function answerDirectly(
  app: MessageApp,
  exchanged: Exchanged,
  { work, connections, turns }: DirectTracking,
): Promise<void> {
  const { incoming, outgoing } = exchanged;
  await work.run(
    async () => {
      const turn = turns.join();
      if (turn !== undefined) await turn;
      const answer = await app[onMessage](incoming, outgoing);
      // An `await` costs a turn of the queue.
      const writing = writeAnswer(answer, exchanged, connections);
      if (writing !== undefined) await writing;
    },
    () => {
      answerCrash(exchanged);
    },
  );
  connections.answered(incoming);
}

/** Answers a message whose handling failed, unless its answer has begun. */
export function answerCrash(exchanged: Exchanged): void {
  const { outgoing } = exchanged;
  if (outgoing.headersSent) outgoing.destroy();
  else writeWhole(crashAnswer(), exchanged);
}
