/** The dashboard for Grafana: what an operator looks at first, from top to bottom. */
import {
  DatasourceVariableBuilder,
  defaultDashboard,
} from '@grafana/grafana-foundation-sdk/dashboard';
import { DataqueryBuilder } from '@grafana/grafana-foundation-sdk/prometheus';
import { PanelBuilder as StatBuilder } from '@grafana/grafana-foundation-sdk/stat';
import { PanelBuilder as TextBuilder, TextMode } from '@grafana/grafana-foundation-sdk/text';
import { PanelBuilder as SeriesBuilder } from '@grafana/grafana-foundation-sdk/timeseries';

/** A panel: its title, its unit in Grafana's words, and a query for each kind of line. */
interface Panel {
  readonly title: string;
  readonly unit: string;
  readonly description: string;
  /** Legends by query. */
  readonly queries: Readonly<Record<string, string>>;
  readonly isNumber?: boolean;
}

const DURATION = 'agentkeep_request_duration_seconds_bucket';
const SOURCE = { type: 'prometheus', uid: '${source}' };
const WIDTH = 8;
const HEIGHT = 7;

const quantile = (share: number, by: string): string =>
  `histogram_quantile(${share}, sum by (${by}) (rate(${DURATION}[5m])))`;

const panels: readonly Panel[] = [
  {
    title: 'Ready',
    unit: 'short',
    description: 'Servers whose store answers.',
    queries: { 'sum(agentkeep_ready)': 'ready', 'count(up{job="agentkeep"})': 'all' },
    isNumber: true,
  },
  {
    title: 'Failures in 30 days',
    unit: 'percentunit',
    description: 'The objective is at most 0.1 %.',
    queries: {
      'sum(increase(agentkeep_requests_total{status="5xx"}[30d])) / sum(increase(agentkeep_requests_total[30d]))':
        'failed',
    },
    isNumber: true,
  },
  {
    title: 'Newest snapshot',
    unit: 's',
    description: 'Its age on each server: what the loss of a disk would cost.',
    queries: { 'time() - agentkeep_snapshot_time_seconds': '{{instance}}' },
    isNumber: true,
  },
  {
    title: 'Requests by operation',
    unit: 'reqps',
    description: 'The ten with the most.',
    queries: {
      'topk(10, sum by (operation) (rate(agentkeep_requests_total[5m])))': '{{operation}}',
    },
  },
  {
    title: 'Failed requests by operation',
    unit: 'reqps',
    description: 'Answers with 5xx.',
    queries: {
      'sum by (operation) (rate(agentkeep_requests_total{status="5xx"}[5m])) > 0': '{{operation}}',
    },
  },
  {
    title: 'Refusals by reason',
    unit: 'reqps',
    description: 'The kind of the error, such as rate_limited or forbidden.',
    queries: { 'sum by (reason) (rate(agentkeep_refusals_total[5m])) > 0': '{{reason}}' },
  },
  {
    title: 'Latency',
    unit: 's',
    description: 'Until an answer is ready, of all operations.',
    queries: {
      [quantile(0.5, 'le')]: 'half',
      [quantile(0.99, 'le')]: '99 of 100',
    },
  },
  {
    title: 'Latency by operation',
    unit: 's',
    description: 'Of 99 in 100 requests; the ten slowest.',
    queries: { [`topk(10, ${quantile(0.99, 'le, operation')})`]: '{{operation}}' },
  },
  {
    title: 'Requests in flight',
    unit: 'short',
    description: 'Not answered yet.',
    queries: { agentkeep_requests_in_flight: '{{instance}}' },
  },
  {
    title: 'Queues',
    unit: 'short',
    description:
      'Work that waits in each process, such as transactions, audit events and embeddings.',
    queries: { agentkeep_waiting: '{{queue}} {{instance}}' },
  },
  {
    title: 'Flushes and transactions',
    unit: 'ops',
    description: 'Writers at the same time share a flush.',
    queries: {
      'sum(rate(agentkeep_commits_total[5m]))': 'flushes',
      'sum(rate(agentkeep_committed_transactions_total[5m]))': 'transactions',
      'sum(rate(agentkeep_commit_failures_total[5m]))': 'failed flushes',
    },
  },
  {
    title: 'Delay of the loop',
    unit: 's',
    description: 'How long the process does nothing else, 99 of 100 times at most.',
    queries: { nodejs_eventloop_lag_p99_seconds: '{{instance}}' },
  },
  {
    title: 'Servers by version',
    unit: 'short',
    description: 'As each server saw them last: two versions only while an upgrade is on its way.',
    queries: { 'max by (version) (agentkeep_servers)': '{{version}}' },
  },
  {
    title: 'Feature level',
    unit: 'short',
    description: 'The level is raised a day after the last older server has left.',
    queries: {
      'max(agentkeep_store_level)': 'of the store',
      'max(agentkeep_newest_level)': 'newest of a server',
    },
  },
  {
    title: 'Size of the store',
    unit: 'bytes',
    description: 'On disk. It does not shrink when records are deleted; pages are used again.',
    queries: { agentkeep_store_size_bytes: '{{instance}}' },
  },
  {
    title: 'Memory',
    unit: 'bytes',
    description: 'Of the process, and of the cache of queries in it.',
    queries: {
      process_resident_memory_bytes: 'process {{instance}}',
      agentkeep_query_cache_bytes: 'cache {{instance}}',
    },
  },
  {
    title: 'Review',
    unit: 'short',
    description: 'Proposals of memory that wait for a review, in all tenants.',
    queries: { 'max(agentkeep_proposals_waiting)': 'wait' },
  },
  {
    title: 'Lag of consumers',
    unit: 's',
    description: 'Age of the oldest change that a consumer of the feed has not committed.',
    queries: { 'max(agentkeep_consumer_lag_seconds)': 'the highest' },
  },
  {
    title: 'Webhooks that wait',
    unit: 'short',
    description: 'Their last attempt failed. The list of webhooks shows why.',
    queries: { 'max(agentkeep_webhooks_waiting)': 'wait' },
  },
  {
    title: 'Lag of replication',
    unit: 's',
    description:
      'Age of the oldest commit that the target lacks: what the loss of a disk would cost.',
    queries: { agentkeep_replication_lag_seconds: '{{instance}}' },
  },
  {
    title: 'Model of embeddings',
    unit: 'short',
    description:
      '1 when it worked at its last request. Until it does, words alone find new records.',
    queries: { agentkeep_model_up: '{{instance}}' },
  },
  {
    title: 'Webhooks and changes',
    unit: 'reqps',
    description: 'Calls that read the feed of changes, and that change webhooks.',
    queries: {
      'sum by (operation) (rate(agentkeep_requests_total{operation=~".*(Changes|Webhook).*"}[5m]))':
        '{{operation}}',
    },
  },
];

const TENANTS = [
  'No metric names a tenant: the names would leak to all who may see the metrics, and the number',
  'of series would have no bound. `agentkeep tenants quota <tenant>` shows what a tenant stores and',
  'may store, and the audit log who did what.',
].join('\n');

/** Returns the dashboard, as every Grafana imports it. */
export function dashboard(): ReturnType<typeof defaultDashboard> {
  const source = new DatasourceVariableBuilder('source').type('prometheus').label('Source').build();
  const y = Math.ceil(panels.length / 3) * HEIGHT;
  const tenants = new TextBuilder().title('Tenants').mode(TextMode.Markdown).content(TENANTS);
  return {
    ...defaultDashboard(),
    title: 'Agentkeep',
    uid: 'agentkeep',
    tags: ['agentkeep'],
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    templating: { list: [source] },
    panels: [
      ...panels.map((panel, at) => {
        const place = { x: (at % 3) * WIDTH, y: Math.floor(at / 3) * HEIGHT, w: WIDTH, h: HEIGHT };
        return built(panel).gridPos(place).build();
      }),
      tenants.gridPos({ x: 0, y, w: 3 * WIDTH, h: 4 }).build(),
    ],
  };
}

function built({ title, unit, description, queries, isNumber = false }: Panel) {
  const panel = isNumber ? new StatBuilder() : new SeriesBuilder();
  panel.title(title).description(description).unit(unit).datasource(SOURCE);
  for (const [at, [expression, legend]] of Object.entries(queries).entries()) {
    const refId = String.fromCodePoint(65 + at);
    panel.withTarget(
      new DataqueryBuilder().expr(expression).legendFormat(legend).datasource(SOURCE).refId(refId),
    );
  }
  return panel;
}
