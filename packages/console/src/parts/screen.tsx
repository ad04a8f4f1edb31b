/** The frame of a screen: its title, what it is about, and what can be done. */
import type { ComponentChildren, JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { texts } from '../texts/en/english.js';

/** Shows a screen, whose title is also that of the page. */
export function Screen(props: {
  readonly title: string;
  readonly above?: ComponentChildren;
  readonly about?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly children?: ComponentChildren;
}): JSX.Element {
  const { title, above, about, actions, children } = props;
  useEffect(() => {
    document.title = `${title} · ${texts.product}`;
  }, [title]);
  return (
    <main class="screen" id="content" tabIndex={-1}>
      <header class="screen-head">
        <div>
          {above === undefined ? undefined : <div class="crumbs">{above}</div>}
          <h1 dir="auto">{title}</h1>
          {about === undefined ? undefined : <div class="soft">{about}</div>}
        </div>
        {actions === undefined ? undefined : <div class="row">{actions}</div>}
      </header>
      {children}
    </main>
  );
}
