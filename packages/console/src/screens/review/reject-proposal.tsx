/** The dialog that rejects a proposal. */
import type { JSX } from 'preact';
import { Dialog } from '../../parts/dialog.js';
import { Field, textsOf } from '../../parts/field.js';
import { FormEnd } from '../../parts/form-end.js';
import { useAction } from '../../session/use-loaded.js';
import { texts } from '../../texts/en.js';

const words = texts.review;

/** Asks for the reason, and rejects. */
export function RejectProposal(props: {
  readonly id: string;
  readonly onLeave: () => void;
  readonly onDecided: () => void;
}): JSX.Element {
  const { id, onLeave, onDecided } = props;
  const act = useAction(async (agent, reason: string) => {
    await agent.proposals.reject(id, reason);
    onLeave();
    onDecided();
  });
  return (
    <Dialog title={words.rejectTitle} onLeave={onLeave}>
      <form class="stack" onSubmit={(event) => act.run(textsOf(event)['reason'] ?? '')}>
        <p class="soft">{words.rejectText}</p>
        <Field
          label={words.reason}
          field={(it) => <textarea id={it} name="reason" rows={3} required maxLength={1_000} />}
        />
        <FormEnd look="danger" verb={words.reject} act={act} onLeave={onLeave} />
      </form>
    </Dialog>
  );
}
