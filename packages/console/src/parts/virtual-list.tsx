/** A list of any length, of which only the rows near the view are drawn. */
import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { keep, keptAt } from '../routing/kept.js';
import { presentPlace } from '../routing/router.js';
import { isNearEnd, rowsInView, type RowWindow } from './virtual-window.js';

/**
 * Shows a list. `onEnd` is called well before the last rows are in view, to load more. Under the
 * name `keptAs`, "back" leads to the rows that were in view.
 */
export function VirtualList<T>(props: {
  readonly label: string;
  readonly keptAs: string;
  readonly rows: readonly T[];
  readonly rowHeight: number;
  readonly keyOf: (row: T) => string;
  readonly show: (row: T) => JSX.Element;
  readonly onEnd?: () => void;
}): JSX.Element {
  const { label, keptAs, rows, rowHeight, keyOf, show, onEnd } = props;
  const place = presentPlace();
  const frame = useRef<HTMLDivElement>(null);
  const [drawn, setDrawn] = useState<RowWindow>({ from: 0, before: 30 });
  const hadFocus = useRef(false);
  const look = (): void => {
    hadFocus.current = frame.current?.contains(document.activeElement) === true;
    const { scrollTop: scrolled = 0, clientHeight: height = 0 } = frame.current ?? {};
    keep(place, keptAs, scrolled);
    const next = rowsInView({ scrolled, height, rowHeight, rows: rows.length });
    setDrawn((now) => (now.from === next.from && now.before === next.before ? now : next));
  };
  useLayoutEffect(() => {
    const kept = keptAt(place, keptAs);
    if (frame.current !== null && typeof kept === 'number') frame.current.scrollTop = kept;
  }, []);
  useLayoutEffect(look, [rows.length, rowHeight]);
  useEffect(() => {
    addEventListener('resize', look);
    return () => {
      removeEventListener('resize', look);
    };
  });
  useLayoutEffect(() => {
    // A row that left took the focus along, and with it the keys that scroll.
    if (hadFocus.current && document.activeElement === document.body) {
      frame.current?.focus({ preventScroll: true });
    }
  }, [drawn]);
  useEffect(() => {
    if (isNearEnd(drawn, rows.length)) onEnd?.();
    // Also for other rows of the same number: what was on its way may belong to those before.
  }, [drawn, rows]);
  return (
    <div class="long-list" ref={frame} onScroll={look} tabIndex={0} role="group" aria-label={label}>
      <ul style={{ height: `${String(rows.length * rowHeight)}px` }}>
        {rows.slice(drawn.from, drawn.before).map((row, at) => (
          <li
            key={keyOf(row)}
            aria-setsize={rows.length}
            aria-posinset={drawn.from + at + 1}
            style={{
              height: `${String(rowHeight)}px`,
              transform: `translateY(${String((drawn.from + at) * rowHeight)}px)`,
            }}
          >
            {show(row)}
          </li>
        ))}
      </ul>
    </div>
  );
}
