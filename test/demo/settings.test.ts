import { describe, expect, it } from 'vitest';
import {
  defaultSettings,
  readAddress,
  readFile,
  readLink,
  withoutLink,
  writeLink,
  type Settings,
} from '../../src/demo/settings.ts';

const odd: Settings = {
  scenario: 'caller',
  role: 'viewer',
  data: 'expired-trials',
  faults: ['slow', 'lost-answers'],
  days: 37,
  bar: 'off',
  name: 'Example TV',
  colour: '0a7d4f',
  logo: 'logo.svg',
  statuses: 'Paused,Gone',
};

describe('a link to a demo', () => {
  it('contains all settings that differ from the default', () => {
    expect(readLink(writeLink(odd))).toEqual(odd);
    expect(String(writeLink(defaultSettings))).toBe('');
    expect(readLink(new URLSearchParams())).toEqual({});
  });

  it('ignores unknown and invalid settings', () => {
    for (const [query, settings] of [
      ['demo-role=owner', {}],
      ['demo-role=support&demo-data=a-million', { role: 'support' }],
      ['demo-faults=slow,fire', {}],
      ['demo-days=-1&demo-data=25', { data: '25' }],
      ['demo-days=soon', {}],
      ['demo-days=', { days: 0 }],
      ['role=viewer', {}],
      ['demo-colour=red', {}],
      ['demo-logo=https://elsewhere.example/logo.svg', {}],
      ['demo-bar=off', { bar: 'off' }],
    ] as const)
      expect(readLink(new URLSearchParams(query)), query).toEqual(settings);
  });

  it('can name a file with the same settings, of which unknown and invalid ones are ignored, too', () => {
    const { faults, statuses, ...others } = odd;
    expect(readFile({ ...others, faults, statuses: statuses.split(',') })).toEqual(odd);
    expect(readFile({ name: 'Example TV', colour: 'red', days: null, price: 3 })).toEqual({
      name: 'Example TV',
    });
  });

  it('loses the demo’s parameters, and the dashboard’s stay as they were written', () => {
    expect(withoutLink('/subscribers?status=1&demo-days=3&username=a%20b')).toBe(
      '/subscribers?status=1&username=a%20b',
    );
    expect(withoutLink('/subscribers/12?demo-data=25')).toBe('/subscribers/12');
  });
});

describe('an address of the demo', () => {
  const base = new URL('https://pages.example/some/demo/');
  const read = (rest: string) => {
    const { at, query } = readAddress(`${base.href}${rest}`, base);
    return { at, query: readLink(query) };
  };

  it('is one of the dashboard below the demo’s folder', () => {
    expect(read('subscribers/12?page=2&demo-role=viewer')).toEqual({
      at: '/subscribers/12?page=2',
      query: { role: 'viewer' },
    });
    expect(read('')).toEqual({ at: '/', query: {} });
  });

  it('comes as a parameter where the host has no file for it, with the settings in it', () => {
    const given = encodeURIComponent('/subscribers/12?page=2&demo-data=25');
    expect(read(`?demo-at=${given}`)).toEqual({ at: '/subscribers/12?page=2', query: { data: '25' } });
    expect(read(`?demo-at=%2Fstaff&demo-role=support`)).toEqual({ at: '/staff', query: { role: 'support' } });
  });

  it('becomes the start page where it is on another site', () => {
    for (const at of ['https://evil.example/', '//evil.example/', 'javascript:alert(1)'])
      expect(read(`?demo-at=${encodeURIComponent(at)}`).at, at).toBe('/');
  });
});
