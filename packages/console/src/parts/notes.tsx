/** What a screen says when there is nothing, not yet, or a failure. */
import type { ComponentChildren, JSX } from 'preact';
import type { Failure } from '../session/refusals.js';
import { texts } from '../texts/en/english.js';

/** Says what went wrong, with the id that the log of the server has. */
export function FailureNote({ failure }: { readonly failure: Failure | undefined }): JSX.Element {
  return (
    <div role="alert">
      {failure === undefined ? undefined : (
        <div class="note danger">
          <p>{failure.text}</p>
          {failure.requestId === undefined ? undefined : (
            <p class="small">
              {texts.failures.request(failure.requestId)}
              {failure.code === undefined ? '' : ` · ${failure.code}`}
            </p>
          )}
        </div>
      )}
    </div>
  );
}

/** Says what is wrong with a form, which was not sent. */
export function ProblemNote({ problem }: { readonly problem: string | undefined }): JSX.Element {
  return (
    <div role="alert">
      {problem === undefined ? undefined : <p class="note danger">{problem}</p>}
    </div>
  );
}

/** Says that something is on its way. */
export function Loading(): JSX.Element {
  return (
    <p class="soft" role="status">
      {texts.loading}
    </p>
  );
}

/** Says that there is nothing, and what to do next. */
export function Empty(props: {
  readonly title: string;
  readonly text: string;
  readonly children?: ComponentChildren;
}): JSX.Element {
  const { title, text, children } = props;
  return (
    <div class="empty">
      <h2>{title}</h2>
      <p class="soft">{text}</p>
      {children}
    </div>
  );
}
