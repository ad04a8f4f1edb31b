/** What keeps a page from being left without a question: what was typed, and what was not sent. */

/** Says whether there is something to lose now. */
type Holds = () => boolean;

const held = new Set<Holds>();

addEventListener('beforeunload', (event) => {
  if ([...held].some((each) => each())) event.preventDefault();
});

/** Lets the browser ask before the page is closed or loaded again; returns how to end that. */
export function holdPage(holds: Holds): () => void {
  held.add(holds);
  return () => {
    held.delete(holds);
  };
}
