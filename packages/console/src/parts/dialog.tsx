/** A dialog in front of a screen, which asks before it loses what was typed or shown once. */
import { type ComponentChildren, createContext, type JSX } from 'preact';
import { useContext, useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { holdPage } from '../routing/held-page.js';
import { texts } from '../texts/en/english.js';
import { TypedFields } from './typed-fields.js';

/** Leaves a dialog, after a question if something would be lost. */
type Leave = (onLeave: () => void) => void;

const Leaving = createContext<Leave>((onLeave) => onLeave());

/** The button that leaves the dialog around it without doing anything. */
export function LeaveButton(props: {
  readonly text: string;
  readonly onLeave: () => void;
}): JSX.Element {
  const { text, onLeave } = props;
  const leave = useContext(Leaving);
  return (
    <button type="button" onClick={() => leave(onLeave)}>
      {text}
    </button>
  );
}

/** Shows a dialog until it is left, also by Escape. */
export function Dialog(props: {
  readonly title: string;
  readonly onLeave: () => void;
  /** Whether it shows something that is shown once: then Escape does not leave it. */
  readonly isOnce?: boolean;
  readonly children: ComponentChildren;
}): JSX.Element {
  const { title, onLeave, isOnce = false, children } = props;
  const id = useId();
  const element = useRef<HTMLDialogElement>(null);
  const [typed] = useState(() => new TypedFields());
  const [asked, setAsked] = useState<() => void>();
  const ask = (leave: () => void): void => setAsked(() => leave);
  const leaveAsked: Leave = (leave) => (typed.isChanged ? ask(leave) : leave());
  const escape = (): void => (isOnce ? undefined : leaveAsked(onLeave));
  // Effects end after the next paint; until then, a dialog that was left would swallow a link.
  useLayoutEffect(() => holdPage({ holds: () => isOnce || typed.isChanged, ask }), []);
  useEffect(() => {
    const opener = document.activeElement;
    element.current?.showModal();
    return () => {
      // A dialog that is taken away leaves the focus nowhere: it goes back to what opened it.
      const isNowhere = document.activeElement === document.body;
      if (isNowhere && opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);
  const lose = (): void => {
    asked?.();
    if (asked !== onLeave) onLeave();
  };
  const note = (event: Event): void => typed.note(event.target);
  return (
    <Leaving.Provider value={leaveAsked}>
      <dialog
        ref={element}
        aria-labelledby={id}
        onFocusIn={note}
        onPointerDown={note}
        onChange={note}
        onKeyDown={(event) => {
          // Browsers close a dialog at a second Escape without asking, so it never gets that far.
          if (event.key !== 'Escape' || event.defaultPrevented) return;
          event.preventDefault();
          escape();
        }}
        onCancel={(event) => {
          if (event.target !== event.currentTarget) return;
          event.preventDefault();
          escape();
        }}
        onClose={(event) => {
          if (event.target !== event.currentTarget) return;
          if (isOnce || typed.isChanged) event.currentTarget.showModal();
          escape();
        }}
      >
        <div class="stack">
          <h2 id={id}>{title}</h2>
          {children}
        </div>
        {asked === undefined ? undefined : (
          <LoseDialog isOnce={isOnce} onStay={() => setAsked(undefined)} onLose={lose} />
        )}
      </dialog>
    </Leaving.Provider>
  );
}

/** Asks whether something may be lost. */
function LoseDialog(props: {
  readonly isOnce: boolean;
  readonly onStay: () => void;
  readonly onLose: () => void;
}): JSX.Element {
  const { isOnce, onStay, onLose } = props;
  const words = isOnce ? texts.loseSecret : texts.lose;
  const id = useId();
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    element.current?.showModal();
  }, []);
  const stay = (event: Event): void => {
    event.preventDefault();
    event.stopPropagation();
    onStay();
  };
  return (
    <dialog
      ref={element}
      role="alertdialog"
      aria-labelledby={id}
      onKeyDown={(event) => (event.key === 'Escape' ? stay(event) : undefined)}
      onCancel={stay}
    >
      <div class="stack">
        <h2 id={id}>{words.title}</h2>
        <p>{words.text}</p>
        <div class="row">
          <button type="button" class="main" onClick={onStay}>
            {words.stay}
          </button>
          <button type="button" class="danger" onClick={onLose}>
            {words.lose}
          </button>
        </div>
      </div>
    </dialog>
  );
}
