/** How far the replication target of the server is behind, by its metrics. */
import type { JSX } from 'preact';
import { durationText, sizeText } from '../../parts/amounts.js';
import { LineChart } from '../../parts/line-chart.js';
import { Time } from '../../parts/time.js';
import { texts } from '../../texts/en/english.js';
import type { ReplicationReadings } from './metrics-text.js';
import type { Sample } from './samples.js';
import { levels } from './series.js';

const words = texts.machine.replication;

/** Shows the lag of the last minutes as a chart. */
export function ReplicationLag({ taken }: { readonly taken: readonly Sample[] }): JSX.Element {
  const points = levels(taken, ({ readings }) => readings?.replication?.lagMs);
  return (
    <LineChart
      title={words.lag}
      about={words.lagAbout}
      lines={[{ name: words.lag, points }]}
      show={durationText}
    />
  );
}

/** Shows whether the target takes commits, what waits for it, and how old its whole copy is. */
export function ReplicationState(props: { readonly now: ReplicationReadings }): JSX.Element {
  const { isUp, lagMs, commits, bytes, copyMs } = props.now;
  const state = isUp ? 'up' : 'down';
  return (
    <section class="card" aria-label={words.title}>
      <h2>{words.title}</h2>
      <p>
        <span class={isUp ? 'tag good' : 'tag bad'}>{words.states[state]}</span>{' '}
        {words.stateTexts[state]}
      </p>
      <dl class="facts">
        <dt>{words.lag}</dt>
        <dd>{durationText(lagMs)}</dd>
        <dt>{words.waiting}</dt>
        <dd>{words.commits(commits.toLocaleString(texts.locale), sizeText(bytes))}</dd>
        <dt>{words.copied}</dt>
        <dd>{copyMs === undefined ? words.notCopied : <Time millis={copyMs} />}</dd>
      </dl>
    </section>
  );
}
