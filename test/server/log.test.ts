import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest';
import { batchLines, createLog } from '../../src/server/log.ts';
import { startProcess } from '../support/server/start-process.ts';

function arrange(options: { terminal?: boolean; level?: 'info' | 'warn' | 'error' } = {}) {
  const lines: string[] = [];
  const log = createLog({
    write: (line) => lines.push(line),
    terminal: options.terminal ?? false,
    level: options.level ?? 'info',
    clock: () => Date.UTC(2026, 0, 2, 3, 4, 5, 678),
  });
  return { log, lines };
}

describe('the log on a pipe', () => {
  it('has one line of JSON for an event', () => {
    const { log, lines } = arrange();
    log('warn', 'request', { status: 503, route: '/api/subscribers/{id}', staffId: null });
    expect(lines).toEqual([
      '{"time":"2026-01-02T03:04:05.678Z","level":"warn","event":"request","status":503,"route":"/api/subscribers/{id}","staffId":null}\n',
    ]);
  });

  it('takes no fact for its time, level or event', () => {
    const { log, lines } = arrange();
    log('error', 'real', { level: 'info', event: 'forged', time: 'never' });
    const line = { time: '2026-01-02T03:04:05.678Z', level: 'error', event: 'real' };
    expect(JSON.parse(lines.join(''))).toEqual(line);
  });

  it('has an error with its stack, on one line', () => {
    const { log, lines } = arrange();
    log('error', 'failed', { error: new TypeError('odd\nthing') });
    expect(lines.join('').match(/\n/g)).toHaveLength(1);
    expect(JSON.parse(lines.join('')).error).toMatchObject({
      name: 'TypeError',
      message: 'odd\nthing',
      stack: expect.stringContaining('log.test.ts'),
    });
  });
});

describe('the log on a terminal', () => {
  it('has a line to read for an event, which no fact can forge', () => {
    const { log, lines } = arrange({ terminal: true });
    log('info', 'request', { method: 'GET', route: '/healthz', status: 200, ms: 3 });
    log('info', 'x', { a: 'one\n03:04:05 error forged', b: 'two c=3', d: '\u001b[2J' });
    expect(lines).toEqual([
      '03:04:05 info  request method=GET route=/healthz status=200 ms=3\n',
      '03:04:05 info  x a="one\\n03:04:05 error forged" b="two c=3" d="\\u001b[2J"\n',
    ]);
  });
});

test.each([
  ['info', ['a', 'b', 'c']],
  ['warn', ['b', 'c']],
  ['error', ['c']],
] as const)('LOG_LEVEL=%s keeps what is less to itself', (level, events) => {
  const { log, lines } = arrange({ level });
  log('info', 'a');
  log('warn', 'b');
  log('error', 'c');
  expect(lines.map((line) => JSON.parse(line).event)).toEqual(events);
});

test.each([true, false])('secrets are hidden by their name at any depth (on a terminal: %s)', (terminal) => {
  const { log, lines } = arrange({ terminal });
  log('info', 'x', {
    password: 'canary-1',
    accessToken: 'canary-2',
    headers: { Cookie: 'canary-3', Authorization: 'canary-4', inner: [{ client_secret: 'canary-5' }] },
    Credentials: { name: 'canary-6' },
    tokensIssued: 7,
  });
  expect(lines.join('')).not.toContain('canary');
  expect(lines.join('')).toMatch(/tokensIssued"?[:=]7/);
});

test.each([true, false])(
  'what JSON cannot hold loses the facts and not the process (on a terminal: %s)',
  (terminal) => {
    const { log, lines } = arrange({ terminal });
    const round: Record<string, unknown> = {};
    round['self'] = round;
    log('info', 'x', { big: 2n ** 60n, nothing: undefined });
    log('info', 'y', { round });
    expect(lines[0]).toContain('1152921504606846976');
    expect(lines[1]).toContain('unloggable');
  },
);

describe('a line of the log', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('is written with those that come shortly after it, in order, and waits for them once', () => {
    const written: string[] = [];
    const write = batchLines((text) => void written.push(text));
    write('a\n');
    write('b\n');
    expect(written).toEqual([]);
    vi.advanceTimersByTime(9);
    write('c\n');
    vi.advanceTimersByTime(1);
    expect(written).toEqual(['a\nb\nc\n']);
    write('d\n');
    vi.advanceTimersByTime(100);
    expect(written).toEqual(['a\nb\nc\n', 'd\n']);
  });
});

test('the last line before a process exits is written', async () => {
  const file = new URL('../../src/server/log.ts', import.meta.url).href;
  const script = `import { batchLines } from '${file}';
    batchLines((text) => process.stdout.write(text))('last\\n');
    process.exit(0);`;
  const { ended } = startProcess(['--input-type=module', '-e', script]);
  expect((await ended).stdout).toBe('last\n');
});
