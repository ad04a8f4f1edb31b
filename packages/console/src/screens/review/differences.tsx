/** What a branch changes, record by record. */
import type { JSX } from 'preact';
import { RecordDifference } from '../../differences/difference-view.js';
import { texts } from '../../texts/en/english.js';
import { recordPath } from '../record/record-path.js';
import { Link } from '../../routing/link.js';
import type { Difference } from './proposal.js';

const words = texts.review;

/** Shows the changes. With `onLeave`, a person may leave some out. */
export function Differences(props: {
  readonly differences: readonly Difference[];
  readonly left?: readonly string[];
  readonly onLeave?: (left: readonly string[]) => void;
}): JSX.Element {
  const { differences, left = [], onLeave } = props;
  return (
    <ul class="plain-list stack">
      {differences.map((difference) => {
        const { record_id: id, redacted_revision: redacted } = difference;
        const isIn = !left.includes(id);
        return (
          <li key={`${id} ${redacted ?? ''}`} class="card" data-left={!isIn}>
            <Head difference={difference} />
            {redacted === null ? undefined : <p class="small">{words.redacts(redacted)}</p>}
            {onLeave === undefined ? undefined : (
              <label class="check small">
                <input
                  type="checkbox"
                  checked={isIn}
                  onChange={() => onLeave(isIn ? [...left, id] : left.filter((it) => it !== id))}
                />
                {words.include}
              </label>
            )}
            <RecordDifference
              before={difference.base ?? undefined}
              after={difference.branch ?? undefined}
              same={texts.record.nothingChanged}
            />
            <Conflict difference={difference} />
          </li>
        );
      })}
    </ul>
  );
}

function Head({ difference }: { readonly difference: Difference }): JSX.Element {
  const { base, branch, scope, current } = difference;
  const name = branch?.name ?? base?.name ?? current?.name;
  const [text, kind] = kindOf(difference);
  return (
    <div class="history-head">
      <span class={`tag ${kind}`}>{text}</span>
      {name === undefined ? undefined : <code>{name}</code>}
      {base === null ? undefined : (
        <Link to={recordPath({ scope, subjectId: undefined }, difference)} class="small">
          {texts.record.title}
        </Link>
      )}
    </div>
  );
}

function kindOf(difference: Difference): readonly [text: string, kind: string] {
  const { base, branch, redacted_revision: redacted } = difference;
  if (redacted !== null) return [words.redacted, 'bad'];
  if (branch === null) return [words.deleted, 'bad'];
  return base === null ? [words.created, 'good'] : [words.updated, 'warned'];
}

function Conflict({ difference }: { readonly difference: Difference }): JSX.Element | null {
  const { conflict, base, current } = difference;
  if (conflict === null) return null;
  return (
    <div class="note danger">
      <p>{words.conflict[conflict]}</p>
      {conflict === 'changed' ? (
        <RecordDifference
          before={base ?? undefined}
          after={current ?? undefined}
          same={texts.record.nothingChanged}
        />
      ) : undefined}
    </div>
  );
}
