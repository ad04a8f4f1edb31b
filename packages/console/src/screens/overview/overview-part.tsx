/** A part of the overview. */
import type { ComponentChildren, JSX } from 'preact';
import { FailureNote, Loading } from '../../parts/notes.js';
import type { Loaded } from '../../session/use-loaded.js';

/** Shows a part: the main thing, and what there is to say about it. */
export function OverviewPart(props: {
  readonly title: string;
  readonly main?: string | undefined;
  /** What it is loaded by, if it isn't there from the beginning. */
  readonly loaded?: Pick<Loaded<unknown>, 'value' | 'failure'>;
  readonly children?: ComponentChildren;
}): JSX.Element {
  const { title, main, loaded, children } = props;
  const isAwaited = loaded?.value === undefined && loaded?.failure === undefined;
  return (
    <section class="card stack-tight" aria-label={title}>
      <h2 class="overview-title">{title}</h2>
      {loaded !== undefined && isAwaited ? <Loading /> : undefined}
      {loaded?.failure === undefined ? undefined : <FailureNote failure={loaded.failure} />}
      {main === undefined ? undefined : <p class="overview-main">{main}</p>}
      {children}
    </section>
  );
}
