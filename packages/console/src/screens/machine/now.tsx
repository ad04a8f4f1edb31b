/** How the server does at the moment, and in the last minutes. */
import type { JSX } from 'preact';
import { durationText, numberText, sizeText } from '../../parts/amounts.js';
import { LineChart } from '../../parts/line-chart.js';
import { Loading } from '../../parts/notes.js';
import { ageText } from '../../parts/time.js';
import { administersInstallation, type Caller } from '../../session/caller.js';
import { texts } from '../../texts/en/english.js';
import { type Sample, samples, type Stats, useSamples } from './samples.js';
import { levels, rates } from './series.js';

const words = texts.machine.now;

const looks = { ready: 'tag good', not_ready: 'tag bad', silent: 'tag bad' } as const;

/** Shows whether the server is well, what it holds, and both over the last minutes. */
export function Now({ caller }: { readonly caller: Caller }): JSX.Element {
  useSamples(caller);
  const taken = samples.value;
  const last = taken.at(-1);
  if (last === undefined) return <Loading />;
  const stats = taken.findLast((each) => each.stats !== undefined)?.stats;
  return (
    <>
      <Health state={last.state} stats={stats} />
      <Charts taken={taken} hasStats={administersInstallation(caller)} />
      {stats === undefined ? undefined : <Stored stats={stats} />}
    </>
  );
}

function Health(props: {
  readonly state: Sample['state'];
  readonly stats: Stats | undefined;
}): JSX.Element {
  const { state, stats } = props;
  return (
    <section class="card" aria-label={words.health}>
      <p role="status">
        <span class={looks[state]}>{words.states[state]}</span> {words.stateTexts[state]}
      </p>
      {stats === undefined ? undefined : (
        <dl class="facts">
          <dt>{words.version}</dt>
          <dd>{stats.version}</dd>
          <dt>{words.uptime}</dt>
          <dd>{ageText(stats.process.uptime_seconds * 1_000)}</dd>
        </dl>
      )}
    </section>
  );
}

function Charts(props: {
  readonly taken: readonly Sample[];
  readonly hasStats: boolean;
}): JSX.Element {
  const { taken, hasStats } = props;
  const answers = levels(taken, ({ answerMs }) => answerMs);
  const written = rates(taken, ({ stats }) => stats?.entries.receipts);
  const size = levels(taken, ({ stats }) => stats?.storage.size_bytes);
  const memory = levels(taken, ({ stats }) => stats?.process.memory.rss_bytes);
  return (
    <div class="charts">
      <LineChart
        title={words.answers}
        about={words.answersAbout}
        lines={[{ name: words.answers, points: answers }]}
        show={durationText}
      />
      {hasStats ? (
        <>
          <LineChart
            title={words.written}
            about={words.writtenAbout}
            lines={[{ name: words.written, points: written }]}
            show={numberText}
          />
          <LineChart
            title={words.size}
            about={words.sizeAbout}
            lines={[{ name: words.size, points: size }]}
            show={sizeText}
          />
          <LineChart
            title={words.memory}
            about={words.memoryAbout}
            lines={[{ name: words.memory, points: memory }]}
            show={sizeText}
          />
        </>
      ) : undefined}
    </div>
  );
}

function Stored({ stats: { entries, storage } }: { readonly stats: Stats }): JSX.Element {
  const counts = Object.entries(entries) as [keyof Stats['entries'], number][];
  return (
    <section class="card" aria-label={words.stored}>
      <h2>{words.stored}</h2>
      <dl class="facts">
        {counts.map(([name, count]) => (
          <>
            <dt>{words.entries[name]}</dt>
            <dd>{count.toLocaleString(texts.locale)}</dd>
          </>
        ))}
        <dt>{words.size}</dt>
        <dd>{words.sizeOf(sizeText(storage.size_bytes), sizeText(storage.map_size_bytes))}</dd>
        <dt>{words.storedVersion}</dt>
        <dd>{storage.stored_version}</dd>
      </dl>
    </section>
  );
}
