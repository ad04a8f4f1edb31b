/** Collects measurements of OpenTelemetry as its SDK would export them. */
import { type DataPoint, type Histogram, MetricReader } from '@opentelemetry/sdk-metrics';
import { expect } from 'vitest';

/** One exported point. */
export interface Point {
  readonly name: string;
  readonly unit: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly value: number | Histogram;
}

/** Collects when it is told to. */
export class ToldReader extends MetricReader {
  /** Returns all points. Fails when a callback failed. */
  async points(): Promise<Point[]> {
    const { resourceMetrics, errors } = await this.collect();
    expect(errors).toEqual([]);
    const metrics = resourceMetrics.scopeMetrics.flatMap((each) => each.metrics);
    return metrics.flatMap(({ descriptor: { name, unit }, dataPoints }) =>
      (dataPoints as DataPoint<number | Histogram>[]).map(({ attributes, value }) => {
        return { name, unit, attributes, value };
      }),
    );
  }

  protected onShutdown(): Promise<void> {
    return Promise.resolve();
  }

  protected onForceFlush(): Promise<void> {
    return Promise.resolve();
  }
}

/** Returns the points of an instrument. */
export function pointsOf(points: readonly Point[], name: string): Point[] {
  return points.filter((each) => each.name === name);
}

/** Returns the number at a point, or `undefined`. */
export function numberAt(
  points: readonly Point[],
  name: string,
  attributes: Readonly<Record<string, unknown>> = {},
): number | undefined {
  const wanted = Object.entries(attributes);
  const found = pointsOf(points, name).find((each) =>
    wanted.every(([key, value]) => each.attributes[key] === value),
  );
  return typeof found?.value === 'number' ? found.value : undefined;
}
