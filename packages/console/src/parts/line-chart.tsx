/** A small chart of lines over time, with the same as a table. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { texts } from '../texts/en/english.js';
import { type ChartPoint, pathOfLine, roundTop, valuesOf } from './chart-scale.js';
import { BareTable } from './table.js';

const words = texts.chart;

const WIDTH = 600;
const HEIGHT = 120;

/** A line of a chart. All lines of one chart have points at the same times. */
export interface ChartLine {
  readonly name: string;
  readonly points: readonly ChartPoint[];
}

/** Shows lines over zero, or a round bottom below it, with what the last points are. */
export function LineChart(props: {
  readonly title: string;
  readonly about?: string;
  readonly lines: readonly ChartLine[];
  readonly show: (value: number) => string;
  readonly timeText?: (millis: number) => string;
}): JSX.Element {
  const { title, about, lines, show, timeText = clockText } = props;
  const points = lines[0]?.points ?? [];
  const values = lines.flatMap((line) => valuesOf(line.points));
  return (
    <figure class="card chart">
      <figcaption>
        <h3>{title}</h3>
        {about === undefined ? undefined : <p class="soft small">{about}</p>}
        <Latest lines={lines} show={show} />
      </figcaption>
      {values.length === 0 ? (
        <p class="soft">{words.nothing}</p>
      ) : (
        <>
          <Drawing {...{ title, lines, show, timeText, points, values }} />
          <PointTable {...{ title, lines, show, timeText }} />
        </>
      )}
    </figure>
  );
}

/** What the lines are at their ends: also the legend of their colours. */
function Latest(props: {
  readonly lines: readonly ChartLine[];
  readonly show: (value: number) => string;
}): JSX.Element {
  const { lines, show } = props;
  return (
    <div class="chart-latest">
      {lines.map(({ name, points }, at) => {
        const last = valuesOf(points).at(-1);
        return (
          <span key={name}>
            {lines.length > 1 ? <span class="chart-mark" data-line={at} /> : undefined}
            <strong>{last === undefined ? words.none : show(last)}</strong>
            {lines.length > 1 ? <span class="soft small"> {name}</span> : undefined}
          </span>
        );
      })}
    </div>
  );
}

function Drawing(props: {
  readonly title: string;
  readonly lines: readonly ChartLine[];
  readonly show: (value: number) => string;
  readonly timeText: (millis: number) => string;
  readonly points: readonly ChartPoint[];
  readonly values: readonly number[];
}): JSX.Element {
  const { title, lines, show, timeText, points, values } = props;
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const top = roundTop(most);
  const bottom = least < 0 ? -roundTop(-least) : 0;
  const [fromMs, untilMs] = [points[0]?.atMs ?? 0, points.at(-1)?.atMs ?? 0];
  const frame = { fromMs, untilMs, top, bottom, width: WIDTH, height: HEIGHT };
  const [from, until] = [timeText(fromMs), timeText(untilMs)];
  return (
    <div class="chart-frame">
      <span class="chart-top soft">{show(top)}</span>
      <span class="chart-zero soft">{show(bottom)}</span>
      <svg
        viewBox={`0 0 ${String(WIDTH)} ${String(HEIGHT)}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={words.summary(title, show(least), show(most))}
      >
        <path
          class="chart-grid"
          d={`M0 0H${String(WIDTH)}M0 ${String(HEIGHT / 2)}H${String(WIDTH)}`}
        />
        <path class="chart-ground" d={`M0 ${String(HEIGHT)}H${String(WIDTH)}`} />
        {lines.map((line, at) => (
          <path
            key={line.name}
            class="chart-line"
            data-line={at}
            d={pathOfLine(line.points, frame)}
          />
        ))}
      </svg>
      <span class="chart-from soft">{from}</span>
      {until === from ? undefined : <span class="chart-until soft">{until}</span>}
    </div>
  );
}

/** The points as a table, the newest first, which is made once it is asked for. */
function PointTable(props: {
  readonly title: string;
  readonly lines: readonly ChartLine[];
  readonly show: (value: number) => string;
  readonly timeText: (millis: number) => string;
}): JSX.Element {
  const { title, lines, show, timeText } = props;
  const [isOpen, setOpen] = useState(false);
  const times = lines[0]?.points ?? [];
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary class="small">
        {words.table}
        <span class="only-read">: {title}</span>
      </summary>
      {isOpen ? (
        <div class="chart-table" tabIndex={0} role="group" aria-label={title}>
          <BareTable
            columns={[words.time, ...lines.map(({ name }) => ({ label: name, isNumber: true }))]}
          >
            {times
              .map(({ atMs }, at) => (
                <tr key={at}>
                  <td>{timeText(atMs)}</td>
                  {lines.map(({ name, points }) => {
                    const value = points[at]?.value;
                    return (
                      <td key={name} class="number">
                        {value === undefined ? words.none : show(value)}
                      </td>
                    );
                  })}
                </tr>
              ))
              .toReversed()}
          </BareTable>
        </div>
      ) : undefined}
    </details>
  );
}

function clockText(millis: number): string {
  return new Intl.DateTimeFormat(texts.locale, { timeStyle: 'medium' }).format(millis);
}
