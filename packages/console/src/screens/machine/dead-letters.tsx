/** What a webhook gave up, and another try. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Confirm } from '../../parts/confirm.js';
import { FailureNote } from '../../parts/notes.js';
import { Table } from '../../parts/table.js';
import { Time } from '../../parts/time.js';
import { useAction } from '../../session/use-loaded.js';
import { texts } from '../../texts/en/english.js';
import { type DeadLetter, failureText } from './webhook-failure.js';

const words = texts.machine.deadLetters;

/** Shows the dead letters, the oldest first, and has one or all delivered again. */
export function DeadLetters(props: {
  readonly id: string;
  readonly letters: readonly DeadLetter[];
  readonly onChanged: () => void;
}): JSX.Element {
  const { id, letters, onChanged } = props;
  const act = useAction(async (agent, deadLetterId: string | undefined) => {
    await agent.webhooks.replay(id, deadLetterId === undefined ? {} : { deadLetterId });
    onChanged();
  });
  const [discarded, setDiscarded] = useState<string>();
  const discard = useAction(async (agent) => {
    if (discarded === undefined) return;
    await agent.webhooks.discard({ id, deadLetterId: discarded });
    setDiscarded(undefined);
    onChanged();
  });
  const leave = (): void => {
    setDiscarded(undefined);
    discard.forget();
  };
  return (
    <section class="stack" aria-label={words.title}>
      <div>
        <h2>{words.title}</h2>
        <p class="soft">{letters.length === 0 ? words.empty : words.text}</p>
      </div>
      <FailureNote failure={act.failure} />
      {letters.length === 0 ? undefined : (
        <>
          <div class="row">
            <button type="button" disabled={act.isRunning} onClick={() => act.run(undefined)}>
              {words.replayAll}
            </button>
            <button type="button" onClick={onChanged}>
              {words.look}
            </button>
          </div>
          <LetterTable letters={letters} onReplay={act.run} onDiscard={setDiscarded} />
        </>
      )}
      {discarded === undefined ? undefined : (
        <Confirm title={words.discardTitle} verb={words.discard} act={discard} onLeave={leave}>
          <p>{words.discardText}</p>
        </Confirm>
      )}
    </section>
  );
}

function LetterTable(props: {
  readonly letters: readonly DeadLetter[];
  readonly onReplay: (id: string) => void;
  readonly onDiscard: (id: string) => void;
}): JSX.Element {
  return (
    <Table
      columns={[
        words.changes,
        { label: words.givenUp, wideOnly: true },
        words.reason,
        words.actions,
      ]}
    >
      {props.letters.map((letter) => (
        <tr key={letter.id}>
          <td>
            <Time millis={letter.first_committed_at_millis} />
            <div class="soft small">
              {words.until} <Time millis={letter.last_committed_at_millis} />
            </div>
          </td>
          <td class="wide-only">
            <Time millis={letter.given_up_at_millis} />
          </td>
          <td>{failureText(letter.failure)}</td>
          <td>
            <div class="row">
              {letter.replaying ? (
                <span class="tag warned">{words.replaying}</span>
              ) : (
                <button type="button" onClick={() => props.onReplay(letter.id)}>
                  {words.replay}
                </button>
              )}
              <button type="button" onClick={() => props.onDiscard(letter.id)}>
                {words.remove}
              </button>
            </div>
          </td>
        </tr>
      ))}
    </Table>
  );
}
