/**
 * The process of one contender. Its arguments are a name, a directory and the load as JSON. With
 * `first` instead of the load, it opens a closed directory, reads one record and ends.
 */
import type { CompareLoad, ContenderKind, RowName } from './contender.js';

/** A message of the parent. */
export type Order =
  | { readonly kind: 'measure'; readonly row: RowName }
  | { readonly kind: 'serve' }
  | { readonly kind: 'close' };

/** The answer to an order; its value depends on the order. */
export type Report = { readonly value?: unknown } | { readonly failure: string };

const [name = '', directory = '', load = ''] = process.argv.slice(2);
const startedMs = performance.now();
// Imported here, because the time that modules take belongs to an opening.
const { contenders } = await import('./contenders.js');
const kind: ContenderKind = await contenders[name as keyof typeof contenders]();

if (load === 'first') {
  await kind.readFirst?.(directory);
  report({ value: performance.now() - startedMs });
} else {
  await runLoad(JSON.parse(load) as CompareLoad);
}

async function runLoad(amount: CompareLoad): Promise<void> {
  const { RowMeter } = await import('./measure-row.js');
  const contender = await kind.open(directory);
  const meter = new RowMeter(contender, amount);
  const carryOut = async (order: Order): Promise<unknown> => {
    switch (order.kind) {
      case 'measure':
        return meter.measure(order.row);
      case 'serve':
        return contender.serve?.();
      case 'close':
        await contender.close();
        return meter.held;
    }
  };
  process.on('message', (order: Order) => {
    carryOut(order).then(
      (value) => {
        report({ value });
        if (order.kind === 'close') process.exit(0);
      },
      (error: unknown) => {
        report({ failure: String(error) });
      },
    );
  });
  report({});
}

function report(message: Report): void {
  process.send?.(message);
}
