/** The boxes of the rights of a new credential. */
import type { Capability } from '@agentkeep/client';
import type { JSX } from 'preact';
import { texts } from '../../texts/en/english.js';
import { rightText } from './credential-facts.js';
import { allRights } from './new-spec.js';

/** Shows a box for each right. */
export function RightFields(props: {
  readonly chosen: readonly Capability[];
  readonly onChoose: (rights: readonly Capability[]) => void;
}): JSX.Element {
  const { chosen, onChoose } = props;
  const toggle = (right: Capability): void => {
    const others = chosen.filter((each) => each !== right);
    onChoose(others.length === chosen.length ? [...chosen, right] : others);
  };
  return (
    <fieldset class="rights">
      <legend>{texts.credentials.rights}</legend>
      {allRights.map((right) => (
        <label key={right} class="check">
          <input type="checkbox" checked={chosen.includes(right)} onChange={() => toggle(right)} />
          {rightText(right)}
        </label>
      ))}
    </fieldset>
  );
}
