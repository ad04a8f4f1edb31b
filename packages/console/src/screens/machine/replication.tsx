/** Where the server copies commits to, and how far that is behind. */
import type { JSX } from 'preact';
import { durationText, sizeText } from '../../parts/amounts.js';
import { LineChart } from '../../parts/line-chart.js';
import { Id } from '../../parts/name.js';
import { Time } from '../../parts/time.js';
import { texts } from '../../texts/en/english.js';
import type { ReplicationReadings } from './metrics-text.js';
import type { Sample, Stats } from './samples.js';
import { levels } from './series.js';

const words = texts.machine.replication;

type ShownReplication = NonNullable<Stats['replication']>;

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
export function ReplicationState(props: {
  readonly now: ReplicationReadings;
  readonly shown: ShownReplication | undefined;
}): JSX.Element {
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
        {props.shown === undefined ? undefined : <TargetFacts {...props.shown} />}
      </dl>
    </section>
  );
}

/** Where the commits go, how, how far, and what failed last. */
function TargetFacts(props: ShownReplication): JSX.Element {
  const { target, mode, position, generation, last_error: error } = props;
  return (
    <>
      <dt>{words.target}</dt>
      <dd>
        <Id of={target} />
      </dd>
      <dt>{words.mode}</dt>
      <dd>{words.modes[mode]}</dd>
      <dt>{words.position}</dt>
      <dd>
        {position.toLocaleString(texts.locale)}
        {generation === null ? '' : `, ${words.generation(generation)}`}
      </dd>
      <dt>{words.lastError}</dt>
      <dd>{error === null ? words.noError : <LastError {...error} />}</dd>
    </>
  );
}

function LastError(props: NonNullable<ShownReplication['last_error']>): JSX.Element {
  const { code, message, reason, at } = props;
  return (
    <>
      <Time millis={Date.parse(at)} /> <code>{reason === null ? code : `${code}, ${reason}`}</code>
      <br />
      {message}
    </>
  );
}
