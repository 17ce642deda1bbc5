import { AsyncLocalStorage } from 'node:async_hooks';
import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Span,
  type SpanContext,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
  serviceInstanceIdDetector,
} from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base';
import type { LogEvent } from 'kysely';
import { requestOf } from '../bff/metrics.ts';
import { rowsOf } from '../bff/upstream/dialect/shape.ts';
import { reasonOf } from '../bff/upstream/exchange.ts';
import { GivenUp } from '../bff/upstream/failures.ts';
import type { Log } from '../lib/log.ts';
import { Problem } from '../contract/http/problem.ts';
import type { TraceOptions, Traces } from './traces.ts';
import { formatTraceparent, type TraceContext } from '../lib/trace-context.ts';

/**
 * Traces by OpenTelemetry's SDK, which reads its own environment variables. Names are those of its conventions
 * (https://opentelemetry.io/docs/specs/semconv/http/http-spans/). Against these, no span has an address or a query:
 * they hold ids, names and tokens. Nothing is registered for the whole process, which may run several servers.
 */
export function createTraces(options: TraceOptions & { headers: Record<string, string> }): Traces {
  const { service, url, log, headers } = options;
  const exporter = withOutagesInLog(new OTLPTraceExporter({ headers }), log);
  const provider = new BasicTracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': service }))
      .merge(detectResources({ detectors: [serviceInstanceIdDetector, envDetector] })),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  });
  const tracer = provider.getTracer('subscriber-desk');
  const active = new AsyncLocalStorage<Span>();

  /** Does work as a span. What the work begins finds it as `active`. */
  async function within<T>(span: Span, work: () => Promise<T>): Promise<T> {
    try {
      return await active.run(span, work);
    } catch (error) {
      if (error instanceof GivenUp) span.setAttribute('error.type', 'given-up');
      else fail(span, error instanceof Problem ? error.code : reasonOf(error));
      throw error;
    } finally {
      span.end();
    }
  }

  /** Does work as a child of the span that it is part of; outside of any it is not recorded. */
  const asChild = <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const parent = active.getStore();
    return parent ? within(tracer.startSpan(name, {}, contextOf(parent)), work) : work();
  };

  return {
    serve(request, caller, answer) {
      // Probes come every few seconds and would hide what people wait for.
      if (probes.has(new URL(request.url).pathname)) return answer(undefined);
      const span = tracer.startSpan(
        'HTTP',
        { kind: SpanKind.SERVER, attributes: addressOf(url) },
        caller ? remoteContextOf(caller) : ROOT_CONTEXT,
      );
      return within(span, () => answer(traceContextOf(span.spanContext())));
    },
    described: (inner) => (level, event, fields) => {
      const span = active.getStore();
      if (event === 'request' && span && fields) describeRequest(span, fields);
      inner(level, event, fields);
    },
    upstream(upstream) {
      const { baseUrl, dialect, exchange } = upstream;
      const rows = rowsOf(dialect);
      const address = addressOf(baseUrl);
      const base = new URL(baseUrl).pathname.replace(/\/$/, '');
      const traced: typeof exchange = (request) => {
        const parent = active.getStore();
        if (!parent) return exchange(request);
        const { operation, method } = request;
        const template = base + rows[operation].path;
        const names = {
          'http.request.method': method,
          'url.template': template,
          'desk.operation': operation,
        };
        const attributes = { ...address, ...names };
        const kind = SpanKind.CLIENT;
        const span = tracer.startSpan(`${method} ${template}`, { kind, attributes }, contextOf(parent));
        const traceparent = formatTraceparent(traceContextOf(span.spanContext()));
        return within(span, async () => {
          const answer = await exchange({ ...request, headers: { ...request.headers, traceparent } });
          span.setAttribute('http.response.status_code', answer.status);
          if (answer.status >= 400) fail(span, String(answer.status));
          return answer;
        });
      };
      return { ...upstream, exchange: traced };
    },
    passwords: (passwords) => ({
      hash: (password) => asChild('hash password', () => passwords.hash(password)),
      verify: (...given) => asChild('verify password', () => passwords.verify(...given)),
    }),
    run: (name, job, work) =>
      within(tracer.startSpan(name, { attributes: { 'desk.job': job } }, ROOT_CONTEXT), work),
    statements(system) {
      return (event) => {
        const parent = active.getStore();
        // What a request only set off, such as a worker that goes on for hours, is not a part of it.
        if (parent?.isRecording()) recordStatement(system, event, contextOf(parent));
      };
    },
    // Whatever the collector does, the stop goes on.
    close: () => Promise.race([provider.shutdown().catch(() => undefined), waitBriefly()]),
  };

  function recordStatement(system: string, event: LogEvent, context: Context): void {
    const { sql } = event.query;
    const end = performance.now();
    const span = tracer.startSpan(
      summaryOf(sql),
      {
        kind: SpanKind.CLIENT,
        startTime: end - event.queryDurationMillis,
        // Values are parameters, so the text holds none.
        attributes: {
          'db.system.name': system,
          'db.query.summary': summaryOf(sql),
          'db.query.text': sql.trim(),
        },
      },
      context,
    );
    if (event.level === 'error')
      fail(span, event.error instanceof Problem ? event.error.code : reasonOf(event.error));
    span.end(end);
  }
}

const probes: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

/** For how long a stop waits for the collector, in ms: requests have had their ten seconds before. */
const closing = 2_000;
const waitBriefly = () => new Promise<void>((resolve) => setTimeout(resolve, closing).unref());

/** Sends as before. The log gets one line when sending begins to fail, and one when it works again. */
function withOutagesInLog(exporter: SpanExporter, log: Log): SpanExporter {
  let isFailing = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const { error } = result;
        if (error && !isFailing)
          log('warn', 'traces-not-sent', { reason: statusOf(error) ?? reasonOf(error) });
        if (!error && isFailing) log('info', 'traces-sent-again');
        isFailing = error !== undefined;
        done(result);
      });
    },
    forceFlush: async () => exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  };
}

/** The status that the collector answered with. Its words are not logged, because they may quote anything. */
function statusOf(error: Error): number | null {
  return 'code' in error && typeof error.code === 'number' ? error.code : null;
}

/** Copies the fields of a request's log line to a span, under OpenTelemetry's names. */
function describeRequest(span: Span, fields: Readonly<Record<string, unknown>>): void {
  const { route, status, code, requestId, operation, clientGone } = fields;
  const { method } = requestOf(fields);
  const isKnown = method !== 'other';
  span.updateName([isKnown ? method : 'HTTP', ...(route === 'none' ? [] : [route])].join(' '));
  span.setAttributes({
    'http.request.method': isKnown ? method : '_OTHER',
    'desk.request_id': String(requestId),
    ...(route !== 'none' && { 'http.route': String(route) }),
    ...(typeof operation === 'string' && { 'desk.operation': operation }),
  });
  if (clientGone === true) {
    span.setAttribute('error.type', 'given-up');
    return;
  }
  span.setAttribute('http.response.status_code', Number(status));
  if (Number(status) >= 500) fail(span, String(code ?? status));
}

function fail(span: Span, type: string): void {
  span.setAttribute('error.type', type);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

function addressOf(url: string): Attributes {
  const { protocol, hostname, port } = new URL(url);
  const usual = protocol === 'https:' ? 443 : 80;
  return {
    'url.scheme': protocol.slice(0, -1),
    'server.address': hostname,
    'server.port': port === '' ? usual : Number(port),
  };
}

/** `select "id" from "staff" where …` → `SELECT staff`. */
function summaryOf(sql: string): string {
  const [, verb = 'statement'] = /^\s*(\w+)/.exec(sql) ?? [];
  const [, table] = /\b(?:from|into|update)\s+"?(\w+)/.exec(sql) ?? [];
  return [verb.toUpperCase(), ...(table === undefined ? [] : [table])].join(' ');
}

const contextOf = (span: Span): Context => trace.setSpan(ROOT_CONTEXT, span);

const remoteContextOf = ({ traceId, spanId, sampled }: TraceContext): Context =>
  trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: Number(sampled), isRemote: true });

const traceContextOf = ({ traceId, spanId, traceFlags }: SpanContext): TraceContext => ({
  traceId,
  spanId,
  sampled: (traceFlags & 1) === 1,
});
