import type { Log } from '../contract/http/log.ts';
import { logLevels } from './config/config-variables.ts';

interface LogOptions {
  write: (line: string) => void;
  /** Readable for a person; otherwise one JSON object a line for a machine. */
  terminal: boolean;
  /** The least level that is written. */
  level: (typeof logLevels)[number];
  clock: () => number;
}

/** Structured logs. What its key calls a secret is written as `[hidden]`, whoever logged it by mistake. */
export function createLog({ write, terminal, level: least, clock }: LogOptions): Log {
  return (level, event, facts = {}) => {
    if (logLevels.indexOf(level) < logLevels.indexOf(least)) return;
    const time = new Date(clock()).toISOString();
    write(terminal ? readableLine(time, level, event, facts) : jsonLine(time, level, event, facts));
  };
}

type Facts = Readonly<Record<string, unknown>>;

function jsonLine(time: string, level: string, event: string, facts: Facts): string {
  const own = { time, level, event };
  // In front, and again because no fact can stand in for one of them.
  return `${toJson({ ...own, ...facts, ...own })}\n`;
}

function readableLine(time: string, level: string, event: string, facts: Facts): string {
  const pairs = Object.keys(facts).map((key) => `${key}=${readable(toJson({ [key]: facts[key] }), key)}`);
  return `${[time.slice(11, 19), level.padEnd(5), event, ...pairs].join(' ')}\n`;
}

/** `{"key":"plain"}` → `plain`. Text that could forge a line or a pair keeps its quotes and escapes. */
function readable(json: string, key: string): string {
  const value = json.slice(JSON.stringify(key).length + 2, -1);
  return /^"[\w./:-]+"$/.test(value) ? value.slice(1, -1) : value;
}

const secretKey = /password|secret|token|cookie|authorization|credential/i;

/** Nothing to hide and nothing to unfold, as in the line that every request has: JSON is written far faster without asking. */
function isPlain(facts: Facts): boolean {
  return Object.keys(facts).every((key) => {
    const fact = facts[key];
    return (fact === null || simple.has(typeof fact)) && !secretKey.test(key);
  });
}

const simple: ReadonlySet<string> = new Set(['string', 'number', 'boolean', 'undefined']);

function toJson(value: Facts): string {
  try {
    if (isPlain(value)) return JSON.stringify(value);
    return JSON.stringify(value, (key, inner: unknown) => {
      if (secretKey.test(key) && typeof inner !== 'number' && typeof inner !== 'boolean') return '[hidden]';
      if (inner instanceof Error) return { name: inner.name, message: inner.message, stack: inner.stack };
      return typeof inner === 'bigint' ? String(inner) : inner;
    });
  } catch {
    // Facts that refer to themselves: better a line without them than a crash because of a log.
    return JSON.stringify({ event: 'unloggable-facts' });
  }
}
