type RandomBytes = (bytes: number) => Uint8Array;

/** A place in a trace (https://www.w3.org/TR/trace-context/). */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** The step of the trace that others follow from: 16 hexadecimal digits. */
  readonly spanId: string;
  /** True if the callers before us record the trace. */
  readonly sampled: boolean;
}

/** Where the caller is in its trace; undefined if it does not say so in the form of version 00. */
export function readTraceparent(headers: Pick<Headers, 'get'>): TraceContext | undefined {
  const [, traceId, spanId, flags = ''] = form.exec(headers.get('traceparent') ?? '') ?? [];
  if (traceId === undefined || spanId === undefined) return undefined;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

// All zeros are no id; capitals are none either.
const form = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;

/** A new trace, recorded: the log has a line for it. */
export function startTrace(random: RandomBytes): TraceContext {
  return { traceId: hexOf(random(16)), spanId: hexOf(random(8)), sampled: true };
}

/** Writes `traceparent` for one outgoing request, which is a new step in the trace. */
export function writeTraceparent(context: TraceContext, random: RandomBytes): string {
  return formatTraceparent({ ...context, spanId: hexOf(random(8)) });
}

export function formatTraceparent({ traceId, spanId, sampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;
}

function hexOf(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += (byte + 256).toString(16).slice(1);
  return text;
}
