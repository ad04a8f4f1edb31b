/** Says that a record was found through one that it replaced. */
import type { JSX } from 'preact';
import { Link } from '../../routing/link.js';
import type { ShownScope } from '../../scopes/scope-query.js';
import { texts } from '../../texts/en/english.js';
import { recordPath } from '../record/record-path.js';

const words = texts.superseding;

/** Links to the replaced record; shows nothing where the record matches by itself. */
export function ReplacedMatch(props: {
  readonly shown: ShownScope;
  readonly id: string | undefined;
  readonly isExplained?: boolean;
}): JSX.Element | undefined {
  const { shown, id, isExplained = false } = props;
  if (id === undefined) return undefined;
  return (
    <p class="replaced-match small">
      <Link to={recordPath(shown, { record_id: id })}>{words.matched}</Link>
      {isExplained ? <span class="soft"> {words.matchedText}</span> : undefined}
    </p>
  );
}
