import { expect } from 'vitest';
import { openListener } from './http-listener.ts';

type Attributes = { key: string; value: Record<string, unknown> }[];

/** A span in the JSON of OTLP (https://opentelemetry.io/docs/specs/otlp/#otlphttp). */
interface OtlpSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: Attributes;
  /** 2 is an error. */
  status: { code: number };
}
interface OtlpBody {
  resourceSpans: { resource: { attributes: Attributes }; scopeSpans: { spans: OtlpSpan[] }[] }[];
}

const kinds = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer'];
const valuesOf = (attributes: Attributes): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
const readSpan = (span: OtlpSpan) => ({
  ...span,
  kind: kinds[span.kind],
  attributes: valuesOf(span.attributes),
});

export type CollectedSpan = ReturnType<typeof readSpan>;
type Answer = () => Response | Promise<Response>;

/** A collector of traces on loopback: it keeps what is sent to it, and answers as it is told. */
export async function startCollector() {
  const bodies: string[] = [];
  const headers: unknown[] = [];
  let answer: Answer = () => Response.json({});
  const { port } = await openListener(async (request) => {
    if (new URL(request.url).pathname !== '/v1/traces') return new Response(null, { status: 404 });
    headers.push(Object.fromEntries(request.headers));
    bodies.push(await request.text());
    return answer();
  });
  const resources = () => bodies.flatMap((body) => (JSON.parse(body) as OtlpBody).resourceSpans);
  const spans = () =>
    resources().flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans.map(readSpan)));
  return {
    bodies,
    headers,
    spans,
    /** Attributes of the programs that sent something. */
    programs: () => resources().map(({ resource }) => valuesOf(resource.attributes)),
    answerWith: (next: Answer) => (answer = next),
    /** Waits for a span, and gives it. */
    async span(name: string, fits: (span: CollectedSpan) => boolean = () => true): Promise<CollectedSpan> {
      const find = () => spans().filter((span) => name === span.name && fits(span));
      await expect.poll(find, { message: `a span ${name}` }).not.toEqual([]);
      const [found] = find();
      if (!found) throw new Error('It is there.');
      return found;
    },
    /** Variables that a server needs to send here, soon. */
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      OTEL_BSP_SCHEDULE_DELAY: '20',
      OTEL_EXPORTER_OTLP_TIMEOUT: '5000',
    },
  };
}
