/** Facts by name. */
import type { ComponentChildren, JSX } from 'preact';

/** A fact and how it is called. */
export type Fact = readonly [name: string, value: ComponentChildren];

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
        {facts.map(([name, value]) => (
          <>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </>
        ))}
      </dl>
    </section>
  );
}
