/** Agentkeep over HTTP: an app that serves a keep under `/api/v1`, and a server to run it. */
export {
  type AgentkeepApp,
  createServer,
  type ServerBindings,
  type ServerOptions,
} from './http/create-server.js';
export type { McpMount } from './http/mcp-answer.js';
export type { ServedApp } from './lifecycle/adapted-answers.js';
export {
  type MetricsServerOptions,
  type RunningMetrics,
  startMetricsServer,
} from './lifecycle/start-metrics-server.js';
export type {
  MeasuredRequest,
  MemoryOperation,
  Metrics,
  RequestEnd,
  RequestMeter,
  RunningMeter,
} from './metrics/metrics.js';
export { type MetricsOptions, openMetrics } from './metrics/open-metrics.js';
export { ListenError } from './lifecycle/listen-error.js';
export {
  type ClientLimits,
  type RunningServer,
  type StartOptions,
  startServer,
} from './lifecycle/start-server.js';
export { jsonLogger, type Logger, silentLogger } from './log/logger.js';
export { openTracing } from './tracing/open-tracing.js';
export type { RequestSpan, TracedEnd, TracedRequest, Tracing } from './tracing/tracing.js';
export { contractDocument } from './openapi/document.js';
export { contractRoute, type Route, routes } from '@agentkeep/client/routes';
export type { HostAddress } from './outgoing/hosts-file.js';
export {
  httpWebhookSender,
  type HttpWebhookSenderOptions,
} from './webhooks/http-webhook-sender.js';
