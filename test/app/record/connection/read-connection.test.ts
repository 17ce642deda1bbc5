import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { countryCode, spokenCountries } from '../../../../src/app/subscriber/countries.ts';
import { createConnectionReader } from '../../../../src/app/record/connection/read-connection.ts';

const read = createConnectionReader(
  countryCode,
  spokenCountries(),
  (town) => ({ oslo: 'NO', 'new york': 'US' })[town.toLowerCase()],
  ['MyBox/2.1 (x)', 'Home Viewer'],
);
const nothing = { addresses: [], userAgents: [], apps: [], countries: [], places: [], formats: [] };
const chrome =
  'Mozilla/5.0 (SMART-TV; Linux; Tizen 6.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 TV Safari/537.36';

describe('lines of a log', () => {
  test.each([
    [
      'nginx',
      '203.0.113.7 - - [22/Nov/2026:19:12:17 +0000] "GET /live/some-token/12.ts HTTP/1.1" 403 152 "-" "VLC/3.0.18 LibVLC/3.0.18"',
      { addresses: ['203.0.113.7'], userAgents: ['VLC/3.0.18 LibVLC/3.0.18'], formats: ['ts'] },
    ],
    [
      'nginx with the addresses of proxies',
      '10.0.0.2 - - [22/Nov/2026:19:12:17 +0000] "GET /l/x/index.m3u8?x=1 HTTP/2.0" 403 0 "https://192.0.2.99/page" "TiviMate" "203.0.113.7, 198.51.100.2"',
      {
        addresses: ['203.0.113.7', '198.51.100.2', '10.0.0.2'],
        userAgents: ['TiviMate'],
        formats: ['hls'],
      },
    ],
    [
      'Apache with IPv6',
      `2001:DB8:0::7 - kari [22/Nov/2026:19:12:17 +0000] "GET /hls/seg1.ts HTTP/1.1" 200 5 "-" "${chrome}"`,
      { addresses: ['2001:db8::7'], userAgents: [chrome], formats: ['hls'] },
    ],
    [
      'nginx with a country',
      '203.0.113.7 "NO" "GET / HTTP/1.1" 200 "-" "okhttp/4.11.0"',
      { addresses: ['203.0.113.7'], userAgents: ['okhttp/4.11.0'], countries: ['NO'] },
    ],
    [
      'JSON',
      `{"remote_addr":"203.0.113.7:5123","server_addr":"192.0.2.1","http_user_agent":"${chrome}","request_uri":"/a/b.m3u8","geoip_country_code":"GR"}`,
      { addresses: ['203.0.113.7'], userAgents: [chrome], countries: ['GR'], formats: ['hls'] },
    ],
    [
      'JSON of Caddy',
      '{"request":{"remote_ip":"203.0.113.7","uri":"/x.ts","headers":{"User-Agent":["VLC/3.0.18"]}}}',
      { addresses: ['203.0.113.7'], userAgents: ['VLC/3.0.18'], formats: ['ts'] },
    ],
    [
      'a line in JSON',
      '{"log":"203.0.113.7 - - \\"GET /x.m3u8 HTTP/1.1\\" 200 1 \\"-\\" \\"VLC/3\\"\\n"}',
      { addresses: ['203.0.113.7'], userAgents: ['VLC/3'], formats: ['hls'] },
    ],
    [
      'headers',
      `X-Forwarded-For: 203.0.113.7\r\nUser-Agent: ${chrome}\r\n`,
      { addresses: ['203.0.113.7'], userAgents: [chrome] },
    ],
    [
      'names and values',
      `ip=203.0.113.7 country=NO ua="${chrome}" output=ts`,
      { addresses: ['203.0.113.7'], countries: ['NO'], userAgents: [chrome] },
    ],
    [
      'several lines, each value once',
      '203.0.113.7 "GET /a.ts HTTP/1.1" 200 1 "-" "VLC/3"\n203.0.113.7 "GET /b.ts HTTP/1.1" 200 1 "-" "Kodi/21"',
      { addresses: ['203.0.113.7'], userAgents: ['VLC/3', 'Kodi/21'], formats: ['ts'] },
    ],
  ])('the facts in %s are read', (_, text, expected) => {
    expect(read(text)).toEqual({ ...nothing, ...expected });
  });
});

describe('the words of a caller', () => {
  test.each([
    ['My IP is 203.0.113.7.', { addresses: ['203.0.113.7'] }],
    ['ip:2001:db8::1, in Norway', { addresses: ['2001:db8::1'], countries: ['NO'] }],
    ['[2001:db8::1]:443', { addresses: ['2001:db8::1'] }],
    ['fe80::1%eth0 and 2001:db8::', { addresses: ['fe80::1', '2001:db8::'] }],
    ['192.0.2.0/24', { addresses: ['192.0.2.0/24'] }],
    ['VLC/3.0.18, Papua New Guinea', { userAgents: ['VLC/3.0.18'], countries: ['PG'] }],
    ['calls from niger', { countries: ['NE'] }],
    ['Country: GR', { countries: ['GR'] }],
    ['203.0.113.7, GR', { addresses: ['203.0.113.7'], countries: ['GR'] }],
    [chrome, { userAgents: [chrome] }],
    ['HLS does not work', { formats: ['hls'] }],
    ['http://192.0.2.1/live/a/b/5.ts', { formats: ['ts'] }],
    ['http://tv.example/get.php?x=1&output=ts', { formats: ['mpegTs'] }],
    ['mpegts on the TV, IT says OK', { formats: ['mpegTs'] }],
    ['with VLC on my Samsung TV, the m3u8', { apps: ['Samsung TV', 'VLC'], formats: ['hls'] }],
    ['the vlc app and my mybox and the home viewer', { apps: ['VLC', 'MyBox', 'Home Viewer'] }],
    ['in Turkey, then the UK', { countries: ['TR', 'GB'] }],
    ['I am in oslo with Kodi', { countries: ['NO'], apps: ['Kodi'] }],
    ['from New York to Tromsø', { countries: ['US'] }],
    ['in Tromsø since Monday, in the kitchen', { places: ['Tromsø'] }],
    ['a .ts link', { formats: ['ts'] }],
    ['version 1.2.3, at 19:12:17 on 22/11/2026', {}],
    ['AM I ON TV?', {}],
    ['', {}],
    ['[1, 2]', {}],
    ['{"a', {}],
  ])('the facts in %j are read', (text, expected) => {
    expect(read(text)).toEqual({ ...nothing, ...expected });
  });
});

describe('a reader of any text', () => {
  it('finds something without failing, and only countries and addresses that exist', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json(), fc.string({ unit: 'binary' })), (text) => {
        const { addresses, countries } = read(text);
        for (const code of countries) expect(code).toMatch(/^[A-Z]{2}$/);
        for (const address of addresses) expect(read(address).addresses).toEqual([address]);
      }),
    );
  });

  it('finds the address, the app and the format of any log line', () => {
    const lines = fc.record({
      address: fc.oneof(fc.ipV4(), fc.ipV6()),
      agent: fc.constantFrom('VLC/3.0.18 LibVLC/3.0.18', chrome, 'okhttp/4.11.0', 'TiviMate'),
      file: fc.constantFrom('a.m3u8', '12.ts'),
      port: fc.boolean(),
    });
    fc.assert(
      fc.property(lines, ({ address, agent, file, port }) => {
        const written = address.includes(':') ? `[${address}]` : address;
        const from = port ? `${written}:4711` : address;
        const { addresses, userAgents, formats } = read(
          `${from} - - [22/Nov/2026:19:12:17 +0000] "GET /live/t/${file} HTTP/1.1" 403 0 "-" "${agent}"`,
        );
        const format = file === '12.ts' ? 'ts' : 'hls';
        expect([addresses, userAgents, formats]).toEqual([read(address).addresses, [agent], [format]]);
        expect(addresses).toHaveLength(1);
      }),
    );
  });
});
