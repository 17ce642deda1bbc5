import { describe, expect, test } from 'vitest';
import { readAddress } from '../../src/demo/settings.ts';
import { readLink, defaultSettings, withoutLink, writeLink, type Settings } from '../../src/demo/settings.ts';

const odd: Settings = { role: 'viewer', data: 'expired-trials', faults: ['slow', 'lost-answers'], days: 37 };

describe('a link to a demo', () => {
  test('names all settings that differ from the default', () => {
    expect(readLink(writeLink(odd))).toEqual(odd);
    expect(String(writeLink(defaultSettings))).toBe('');
    expect(readLink(new URLSearchParams())).toEqual({});
  });

  test.each([
    ['demo-role=owner', {}],
    ['demo-role=support&demo-data=a-million', { role: 'support' }],
    ['demo-faults=slow,fire', {}],
    ['demo-days=-1&demo-data=25', { data: '25' }],
    ['demo-days=soon', {}],
    ['demo-days=', { days: 0 }],
    ['role=viewer', {}],
  ])('leaves out what makes no sense: %s', (query, settings) => {
    expect(readLink(new URLSearchParams(query))).toEqual(settings);
  });

  test('is taken out of the address, and what is the dashboard’s stays as it was written', () => {
    expect(withoutLink('/subscribers?status=1&demo-days=3&username=a%20b')).toBe(
      '/subscribers?status=1&username=a%20b',
    );
    expect(withoutLink('/subscribers/12?demo-data=25')).toBe('/subscribers/12');
  });
});

describe('an address', () => {
  const base = new URL('https://pages.example/some/demo/');
  const read = (rest: string) => {
    const { at, asked } = readAddress(`${base.href}${rest}`, base);
    return { at, asked: readLink(asked) };
  };

  test('is the dashboard’s below the folder of the demo', () => {
    expect(read('subscribers/12?page=2&demo-role=viewer')).toEqual({
      at: '/subscribers/12?page=2',
      asked: { role: 'viewer' },
    });
    expect(read('')).toEqual({ at: '/', asked: {} });
  });

  test('that the host had no file for is handed over, with what it asked of the demo', () => {
    const handed = encodeURIComponent('/subscribers/12?page=2&demo-data=25');
    expect(read(`?demo-at=${handed}`)).toEqual({ at: '/subscribers/12?page=2', asked: { data: '25' } });
    expect(read(`?demo-at=%2Fstaff&demo-role=support`)).toEqual({ at: '/staff', asked: { role: 'support' } });
  });

  test.each(['https://evil.example/', '//evil.example/', 'javascript:alert(1)'])(
    'that leads elsewhere (%s) leads to the beginning',
    (at) => {
      expect(read(`?demo-at=${encodeURIComponent(at)}`).at).toBe('/');
    },
  );
});
