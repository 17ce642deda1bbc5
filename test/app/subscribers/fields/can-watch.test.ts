import { describe, expect, test } from 'vitest';
import { describeCanWatch } from '../../../../src/app/subscribers/fields/can-watch.ts';
import { testTime } from '../../../support/setup/fixed-time.ts';
import { person } from '../../../support/people.ts';

const can = person('anna', { expiresAt: '2026-12-31T22:00:00.000Z', mpegTs: false, maxConnections: 3 });
const expired = { expiresAt: '2026-05-20T22:30:00.000Z' };
const noFormat = { hls: false, mpegTs: false };

describe('a subscriber who can watch: the sentence says on how many devices and until when', () => {
  test.each([
    [1, 'Can watch on one device at a time until 31 Dec 2026, 23:00 (22:00 UTC).'],
    [3, 'Can watch on up to 3 devices at once until 31 Dec 2026, 23:00 (22:00 UTC).'],
  ])('with a limit of %d', (maxConnections, sentence) => {
    expect(describeCanWatch({ ...can, maxConnections }, 'Active', testTime)).toEqual({
      tone: 'ok',
      sentence,
    });
  });
});

describe('lists that may limit watching are mentioned, with the names of a few countries', () => {
  test.each([
    [{ countries: ['NO'] }, 'countries (Norway)'],
    [{ countries: ['NO', 'SE', 'DK', 'FI'] }, 'countries'],
    [{ ipAddresses: ['192.0.2.1'], userAgents: ['VLC'] }, 'IP addresses and user agents'],
    [
      { countries: ['NO'], ipAddresses: ['192.0.2.1'], userAgents: ['VLC'] },
      'countries (Norway), IP addresses and user agents',
    ],
  ])('%o', (lists, words) => {
    const { tone, sentence } = describeCanWatch({ ...can, ...lists }, 'Active', testTime);
    expect([tone, sentence.slice(sentence.indexOf(' Limits'))]).toEqual([
      'ok',
      ` Limits on ${words} may also apply.`,
    ]);
  });

  test('but not bundles, nor a list that was not sent', () => {
    const { countries: _none, ...without } = { ...can, bundles: [7] };
    expect(describeCanWatch(without, 'Active', testTime).sentence).not.toContain('Limits');
  });
});

describe('a subscriber who cannot watch: the sentence names every reason', () => {
  test.each([
    [expired, 'Active', 'expired on 21 May 2026, 00:30 (20 May 2026, 22:30 UTC).'],
    [
      { ...expired, ...noFormat },
      'Blocked',
      'expired on 21 May 2026, 00:30 (20 May 2026, 22:30 UTC); HLS and MPEG-TS are both off; status Blocked.',
    ],
  ])('%o, %s', (change, status, reasons) => {
    const sentence = `Can’t watch: ${reasons}`;
    expect(describeCanWatch({ ...can, ...change }, status, testTime)).toEqual({ tone: 'bad', sentence });
  });

  test.each([
    [{}, 'Suspended', 'status Suspended.'],
    [noFormat, 'Active', 'HLS and MPEG-TS are both off.'],
    [noFormat, 'Blocked', 'HLS and MPEG-TS are both off; status Blocked.'],
  ])(
    'or every possible reason, as the service does not say what it does: %o, %s',
    (change, status, possible) => {
      const sentence = `Probably can’t watch: ${possible}`;
      expect(describeCanWatch({ ...can, ...change }, status, testTime)).toEqual({ tone: 'warn', sentence });
    },
  );

  test('and where it is set, if it is a reason', () => {
    const help = (change: object, status: string) =>
      describeCanWatch({ ...can, ...change }, status, testTime, 'Ask Ola.').sentence;
    expect(help({}, 'Blocked')).toBe('Probably can’t watch: status Blocked. Ask Ola.');
    expect(help({ expiresAt: '2026-05-20T22:30:00.000Z' }, 'Blocked')).toMatch(/status Blocked\. Ask Ola\.$/);
    for (const change of [{}, noFormat]) expect(help(change, 'Active')).not.toContain('Ola');
  });

  test('but not a status whose name is unknown', () => {
    expect(describeCanWatch(can, undefined, testTime).tone).toBe('ok');
  });

  test('an expiry stops watching from that instant on', () => {
    const at = Date.parse(can.expiresAt);
    expect(describeCanWatch(can, 'Active', at - 1).tone).toBe('ok');
    expect(describeCanWatch(can, 'Active', at).tone).toBe('bad');
  });
});
