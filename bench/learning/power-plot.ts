/** Draws how the chance to see an improvement grows with the number of cases, as an SVG. */

/** A line of the plot. */
export interface PowerLine {
  readonly title: string;
  /** Chances from 0 to 1, one for each number of cases. */
  readonly chances: readonly number[];
}

const [WIDTH, HEIGHT] = [720, 400];
const area = { left: 60, right: 540, top: 30, bottom: 350 };
const COLOURS = ['#b45309', '#7c3aed', '#0f766e', '#1d4ed8', '#475569'];

/** Returns the picture. The numbers of cases are drawn on a logarithmic scale. */
export function powerPlot(
  title: string,
  cases: readonly number[],
  lines: readonly PowerLine[],
): string {
  const [first = 1, last = 1] = [cases[0], cases.at(-1)];
  const x = (count: number): string => {
    const share = Math.log(count / first) / Math.log(last / first);
    return (area.left + share * (area.right - area.left)).toFixed(1);
  };
  const y = (chance: number): string =>
    (area.bottom - chance * (area.bottom - area.top)).toFixed(1);
  const text = (at: readonly [string, string], words: string, anchor = 'middle'): string =>
    `<text x="${at[0]}" y="${at[1]}" text-anchor="${anchor}">${words}</text>`;
  const grid = [0, 0.2, 0.4, 0.6, 0.8, 1].map(
    (chance) =>
      `<path d="M${area.left} ${y(chance)}H${area.right}" stroke="#cbd5e1"/>` +
      text([String(area.left - 8), y(chance - 0.012)], `${Math.round(chance * 100)} %`, 'end'),
  );
  const marks = cases
    .filter((count) => [25, 50, 100, 200, 400, 800].includes(count))
    .map((count) => text([x(count), String(area.bottom + 20)], String(count)));
  const drawn = lines.map(({ title: name, chances }, at) => {
    const points = chances.map((chance, index) => `${x(cases[index] ?? 1)},${y(chance)}`);
    const [colour = ''] = COLOURS.slice(at);
    const row = area.top + 24 * at + 12;
    return [
      `<polyline points="${points.join(' ')}" fill="none" stroke="${colour}" stroke-width="2.5"/>`,
      `<path d="M${area.right + 16} ${row - 4}h20" stroke="${colour}" stroke-width="2.5"/>`,
      text([String(area.right + 42), String(row)], name, 'start'),
    ].join('\n');
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img"`,
    ` aria-label="${title}" font-family="system-ui, sans-serif" font-size="12" fill="#334155">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>`,
    text([String((area.left + area.right) / 2), '18'], title),
    ...[...grid, ...marks],
    text([String((area.left + area.right) / 2), String(HEIGHT - 8)], 'cases'),
    ...drawn,
    '</svg>\n',
  ].join('\n');
}
