/** Reads the text format of Prometheus as strictly as it is defined. */
import { expect } from 'vitest';

/** One line with a number. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const HELP = /^# HELP [a-zA-Z_:][\w:]* .+$/;
const TYPE = /^# TYPE (?<name>[a-zA-Z_:][\w:]*) (?:counter|gauge|histogram|summary|untyped)$/;
const SAMPLE = /^(?<name>[a-zA-Z_:][\w:]*)(?:\{(?<labels>.*)\})? (?<value>\S+)$/;
/** The library writes `Nan`, which readers take as well. */
const NUMBER = /^[+-]?(?:Inf|Na[nN]|[\d.]+(?:e[+-]?\d+)?)$/;
const LABEL = /(?<name>[a-zA-Z_]\w*)="(?<value>(?:[^"\\\n]|\\[\\"n])*)"(?:,|$)/gy;

/** Returns the samples of a text. Fails on a line that no parser of the format would take. */
export function samplesOf(text: string): Sample[] {
  expect(text.endsWith('\n')).toBe(true);
  const typed = new Set<string>();
  const samples: Sample[] = [];
  for (const line of text.split('\n')) {
    if (line === '' || HELP.test(line)) continue;
    const type = TYPE.exec(line)?.groups?.['name'];
    if (type !== undefined) {
      expect(typed.has(type), line).toBe(false);
      typed.add(type);
      continue;
    }
    const { name = '', labels = '', value = '' } = SAMPLE.exec(line)?.groups ?? {};
    expect(name, line).not.toBe('');
    expect(value).toMatch(NUMBER);
    const base = name.replace(/_(?:bucket|sum|count)$/, '');
    expect(typed.has(name) || typed.has(base), line).toBe(true);
    samples.push({ name, labels: labelsOf(labels), value: numberOf(value) });
  }
  const keys = samples.map(({ name, labels }) => `${name} ${JSON.stringify(labels)}`);
  expect(new Set(keys).size).toBe(keys.length);
  return samples;
}

function labelsOf(text: string): Record<string, string> {
  const labels: Record<string, string> = {};
  let length = 0;
  for (const [whole, name = '', value = ''] of text.matchAll(LABEL)) {
    labels[name] = value;
    length += whole.length;
  }
  expect(length, text).toBe(text.length);
  return labels;
}

function numberOf(text: string): number {
  return Number(text.replace('Inf', 'Infinity'));
}

/** Returns the number of a sample with these labels, or `undefined`. */
export function valueOf(
  samples: readonly Sample[],
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  const wanted = Object.entries(labels);
  return samples.find(
    (each) => each.name === name && wanted.every(([key, value]) => each.labels[key] === value),
  )?.value;
}
