import type { BffDeps } from '../deps.ts';

/** The trace that a request is part of (https://www.w3.org/TR/trace-context/). */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** Whether the callers before us record the trace. */
  readonly sampled: boolean;
}

type Random = BffDeps['random'];

/** The trace that the caller began, where it says so as version 00 has it; else one that begins here. */
export function readTraceContext(request: Request, random: Random): TraceContext {
  const [, traceId, flags = ''] = form.exec(request.headers.get('traceparent') ?? '') ?? [];
  if (traceId === undefined) return startTrace(random);
  return { traceId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

// All zeros are no id; capitals are none either.
const form = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-([0-9a-f]{2})$/;

/** A new trace, recorded: the log has a line for it. */
export function startTrace(random: Random): TraceContext {
  return { traceId: hexOf(random(16)), sampled: true };
}

/** `traceparent` for one request that goes out: a step of its own in the trace. */
export function writeTraceparent({ traceId, sampled }: TraceContext, random: Random): string {
  return `00-${traceId}-${hexOf(random(8))}-${sampled ? '01' : '00'}`;
}

function hexOf(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += (byte + 256).toString(16).slice(1);
  return text;
}
