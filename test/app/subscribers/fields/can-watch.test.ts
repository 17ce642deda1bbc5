import { describe, expect, test } from 'vitest';
import { describeCanWatch } from '../../../../src/app/subscribers/fields/can-watch.ts';
import { testTime } from '../../../support/setup/fixed-time.ts';
import { person } from '../../../support/people.ts';

const can = person('anna', { expiresAt: '2026-12-31T22:00:00.000Z', mpegTs: false, maxConnections: 3 });
const expired = { expiresAt: '2026-05-20T22:30:00.000Z' };
const noFormat = { hls: false, mpegTs: false };

describe('a subscriber who can watch: on how many devices and until when', () => {
  test.each([
    [1, 'Can watch on one device at a time, until 31 Dec 2026, 23:00 (22:00 UTC).'],
    [3, 'Can watch on up to 3 devices at once, until 31 Dec 2026, 23:00 (22:00 UTC).'],
  ])('%d', (maxConnections, sentence) => {
    expect(describeCanWatch({ ...can, maxConnections }, 'Active', testTime)).toEqual({
      tone: 'ok',
      sentence,
    });
  });
});

describe('lists that may limit watching are named, without saying what they do', () => {
  test.each([
    [{ countries: ['NO'] }, 'countries'],
    [{ ipAddresses: ['192.0.2.1'], userAgents: ['VLC'] }, 'IP addresses and user agents'],
    [
      { countries: ['NO'], ipAddresses: ['192.0.2.1'], userAgents: ['VLC'] },
      'countries, IP addresses and user agents',
    ],
  ])('%o', (lists, words) => {
    const { tone, sentence } = describeCanWatch({ ...can, ...lists }, 'Active', testTime);
    expect([tone, sentence.slice(sentence.indexOf(' The record'))]).toEqual([
      'ok',
      ` The record lists ${words}, which may narrow that: what they mean, the service does not say.`,
    ]);
  });

  test('but neither bundles nor a list that was not sent', () => {
    const { countries: _none, ...without } = { ...can, bundles: [7] };
    expect(describeCanWatch(without, 'Active', testTime).sentence).not.toContain('lists');
  });
});

describe('a subscriber who cannot watch: every reason is named', () => {
  test.each([
    [expired, 'Active', 'the subscription expired on 21 May 2026, 00:30 (20 May 2026, 22:30 UTC).'],
    [
      { ...expired, ...noFormat },
      'Blocked',
      'the subscription expired on 21 May 2026, 00:30 (20 May 2026, 22:30 UTC), and no delivery format is on, and the status is Blocked.',
    ],
  ])('%o, %s', (change, status, reasons) => {
    const sentence = `Cannot watch: ${reasons}`;
    expect(describeCanWatch({ ...can, ...change }, status, testTime)).toEqual({ tone: 'bad', sentence });
  });

  test.each([
    [{}, 'Suspended', 'the status is Suspended.'],
    [noFormat, 'Active', 'no delivery format is on.'],
    [noFormat, 'Blocked', 'no delivery format is on, and the status is Blocked.'],
  ])(
    'or what may be a reason, as the service does not say what it stops: %o, %s',
    (change, status, possible) => {
      const sentence = `May not be able to watch: ${possible}`;
      expect(describeCanWatch({ ...can, ...change }, status, testTime)).toEqual({ tone: 'warn', sentence });
    },
  );

  test('but not a status whose name is not known', () => {
    expect(describeCanWatch(can, undefined, testTime).tone).toBe('ok');
  });

  test('an expiry stops watching from its instant on', () => {
    const at = Date.parse(can.expiresAt);
    expect(describeCanWatch(can, 'Active', at - 1).tone).toBe('ok');
    expect(describeCanWatch(can, 'Active', at).tone).toBe('bad');
  });
});
