/** Groups of fields of a form, of which there can be more. */
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/** How the groups are called: the number of a group begins with 1. */
interface RepeatedWords {
  readonly title: (number: number) => string;
  readonly add: string;
  readonly remove: (number: number) => string;
}

/** Shows groups, and buttons that add one and remove one. The focus follows. */
export function Repeated(props: {
  readonly words: RepeatedWords;
  /** How many there are at first, which is also the least. */
  readonly least: number;
  readonly most?: number;
  readonly group: () => JSX.Element;
}): JSX.Element {
  const { words, least, most = Infinity, group } = props;
  const [keys, setKeys] = useState(() => Array.from({ length: least }, (_, at) => at));
  const [focused, setFocused] = useState<number | 'add'>();
  const list = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (focused === undefined) return;
    if (focused === 'add') button.current?.focus();
    else list.current?.querySelector<HTMLElement>('fieldset:last-of-type input')?.focus();
  }, [focused, keys]);
  const add = (): void => {
    const key = Math.max(-1, ...keys) + 1;
    setKeys([...keys, key]);
    setFocused(key);
  };
  const remove = (key: number): void => {
    setKeys(keys.filter((each) => each !== key));
    setFocused('add');
  };
  return (
    <div ref={list} class="stack">
      {keys.map((key, at) => (
        <fieldset key={key} class="filter-group stack-tight">
          <legend>{words.title(at + 1)}</legend>
          <div class="fields">{group()}</div>
          {keys.length > least ? (
            <div class="row">
              <button type="button" onClick={() => remove(key)}>
                {words.remove(at + 1)}
              </button>
            </div>
          ) : undefined}
        </fieldset>
      ))}
      <div class="row">
        <button ref={button} type="button" disabled={keys.length >= most} onClick={add}>
          {words.add}
        </button>
      </div>
    </div>
  );
}
