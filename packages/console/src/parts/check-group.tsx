/** A group of boxes of which any number can be checked. */
import type { JSX } from 'preact';

/** Shows a group. A form sends the values of its checked boxes. */
export function CheckGroup(props: {
  readonly label: string;
  readonly name: string;
  readonly values: readonly string[];
  readonly choices: readonly string[];
}): JSX.Element {
  const { label, name, values, choices } = props;
  return (
    <fieldset class="check-group">
      <legend>{label}</legend>
      {choices.map((choice) => (
        <label key={choice} class="check">
          <input
            type="checkbox"
            name={name}
            value={choice}
            defaultChecked={values.includes(choice)}
          />
          {choice}
        </label>
      ))}
    </fieldset>
  );
}
