/** Agentkeep over HTTP: an app that serves a keep under `/api/v1`, and a server to run it. */
export {
  type AgentkeepApp,
  createServer,
  type ServerBindings,
  type ServerOptions,
} from './http/create-server.js';
export { startMetricsServer } from './lifecycle/start-metrics-server.js';
export type { Metrics } from './metrics/metrics.js';
export { openMetrics } from './metrics/open-metrics.js';
export { ListenError } from './lifecycle/listen-error.js';
export { type RunningServer, type StartOptions, startServer } from './lifecycle/start-server.js';
export { jsonLogger, type Logger, silentLogger } from './log/logger.js';
export { openTracing } from './tracing/open-tracing.js';
export { contractDocument } from './openapi/document.js';
export { contractRoute, type Route, routes } from '@agentkeep/client/routes';
export { httpDocumentFetcher } from './outgoing/http-document-fetcher.js';
export { openidProtocol } from './openid/openid-protocol.js';
export { httpWebhookSender } from './webhooks/http-webhook-sender.js';
