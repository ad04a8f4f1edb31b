/** Facts by name. */
import type { ComponentChildren, JSX } from 'preact';

/** A fact, how it is called, and what it means where the name doesn't say it. */
export type Fact = readonly [name: string, value: ComponentChildren, help?: string];

/** Shows facts in a card of this title. */
export function Facts(props: {
  readonly title: string;
  readonly facts: readonly Fact[];
}): JSX.Element {
  const { title, facts } = props;
  return (
    <section class="card" aria-label={title}>
      <h2>{title}</h2>
      <dl class="facts">
        {facts.map(([name, value, help]) => (
          <>
            <dt>{name}</dt>
            <dd>
              {value}
              {help === undefined ? undefined : <p class="soft small">{help}</p>}
            </dd>
          </>
        ))}
      </dl>
    </section>
  );
}
