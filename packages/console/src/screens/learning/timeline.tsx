/** What happened one after the other, as a list. */
import type { ComponentChildren, JSX } from 'preact';
import { durationText } from '../../parts/amounts.js';
import { Time } from '../../parts/time.js';
import { texts } from '../../texts/en/english.js';

const words = texts.timelines;

/** Something that happened. */
export interface TimelineEntry {
  readonly key: string;
  readonly title: ComponentChildren;
  readonly tag?: { readonly text: string; readonly look: string };
  readonly atMs: number;
  /** What else is known of it. */
  readonly about: readonly string[];
}

/** The looks of outcomes. */
export const outcomeLooks = {
  ...{ succeeded: 'good', failed: 'bad', cancelled: 'warned', unknown: '' },
  ...{ requested: '', pending_or_unknown: '', cancellation_requested: 'warned' },
} as const;

/** Shows entries, in the order given. */
export function Timeline(props: {
  readonly name: string;
  readonly entries: readonly TimelineEntry[];
}): JSX.Element {
  return (
    <ol class="history plain-list" aria-label={props.name}>
      {props.entries.map(({ key, title, tag, atMs, about }) => (
        <li key={key}>
          <div class="history-head">
            <strong>{title}</strong>
            {tag === undefined ? undefined : <span class={`tag ${tag.look}`}>{tag.text}</span>}
            <span class="soft small">
              <Time millis={atMs} />
            </span>
          </div>
          {about.length === 0 ? undefined : <p class="soft small">{about.join(' · ')}</p>}
        </li>
      ))}
    </ol>
  );
}

/** Shows the timeline of one thing under its heading. Its last entry is no event. */
export function EventTimeline(props: {
  readonly entries: readonly TimelineEntry[];
  readonly hasMore: boolean;
}): JSX.Element {
  const { entries, hasMore } = props;
  return (
    <section class="stack-tight" aria-label={words.events}>
      <h2>{words.events}</h2>
      {hasMore ? <p class="note">{words.partOf(entries.length - 1)}</p> : undefined}
      <Timeline name={words.events} entries={entries} />
    </section>
  );
}

/** Returns what something took, as far as it is known. */
export function tookTexts(costUnits: number | null, latencyMs: number | null): readonly string[] {
  return [
    ...(costUnits === null ? [] : [words.cost(costUnits)]),
    ...(latencyMs === null ? [] : [words.takes(durationText(latencyMs))]),
  ];
}
