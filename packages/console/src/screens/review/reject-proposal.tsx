/** The dialog that rejects a proposal. */
import type { JSX } from 'preact';
import { Dialog } from '../../parts/dialog.js';
import { Field, textsOf } from '../../parts/field.js';
import { FormEnd } from '../../parts/form-end.js';
import { texts } from '../../texts/en/english.js';

const words = texts.review;

/** Asks for the reason. */
export function RejectProposal(props: {
  readonly onLeave: () => void;
  readonly onReject: (reason: string) => void;
}): JSX.Element {
  const { onLeave, onReject } = props;
  return (
    <Dialog title={words.rejectTitle} onLeave={onLeave}>
      <form
        class="stack"
        onSubmit={(event) => {
          const { reason = '' } = textsOf(event);
          onLeave();
          onReject(reason);
        }}
      >
        <p class="soft">{words.rejectText}</p>
        <Field
          label={words.reason}
          field={(it) => (
            <textarea dir="auto" id={it} name="reason" rows={3} required maxLength={1_000} />
          )}
        />
        <FormEnd look="danger" verb={words.reject} onLeave={onLeave} />
      </form>
    </Dialog>
  );
}
