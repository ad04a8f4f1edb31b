/** A list that is loaded a step at a time, with what to say before, without and after it. */
import type { ComponentChildren, JSX } from 'preact';
import type { Walked } from '../session/use-walk.js';
import { texts } from '../texts/en/english.js';
import { Empty, FailureNote, Loading } from './notes.js';

/** Shows the items of a list, and a button for more of them. */
export function WalkedList<T>(props: {
  readonly walked: Walked<T>;
  readonly empty: string;
  readonly emptyText: string;
  readonly children: (items: readonly T[]) => ComponentChildren;
}): JSX.Element {
  const { walked, empty, emptyText, children } = props;
  const { items, failure, hasMore, isLoading, more } = walked;
  return (
    <>
      {failure === undefined ? undefined : <FailureNote failure={failure} />}
      {items === undefined && failure === undefined ? <Loading /> : undefined}
      {items?.length === 0 ? <Empty title={empty} text={emptyText} /> : undefined}
      {items === undefined || items.length === 0 ? undefined : children(items)}
      {hasMore ? (
        <div class="row">
          <button type="button" disabled={isLoading} onClick={more}>
            {texts.more}
          </button>
        </div>
      ) : undefined}
    </>
  );
}
