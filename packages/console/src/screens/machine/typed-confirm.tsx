/** A dialog for what has no way back: the name of what goes has to be typed. */
import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Dialog } from '../../parts/dialog.js';
import { TextField, textsOf } from '../../parts/field.js';
import { FormEnd } from '../../parts/form-end.js';
import { ProblemNote } from '../../parts/notes.js';
import type { Action } from '../../session/use-loaded.js';
import { texts } from '../../texts/en/english.js';

const words = texts.machine.typed;

/** Asks for the name, then does it. */
export function TypedConfirm(props: {
  readonly title: string;
  readonly name: string;
  readonly verb: string;
  readonly act: Action<[]>;
  readonly onLeave: () => void;
  readonly children: ComponentChildren;
}): JSX.Element {
  const { title, name, verb, act, onLeave, children } = props;
  const [isWrong, setWrong] = useState(false);
  return (
    <Dialog title={title} onLeave={onLeave}>
      <form
        class="stack"
        onSubmit={(event) => {
          const isRight = textsOf(event)['name'] === name;
          setWrong(!isRight);
          if (isRight) act.run();
        }}
      >
        {children}
        <TextField label={words.label(name)} name="name" required />
        <ProblemNote problem={isWrong ? words.wrong : undefined} />
        <FormEnd look="danger" verb={verb} act={act} onLeave={onLeave} />
      </form>
    </Dialog>
  );
}
