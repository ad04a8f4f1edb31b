/** A dialog in front of a screen. */
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

/** Shows a dialog until it is left, also by Escape. */
export function Dialog(props: {
  readonly title: string;
  readonly onLeave: () => void;
  readonly children: ComponentChildren;
}): JSX.Element {
  const { title, onLeave, children } = props;
  const id = useId();
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    element.current?.showModal();
  }, []);
  return (
    <dialog ref={element} aria-labelledby={id} onClose={onLeave}>
      <div class="stack">
        <h2 id={id}>{title}</h2>
        {children}
      </div>
    </dialog>
  );
}
