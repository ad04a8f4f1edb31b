/** A hook that lets the keyboard choose and decide. */
import { useEffect } from 'preact/hooks';
import type { Proposal } from './proposal.js';

/** The elements in which keys are typed. */
const TYPED = 'input, textarea, select, dialog[open] *';

/** J and K choose; A and R press the buttons that accept and reject. */
export function useReviewKeys(
  proposals: readonly Proposal[],
  chosen: Proposal | undefined,
  choose: (id: string) => void,
): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const isTyped = event.target instanceof Element && event.target.matches(TYPED);
      if (isTyped || event.ctrlKey || event.metaKey || event.altKey) return;
      const at = proposals.findIndex(({ id }) => id === chosen?.id);
      const other = proposals[at + ({ j: 1, k: -1 }[event.key] ?? 0)];
      if (event.key === 'a' || event.key === 'r') {
        document.querySelector<HTMLButtonElement>(`button[data-key="${event.key}"]`)?.click();
      } else if (other !== undefined && other.id !== chosen?.id) choose(other.id);
      else return;
      event.preventDefault();
    };
    addEventListener('keydown', press);
    return () => {
      removeEventListener('keydown', press);
    };
  });
}
