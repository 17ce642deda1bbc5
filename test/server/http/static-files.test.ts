import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it, test } from 'vitest';
import { packFiles } from '../../../src/server/build/pack-files.ts';
import { chooseEncoding, createPages } from '../../../src/server/http/static-files.ts';
import { temporaryFolder } from '../../support/server/temporary-folder.ts';

const page = `<!doctype html><title>Desk</title>${'<p>text</p>'.repeat(50)}`;
const script = `console.log('${'x'.repeat(500)}')`;

/** A built dashboard with what must not be served beside it. */
async function arrange() {
  const parent = temporaryFolder();
  const folder = join(parent, 'app');
  mkdirSync(join(folder, 'assets'), { recursive: true });
  mkdirSync(join(folder, '.git'));
  writeFileSync(join(parent, 'secret.txt'), 'outside');
  writeFileSync(join(folder, 'index.html'), page);
  writeFileSync(join(folder, 'favicon.svg'), '<svg/>');
  writeFileSync(join(folder, 'assets/app-4f2a.js'), script);
  writeFileSync(join(folder, 'assets/app-4f2a.js.map'), '{"sources":[]}');
  writeFileSync(join(folder, '.stamp'), 'stamp');
  writeFileSync(join(folder, '.git/config.txt'), 'config');
  symlinkSync(join(parent, 'secret.txt'), join(folder, 'assets/link.txt'));
  symlinkSync(parent, join(folder, 'up'));
  await packFiles(folder);
  const pages = await createPages(folder);
  return (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    pages(new Request(`http://localhost${path}`, { headers, method }));
}
const get = await arrange();

test('the files of the dashboard are served under their type, and kept for ever where their name has a hash', async () => {
  const again = 'no-cache';
  const html = [200, 'text/html; charset=utf-8', again, page];
  const expected = {
    '/': html,
    '/index.html': html,
    '/subscribers': html,
    '/subscribers/17?tab=x': html,
    '/a/b/c/': html,
    '/assets/app-4f2a.js': [
      200,
      'text/javascript; charset=utf-8',
      'public, max-age=31536000, immutable',
      script,
    ],
    '/favicon.svg': [200, 'image/svg+xml', again, '<svg/>'],
  };
  const served: Record<string, unknown> = {};
  for (const path of Object.keys(expected)) {
    const answer = await get(path);
    const { headers, status } = answer;
    served[path] = [status, headers.get('Content-Type'), headers.get('Cache-Control'), await answer.text()];
  }
  expect(served).toEqual(expected);
});

test('whatever is no file of the dashboard is nowhere, however its path is written', async () => {
  const paths = [
    '/assets/app-0000.js',
    '/assets/missing',
    '/assets/',
    '/robots.txt',
    '/assets/app-4f2a.js.map',
    '/assets/app-4f2a.js.br',
    '/assets/app-4f2a.js.gz',
    '/.stamp',
    '/.git/config.txt',
    '/.git',
    '/assets/link.txt',
    '/up/secret.txt',
    '/../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/assets/..%2f..%2fsecret.txt',
    '/..%5csecret',
    '/a%5cb',
    '/%252e%252e%252fsecret.txt',
    '/subscribers/..%2f..%2fetc%2fpasswd',
    '/index.html%00',
    '/subscribers%00',
    '/a%5c..%5csecret',
    '/%ff',
    '//secret.txt',
    '/constructor.js',
  ];
  for (const path of paths) {
    const answer = await get(path);
    const reported = [answer.status, answer.headers.get('Cache-Control'), await answer.text()];
    expect(reported, path).toEqual([404, 'no-cache', 'There is nothing at this address.\n']);
  }
});

test.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('%s is no method of files', async (method) => {
  const answer = await get('/', {}, method);
  expect([answer.status, answer.headers.get('Allow')]).toEqual([405, 'GET, HEAD']);
});

describe('a file', () => {
  it('is packed as the browser takes it', async () => {
    const br = await get('/assets/app-4f2a.js', { 'Accept-Encoding': 'gzip, br' });
    const gz = await get('/assets/app-4f2a.js', { 'Accept-Encoding': 'gzip' });
    expect([br.headers.get('Content-Encoding'), gz.headers.get('Content-Encoding')]).toEqual(['br', 'gzip']);
    expect(brotliDecompressSync(await br.arrayBuffer()).toString()).toBe(script);
    expect(gunzipSync(await gz.arrayBuffer()).toString()).toBe(script);
    expect([br.headers.get('Vary'), gz.headers.get('Vary')]).toEqual(['Accept-Encoding', 'Accept-Encoding']);
  });

  it('is not packed where that gains nothing', async () => {
    const answer = await get('/favicon.svg', { 'Accept-Encoding': 'br, gzip' });
    expect([answer.headers.get('Content-Encoding'), await answer.text()]).toEqual([null, '<svg/>']);
  });

  it('has its own strong ETag in each encoding', async () => {
    const tags = await Promise.all(
      ['br', 'gzip', 'identity'].map(async (encoding) =>
        (await get('/', { 'Accept-Encoding': encoding })).headers.get('ETag'),
      ),
    );
    expect(new Set(tags).size).toBe(3);
    for (const tag of tags) expect(tag).toMatch(/^"[\w-]{22}(-br|-gzip)?"$/);
  });

  it('is not sent again where the browser has it', async () => {
    const tag = (await get('/')).headers.get('ETag') ?? '';
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const answer = await get('/', { 'If-None-Match': known });
      expect([answer.status, answer.headers.get('ETag'), answer.body]).toEqual([304, tag, null]);
      expect(answer.headers.get('Cache-Control')).toBe('no-cache');
    }
    expect((await get('/', { 'If-None-Match': '"other"' })).status).toBe(200);
    expect((await get('/', { 'If-None-Match': tag, 'Accept-Encoding': 'br' })).status).toBe(200);
  });

  it('is described by HEAD as GET would send it', async () => {
    const [head, whole] = [await get('/', {}, 'HEAD'), await get('/')];
    expect([...head.headers]).toEqual([...whole.headers]);
    expect(head.headers.get('Content-Length')).toBe(String(page.length));
    expect(head.body).toBeNull();
  });
});

test('a folder without a dashboard is refused at the start', async () => {
  await expect(createPages(temporaryFolder())).rejects.toThrow('There is no index.html');
});

test.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['GZIP', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['br; q=0.5, gzip;q=0.9', 'br'],
  ['br; q=0.0, gzip; q=0', 'identity'],
  ['*', 'identity'],
  ['deflate', 'identity'],
  ['', 'identity'],
  [null, 'identity'],
])('the Accept-Encoding %s → %s', (header, encoding) => {
  expect(chooseEncoding(header, { br: true, gzip: true })).toBe(encoding);
});

test('an encoding that is not offered is not chosen', () => {
  expect(chooseEncoding('br, gzip', { gzip: true })).toBe('gzip');
  expect(chooseEncoding('br, gzip', {})).toBe('identity');
});
