import type { Log } from '../lib/log.ts';
import { logLevels } from './config/variables.ts';

interface LogOptions {
  write: (line: string) => void;
  /** Readable lines for a person; otherwise one JSON object per line. */
  terminal: boolean;
  /** The lowest level that is written. */
  level: (typeof logLevels)[number];
  clock: () => number;
}

/** Structured logs. A value whose key names a secret is written as `[hidden]`, in case it is logged by mistake. */
export function createLog({ write, terminal, level: least, clock }: LogOptions): Log {
  return (level, event, fields = {}) => {
    if (logLevels.indexOf(level) < logLevels.indexOf(least) && event !== witness) return;
    const time = new Date(clock()).toISOString();
    write(terminal ? readableLine(time, level, event, fields) : jsonLine(time, level, event, fields));
  };
}

/** The head of the journal is always logged: with the log, nobody can cut off the end of the journal unseen. */
export const witness = 'journal-head';

type Fields = Readonly<Record<string, unknown>>;

function jsonLine(time: string, level: string, event: string, fields: Fields): string {
  const own = { time, level, event };
  // First for the reader; and again at the end, so that no field replaces one of them.
  return `${toJson({ ...own, ...fields, ...own })}\n`;
}

function readableLine(time: string, level: string, event: string, fields: Fields): string {
  const pairs = Object.keys(fields).map((key) => `${key}=${readable(toJson({ [key]: fields[key] }), key)}`);
  return `${[time.slice(11, 19), level.padEnd(5), event, ...pairs].join(' ')}\n`;
}

/** `{"key":"plain"}` → `plain`. Text that could forge a line or a pair keeps its quotes and escapes. */
function readable(json: string, key: string): string {
  const value = json.slice(JSON.stringify(key).length + 2, -1);
  return /^"[\w./:-]+"$/.test(value) ? value.slice(1, -1) : value;
}

const secretKey = /password|secret|token|cookie|authorization|credential/i;

/** Nothing to hide or to unfold, as in the line of every request: JSON is written far faster without a replacer. */
function isPlain(fields: Fields): boolean {
  return Object.keys(fields).every((key) => {
    const value = fields[key];
    return (value === null || simple.has(typeof value)) && !secretKey.test(key);
  });
}

const simple: ReadonlySet<string> = new Set(['string', 'number', 'boolean', 'undefined']);

function toJson(value: Fields): string {
  try {
    if (isPlain(value)) return JSON.stringify(value);
    return JSON.stringify(value, (key, inner: unknown) => {
      if (secretKey.test(key) && typeof inner !== 'number' && typeof inner !== 'boolean') return '[hidden]';
      if (inner instanceof Error) return { name: inner.name, message: inner.message, stack: inner.stack };
      return typeof inner === 'bigint' ? String(inner) : inner;
    });
  } catch {
    // Fields that refer to themselves: a line without them is better than a crash.
    return JSON.stringify({ event: 'unloggable-fields' });
  }
}

/** Milliseconds that a line may wait for others: one write for each line would slow down every request. */
const maxWait = 10;

/** Joins lines that follow each other closely into one write. Writes the rest when the process exits. */
export function batchLines(write: (text: string) => void): (text: string) => void {
  let waiting = '';
  const flush = () => {
    if (waiting !== '') write(waiting);
    waiting = '';
  };
  process.on('exit', flush);
  return (text) => {
    if (waiting === '') setTimeout(flush, maxWait).unref();
    waiting += text;
  };
}
