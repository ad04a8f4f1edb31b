/** A hook that lets single keys choose and decide, while the list of proposals has the focus. */
import type { TargetedKeyboardEvent } from 'preact';
import { storedSetting } from '../../session/stored-setting.js';
import { decisions, undo } from './decisions.js';
import type { Proposal } from './proposal.js';

/** Whether single keys choose and decide. */
export const reviewKeys = storedSetting('review-keys');

/** J and K choose; A and R press the buttons that accept and reject; U undoes the last decision. */
export function useReviewKeys(
  proposals: readonly Proposal[],
  chosen: Proposal | undefined,
  choose: (id: string) => void,
): (event: TargetedKeyboardEvent<HTMLElement>) => void {
  return (event) => {
    const { key, currentTarget: list } = event;
    if (!reviewKeys.value.value || event.repeat) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const at = proposals.findIndex(({ id }) => id === chosen?.id);
    const step = { j: 1, k: -1 }[key];
    if (step !== undefined) {
      const other = proposals[at + step];
      if (other === undefined) return;
      choose(other.id);
      list
        .querySelectorAll('button')
        .item(at + step)
        .focus();
    } else if (key === 'a' || key === 'r') {
      document.querySelector<HTMLButtonElement>(`button[data-key="${key}"]`)?.click();
    } else if (key === 'u') {
      const last = decisions.value.findLast(({ state }) => state === 'waiting');
      if (last === undefined) return;
      undo(last.proposal.id);
    } else return;
    event.preventDefault();
  };
}
