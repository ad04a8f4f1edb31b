/** The form by which the signed-in account changes its password. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { TextField, textsOf } from '../../parts/field.js';
import { FailureNote, ProblemNote } from '../../parts/notes.js';
import { signOut } from '../../session/session.js';
import { useAction } from '../../session/use-loaded.js';
import { texts } from '../../texts/en/english.js';

const words = texts.ownPassword;

/** Asks for the current password and the new one. Then the person signs in again. */
export function OwnPassword(): JSX.Element {
  const [problem, setProblem] = useState<string>();
  const act = useAction(async (agent, { current = '', next = '' }: Record<string, string>) => {
    await agent.users.changeOwnPassword(current, next);
    await signOut('passwordChanged');
  });
  const send = (form: Record<string, string>): void => {
    const isSame = form['next'] === form['again'];
    setProblem(isSame ? undefined : words.differ);
    act.forget();
    if (isSame) act.run(form);
  };
  return (
    <form class="stack narrow" onSubmit={(event) => send(textsOf(event))}>
      <p class="soft">{words.about}</p>
      <TextField
        label={words.current}
        name="current"
        type="password"
        autocomplete="current-password"
        required
      />
      <TextField
        label={words.next}
        name="next"
        type="password"
        hint={words.rule}
        autocomplete="new-password"
        required
      />
      <TextField
        label={words.again}
        name="again"
        type="password"
        autocomplete="new-password"
        required
      />
      <ProblemNote problem={problem} />
      <FailureNote failure={act.failure} />
      <div class="row">
        <button type="submit" class="main" disabled={act.isRunning}>
          {words.go}
        </button>
      </div>
    </form>
  );
}
