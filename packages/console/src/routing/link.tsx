/** A link to another screen. */
import type { ComponentChildren, JSX } from 'preact';
import { askingHolder } from './held-page.js';
import { go } from './router.js';

/** A link; `to` is a path of the console. */
export interface LinkProps {
  readonly to: string;
  readonly class?: string;
  readonly dir?: 'auto';
  readonly current?: boolean;
  readonly children: ComponentChildren;
}

/** Shows a link that loads no page, but still opens in another tab. */
export function Link({ to, current = false, children, ...rest }: LinkProps): JSX.Element {
  const follow = (event: MouseEvent): void => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    const leave = (): void => {
      go(to);
      scrollTo(0, 0);
    };
    const ask = askingHolder();
    if (ask === undefined) leave();
    else ask(leave);
  };
  return (
    <a href={to} onClick={follow} {...(current ? { 'aria-current': 'page' } : {})} {...rest}>
      {children}
    </a>
  );
}
