/** Requests, how long they take, and what waits: what the metrics of the server say. */
import type { JSX } from 'preact';
import { durationText, numberText } from '../../parts/amounts.js';
import { TextField, textsOf } from '../../parts/field.js';
import { LineChart } from '../../parts/line-chart.js';
import { ProblemNote } from '../../parts/notes.js';
import { Table } from '../../parts/table.js';
import type { Caller } from '../../session/caller.js';
import { useAction } from '../../session/use-loaded.js';
import { texts } from '../../texts/en/english.js';
import type { Readings } from './metrics-text.js';
import { ReplicationLag, ReplicationState } from './replication.js';
import { metricsRefusal, metricsSecret, readWith, samples, useSamples } from './samples.js';
import { durations, levels, rates } from './series.js';

const words = texts.machine.traffic;

/** Asks for the secret of the metrics, then shows them. */
export function Traffic({ caller }: { readonly caller: Caller }): JSX.Element {
  useSamples(caller);
  if (metricsSecret.value === undefined) return <AskForSecret />;
  const taken = samples.value.filter(({ readings }) => readings !== undefined);
  const last = taken.at(-1)?.readings;
  if (last === undefined) return <p role="status">{words.first}</p>;
  return (
    <>
      <div class="charts">
        <LineChart
          title={words.requests}
          about={words.requestsAbout}
          lines={[
            { name: words.all, points: rates(taken, ({ readings }) => readings?.requests) },
            { name: words.failed, points: rates(taken, ({ readings }) => readings?.failures) },
          ]}
          show={numberText}
        />
        <LineChart
          title={words.latency}
          about={words.latencyAbout}
          lines={[
            { name: words.half, points: durations(taken, 0.5) },
            { name: words.most, points: durations(taken, 0.95) },
          ]}
          show={durationText}
        />
        <LineChart
          title={words.waiting}
          about={words.waitingAbout}
          lines={[
            { name: words.inQueues, points: levels(taken, ({ readings }) => waitingOf(readings)) },
            { name: words.inFlight, points: levels(taken, ({ readings }) => readings?.inFlight) },
          ]}
          show={numberText}
        />
        {last.replication === undefined ? undefined : <ReplicationLag taken={taken} />}
      </div>
      {last.replication === undefined ? undefined : (
        <ReplicationState now={last.replication} shown={taken.at(-1)?.stats?.replication} />
      )}
      <Queues queues={last.queues} />
    </>
  );
}

function waitingOf(readings: Readings | undefined): number | undefined {
  return readings?.queues.reduce((total, [, length]) => total + length, 0);
}

function AskForSecret(): JSX.Element {
  const act = useAction((_agent, secret: string) => readWith(secret));
  const refusal = metricsRefusal.value;
  return (
    <form
      class="card"
      aria-label={words.open}
      onSubmit={(event) => act.run(textsOf(event)['secret'] ?? '')}
    >
      <h2>{words.open}</h2>
      <p class="soft">{words.openText}</p>
      <TextField
        label={words.secret}
        name="secret"
        type="password"
        hint={words.secretHint}
        required
      />
      <ProblemNote problem={refusal === undefined ? undefined : words.refusals[refusal]} />
      <div class="row">
        <button type="submit" class="main" disabled={act.isRunning}>
          {words.go}
        </button>
      </div>
    </form>
  );
}

function Queues({ queues }: { readonly queues: Readings['queues'] }): JSX.Element {
  return (
    <section class="stack" aria-label={words.queues}>
      <div>
        <h2>{words.queues}</h2>
        <p class="soft">{words.queuesText}</p>
      </div>
      <Table columns={[words.queue, { label: words.length, isNumber: true }]}>
        {queues.map(([name, length]) => (
          <tr key={name}>
            <td>{words.queueText(name)}</td>
            <td class="number">{length.toLocaleString(texts.locale)}</td>
          </tr>
        ))}
      </Table>
    </section>
  );
}
