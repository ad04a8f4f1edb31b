/** Shows differences: what was added and removed, member by member. */
import type { JSX } from 'preact';
import { texts } from '../texts/en/english.js';
import { recordDifference, type RecordState } from './record-difference.js';
import type { TextPart } from './text-difference.js';

/** Shows the difference of two states of a record. */
export function RecordDifference(props: {
  readonly before: RecordState | undefined;
  readonly after: RecordState | undefined;
  /** What to say where nothing differs. */
  readonly same: string;
}): JSX.Element {
  const { before, after, same } = props;
  const members = recordDifference(before, after);
  if (members.length === 0) return <p class="soft">{same}</p>;
  return (
    <dl class="facts difference">
      {members.map(({ member, parts }) => (
        <div key={member} class="difference-member">
          <dt>{texts.differences.members[member]}</dt>
          <dd>
            <TextDifference parts={parts} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function TextDifference({ parts }: { readonly parts: readonly TextPart[] }): JSX.Element {
  return (
    <span class="prose" dir="auto">
      {parts.map(({ kind, text }) => {
        if (kind === 'added') return <ins>{text}</ins>;
        return kind === 'removed' ? <del>{text}</del> : text;
      })}
    </span>
  );
}
