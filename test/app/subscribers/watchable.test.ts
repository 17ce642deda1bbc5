// @vitest-environment node
import { describe, expect, test } from 'vitest';
import { watchable } from '../../../src/app/subscribers/watchable.ts';
import { testTime } from '../../setup/fixed-time.ts';
import { anna } from '../harness/people.ts';

const can = { ...anna, expiresAt: '2026-12-31T22:00:00.000Z', hls: true, mpegTs: false, maxConnections: 3 };
const expired = { expiresAt: '2026-05-20T22:30:00.000Z' };
const noFormat = { hls: false, mpegTs: false };

describe('who can watch is told on how many devices and until when', () => {
  test.each([
    [1, 'Can watch on one device at a time, until 31 Dec 2026, 23:00 (22:00 UTC).'],
    [3, 'Can watch on up to 3 devices at once, until 31 Dec 2026, 23:00 (22:00 UTC).'],
  ])('%d', (maxConnections, sentence) => {
    expect(watchable({ ...can, maxConnections }, 'Active', testTime)).toEqual({ tone: 'ok', sentence });
  });
});

describe('who cannot watch is told every reason', () => {
  test.each([
    [expired, 'Active', 'the subscription expired on 21 May 2026, 00:30 (20 May 2026, 22:30 UTC).'],
    [noFormat, 'Active', 'no delivery format is on.'],
    [
      { ...expired, ...noFormat },
      'Blocked',
      'the subscription expired on 21 May 2026, 00:30 (20 May 2026, 22:30 UTC), and no delivery format is on, and the status is Blocked.',
    ],
  ])('%o, %s', (change, status, reasons) => {
    const sentence = `Cannot watch: ${reasons}`;
    expect(watchable({ ...can, ...change }, status, testTime)).toEqual({ tone: 'bad', sentence });
  });

  test('or what may be one: a status of another name, of which nobody says what it stops', () => {
    const sentence = 'May not be able to watch: the status is Suspended.';
    expect(watchable(can, 'Suspended', testTime)).toEqual({ tone: 'warn', sentence });
  });

  test('but nothing of a status whose name is not known', () => {
    expect(watchable(can, undefined, testTime).tone).toBe('ok');
  });

  test('from the instant of the expiry on', () => {
    const at = Date.parse(can.expiresAt);
    expect(watchable(can, 'Active', at - 1).tone).toBe('ok');
    expect(watchable(can, 'Active', at).tone).toBe('bad');
  });
});
