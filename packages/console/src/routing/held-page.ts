/** What keeps a page from being left without a question: what was typed, and what was not sent. */

/** Says whether there is something to lose now. */
type Holds = () => boolean;

/** A place with something to lose, which asks before the page shows another address. */
export interface Holder {
  readonly holds: Holds;
  /** Asks a person; `leave` goes on. Absent: only the end of the page asks. */
  readonly ask?: (leave: () => void) => void;
}

const held = new Set<Holder>();

addEventListener('beforeunload', (event) => {
  if ([...held].some(({ holds }) => holds())) event.preventDefault();
});

/** Lets a person be asked before the page is left; returns how to end that. */
export function holdPage(holder: Holder): () => void {
  held.add(holder);
  return () => {
    held.delete(holder);
  };
}

/** Returns what asks before another address is shown, or `undefined`. */
export function askingHolder(): Required<Holder>['ask'] | undefined {
  return [...held].findLast(({ holds, ask }) => ask !== undefined && holds())?.ask;
}
