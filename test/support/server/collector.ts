import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished } from 'vitest';
import * as z from 'zod/mini';
import { listenOnFreePort } from './free-port.ts';

const value = z.union([
  z.object({ stringValue: z.string() }),
  z.object({ intValue: z.number() }),
  z.object({ boolValue: z.boolean() }),
]);
const attributes = z.pipe(
  z.array(z.object({ key: z.string(), value })),
  z.transform((all): Record<string, unknown> =>
    Object.fromEntries(all.map((one) => [one.key, Object.values(one.value)[0]])),
  ),
);
const kinds = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer'] as const;
const spanShape = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.optional(z.string()),
  name: z.string(),
  kind: z.pipe(
    z.number(),
    z.transform((number) => kinds[number]),
  ),
  startTimeUnixNano: z.string(),
  endTimeUnixNano: z.string(),
  attributes,
  /** 2 is an error. */
  status: z.object({ code: z.number() }),
});

/** The JSON of OTLP (https://opentelemetry.io/docs/specs/otlp/#otlphttp). */
const bodyShape = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes }),
      scopeSpans: z.array(z.object({ spans: z.array(spanShape) })),
    }),
  ),
});

export type CollectedSpan = z.infer<typeof spanShape>;
type Answer = (response: ServerResponse) => void;

/** A collector of traces on loopback: it keeps what is sent to it, and answers as it is told. */
export async function startCollector() {
  const bodies: string[] = [];
  const headers: unknown[] = [];
  const ok: Answer = (response) => void response.writeHead(200, json).end('{}');
  let answer = ok;
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request);
    if (request.method !== 'POST' || request.url !== '/v1/traces') return response.writeHead(404).end();
    headers.push(request.headers);
    bodies.push(body);
    return answer(response);
  };
  // Who is killed while it sends breaks off.
  const server = createServer((request, response) => void take(request, response).catch(() => undefined));
  const port = await listenOnFreePort(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const resources = () => bodies.flatMap((body) => bodyShape.parse(JSON.parse(body)).resourceSpans);
  const spans = () => resources().flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));
  return {
    bodies,
    headers,
    spans,
    /** What is said of the programs that sent something. */
    programs: () => resources().map(({ resource }) => resource.attributes),
    answerWith: (next: Answer) => (answer = next),
    /** Waits for a span, and gives it. */
    async span(
      name: string | RegExp,
      fits: (span: CollectedSpan) => boolean = () => true,
    ): Promise<CollectedSpan> {
      const find = () =>
        spans().find(
          (span) => (name instanceof RegExp ? name.test(span.name) : name === span.name) && fits(span),
        );
      await expect.poll(find, { timeout: 60_000, message: `a span ${name}` }).toBeDefined();
      const found = find();
      if (!found) throw new Error('It is there.');
      return found;
    },
    /** What `startServer` needs to send here, soon. */
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      OTEL_BSP_SCHEDULE_DELAY: '20',
      OTEL_EXPORTER_OTLP_TIMEOUT: '5000',
    },
  };
}

const json = { 'Content-Type': 'application/json' };
