import { describe, expect, it, test } from 'vitest';
import { describeCanWatch } from '../../../src/app/subscriber/can-watch.ts';
import { testTime } from '../../support/setup/fixed-time.ts';
import { person } from '../../support/people.ts';

const can = person('anna', { expiresAt: '2026-12-31T22:00:00.000Z', mpegTs: false, maxConnections: 3 });
const expired = { expiresAt: '2026-05-20T22:30:00.000Z' };
const noFormat = { hls: false, mpegTs: false };

describe('the sentence about a subscriber who can watch', () => {
  it.each([
    [1, 'Can watch on one device at a time until 31 Dec 2026, 23:00 (22:00 UTC).'],
    [3, 'Can watch on up to 3 devices at once until 31 Dec 2026, 23:00 (22:00 UTC).'],
  ])('says on how many devices and until when, with a limit of %d', (maxConnections, sentence) => {
    const free = { tone: 'ok', sentence, limits: '' };
    expect(describeCanWatch({ ...can, maxConnections }, 'Active', testTime)).toEqual(free);
  });
});

describe('the lists that limit watching', () => {
  const longApp = `Player/${'1'.repeat(60)}`;
  test.each([
    [{ countries: ['GR'] }, 'Greece.'],
    [{ countries: ['NO', 'SE', 'DK', 'FI', 'GR'] }, 'Norway, Sweden, Denmark and 2 more.'],
    [{ ipAddresses: ['192.0.2.0/24'] }, 'network 192.0.2.0/24.'],
    [{ ipAddresses: ['192.0.2.1', '2001:db8::/32'] }, 'networks 192.0.2.1 and 2001:db8::/32.'],
    [{ userAgents: [longApp] }, `app ${longApp.slice(0, 40)}…`],
    [
      { countries: ['NO'], ipAddresses: ['192.0.2.1'], userAgents: ['VLC', 'Kodi'] },
      'Norway; network 192.0.2.1; apps VLC and Kodi.',
    ],
  ])('lists with entries are named, which is no warning: %o', (lists, words) => {
    const { tone, limits } = describeCanWatch({ ...can, ...lists }, 'Active', testTime);
    expect([tone, limits]).toEqual(['neutral', `Limited to: ${words}`]);
  });

  test('bundles are not named as a limit', () => {
    const withBundle = { ...can, bundles: [7] };
    expect(describeCanWatch(withBundle, 'Active', testTime).limits).toBe('');
  });

  test('nothing is said to be fine while a list or the name of the status is unknown', () => {
    const { countries: _none, ...without } = can;
    expect(describeCanWatch(without, 'Active', testTime)).toMatchObject({ tone: 'neutral', limits: null });
    expect(describeCanWatch(can, undefined, testTime)).toMatchObject({ tone: 'neutral', limits: '' });
  });
});

test('nobody is said to be able to watch whose expiry can’t be read', () => {
  expect(describeCanWatch({ ...can, expiresAt: '' }, 'Active', testTime)).toMatchObject({
    tone: 'warn',
    sentence: 'May not be able to watch: the expiry can’t be read.',
  });
});

test('nobody is said to be able to watch on no device, as a service may have no limit in mind', () => {
  expect(describeCanWatch({ ...can, maxConnections: 0 }, 'Active', testTime)).toMatchObject({
    tone: 'warn',
    sentence: 'May not be able to watch: the connection limit is 0.',
  });
});

describe('the sentence about a subscriber who cannot watch', () => {
  it.each([
    [expired, 'Active', 'expired on 21 May 2026, 00:30 (20 May 2026, 22:30 UTC).'],
    [
      { ...expired, ...noFormat },
      'Blocked',
      'expired on 21 May 2026, 00:30 (20 May 2026, 22:30 UTC); HLS and MPEG-TS are both off; status Blocked.',
    ],
  ])('names every reason: %o, %s', (change, status, reasons) => {
    const sentence = `Can’t watch: ${reasons}`;
    expect(describeCanWatch({ ...can, ...change }, status, testTime)).toMatchObject({
      tone: 'bad',
      sentence,
    });
  });

  it.each([
    [{}, 'Suspended', 'status Suspended.'],
    [noFormat, 'Active', 'HLS and MPEG-TS are both off.'],
    [noFormat, 'Blocked', 'HLS and MPEG-TS are both off; status Blocked.'],
  ])(
    'names every possible reason, as the service does not say what it does: %o, %s',
    (change, status, possible) => {
      const sentence = `Probably can’t watch: ${possible}`;
      expect(describeCanWatch({ ...can, ...change }, status, testTime)).toMatchObject({
        tone: 'warn',
        sentence,
      });
    },
  );

  it('says where the status is set, if it is a reason', () => {
    const help = (change: object, status: string) =>
      describeCanWatch({ ...can, ...change }, status, testTime, 'Ask Ola.').sentence;
    expect(help({}, 'Blocked')).toBe('Probably can’t watch: status Blocked. Ask Ola.');
    expect(help({ expiresAt: '2026-05-20T22:30:00.000Z' }, 'Blocked')).toMatch(/status Blocked\. Ask Ola\.$/);
    for (const change of [{}, noFormat]) expect(help(change, 'Active')).not.toContain('Ola');
  });

  test('an expiry stops watching from that instant on', () => {
    const at = Date.parse(can.expiresAt);
    expect(describeCanWatch(can, 'Active', at - 1).tone).toBe('ok');
    expect(describeCanWatch(can, 'Active', at).tone).toBe('bad');
  });
});
