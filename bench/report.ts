/** Puts figures of a run into pages, between the markers of their tables. */
import { readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { contenders } from './compare/contenders.js';
import { nameOf, type RowName, rows } from './compare/contender.js';
import { learningPlot } from './learning/index.js';
import type { Comparison, Reading } from './measure.js';

const PAGE = fileURLToPath(new URL('../docs/performance.md', import.meta.url));
const GUIDE = fileURLToPath(new URL('../docs/guides/learning.md', import.meta.url));
const PLOT = fileURLToPath(new URL('../docs/guides/learning-power.svg', import.meta.url));

/** Replaces the tables that the run has figures for. */
export async function writeReport(measured: readonly (Comparison | Reading)[]): Promise<void> {
  const ratios = measured.filter((each): each is Comparison => 'ratio' in each);
  const readings = measured.filter((each): each is Reading => 'figures' in each);
  const isCompared = readings.some(({ name }) => name === nameOf('import'));
  let page = await readFile(PAGE, 'utf8');
  if (ratios.length > 0) page = between(page, 'ratios', ratioTable(ratios));
  if (isCompared) page = between(page, 'compare', await compareTable(readings));
  await writeFile(PAGE, page);
  const learning = readings.filter(({ name }) => name.startsWith('learning, '));
  if (learning.length === 0) return;
  await writeFile(GUIDE, between(await readFile(GUIDE, 'utf8'), 'power', powerTable(learning)));
  await writeFile(PLOT, learningPlot());
}

function between(page: string, table: string, text: string): string {
  const begin = `<!-- ${table}:begin -->`;
  const end = `<!-- ${table}:end -->`;
  const from = page.indexOf(begin);
  const to = page.indexOf(end);
  if (from === -1 || to < from) throw new Error(`The page has no table ${table}.`);
  return `${page.slice(0, from + begin.length)}\n\n${text}\n\n${page.slice(to)}`;
}

function ratioTable(comparisons: readonly Comparison[]): string {
  const lines = comparisons.map(
    ({ name, ratio, target, perSecond, rawPerSecond, against = 'raw' }) =>
      `| ${name} | ${percent(ratio)} | ${percent(target)} | ${whole(perSecond)}/s | ${whole(rawPerSecond)}/s ${against} |`,
  );
  return [
    machine(),
    '',
    '| Work | Ratio | Target | Agentkeep | Compared with |',
    ruleOf(5),
    ...lines,
  ].join('\n');
}

async function compareTable(readings: readonly Reading[]): Promise<string> {
  const names = Object.keys(contenders) as (keyof typeof contenders)[];
  const kinds = await Promise.all(names.map((name) => contenders[name]()));
  const titles = kinds.map(({ title, isDurable }) => (isDurable ? title : `${title} ¹`));
  const lines = (Object.keys(rows) as RowName[]).map((row) => {
    const figures = readings.find(({ name }) => name === nameOf(row))?.figures ?? {};
    const cells = names.map((name) => cell(figures[name]));
    return `| ${nameOf(row)} | ${cells.join(' | ')} |`;
  });
  const head = `| Work | ${titles.join(' | ')} |`;
  return [machine(), '', head, ruleOf(titles.length + 1), ...lines].join('\n');
}

function powerTable(readings: readonly Reading[]): string {
  const lines = readings.map(({ name, figures }) => {
    const cells = ['hoeffding', 'bernstein', 'exact', 'bets', 'bets_half'].map((each) =>
      whole(figures[each] ?? NaN),
    );
    return `| ${name.replace('learning, ', '')} | ${cells.join(' | ')} |`;
  });
  const head =
    '| Successes | Fixed budget | Bernstein | Exact test | Bets | Bets, half of the time |';
  return [head, ruleOf(6), ...lines].join('\n');
}

function ruleOf(columns: number): string {
  return `|${' --- |'.repeat(columns)}`;
}

function machine(): string {
  const [cpu] = cpus();
  const model = cpu?.model.trim() ?? 'unknown';
  return `Node.js ${process.versions.node}, ${cpus().length} cores of ${model}, ${new Date().toISOString().slice(0, 10)}.`;
}

function cell(value: number | undefined): string {
  if (value === undefined) return '–';
  if (value >= 100) return whole(value);
  return value >= 10 ? value.toFixed(1) : value.toFixed(value >= 1 ? 2 : 3);
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en-GB');
}

function percent(ratio: number): string {
  return `${Math.round(ratio * 100)} %`;
}
