/** The frame of the page of one thing of learning, while it is loaded and after. */
import type { ComponentChildren, JSX } from 'preact';
import { FailureNote, Loading } from '../../parts/notes.js';
import { Screen } from '../../parts/screen.js';
import type { Query } from '../../routing/address.js';
import { pathOf } from '../../routing/address.js';
import { Link } from '../../routing/link.js';
import type { Loaded } from '../../session/use-loaded.js';

/** Shows what is loaded, under a link to where it comes from. */
export function DetailFrame<T>(props: {
  readonly title: string;
  readonly loaded: Loaded<T>;
  readonly above: { readonly to: Query; readonly text: string };
  readonly about?: (value: T) => ComponentChildren;
  readonly children: (value: T) => ComponentChildren;
}): JSX.Element {
  const { title, above, about, children } = props;
  const { value, failure } = props.loaded;
  return (
    <Screen
      title={title}
      above={<Link to={pathOf('learning', above.to)}>{above.text}</Link>}
      about={value === undefined ? undefined : about?.(value)}
    >
      {failure === undefined ? undefined : <FailureNote failure={failure} />}
      {value === undefined && failure === undefined ? <Loading /> : undefined}
      {value === undefined ? undefined : children(value)}
    </Screen>
  );
}
