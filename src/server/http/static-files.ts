import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';

type Pages = (request: Request) => Promise<Response>;

/** The endings of the files that the build packs beside their originals. */
export const packedEndings = { br: '.br', gzip: '.gz' } as const;

type Encoding = keyof typeof packedEndings | 'identity';

interface StoredFile {
  type: string;
  etag: string;
  bodies: Partial<Record<Encoding, Uint8Array<ArrayBuffer>>> & { identity: Uint8Array<ArrayBuffer> };
}

/**
 * Serves the built dashboard from memory: only files that are in the folder now exist, so no path leads out of it.
 *
 * @throws if the folder or its `index.html` cannot be read
 */
export async function createPages(folder: string): Promise<Pages> {
  const files = new Map<string, StoredFile>();
  await Promise.all(
    (await listFiles(folder, '/')).map(async (path) => {
      files.set(path, await storeFile(path, join(folder, path)));
    }),
  );
  const index = files.get('/index.html');
  if (!index) throw new Error(`There is no index.html in ${folder}.`);
  return async (request) => {
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return new Response(null, { status: 405, headers: { Allow: 'GET, HEAD' } });
    const path = readPath(request.url);
    const file = path === null ? undefined : (files.get(path) ?? (isPage(path) ? index : undefined));
    if (path === null || !file)
      return new Response('There is nothing at this address.\n', {
        status: 404,
        headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-cache' },
      });
    return answer(request, file, path.startsWith(hashedFolder));
  };
}

/** Vite names these files by their content, so they never change. */
const hashedFolder = '/assets/';

/** The dashboard's own router answers every address that is not a file's. */
function isPage(path: string): boolean {
  return !path.startsWith(hashedFolder) && extname(path) === '';
}

/** The decoded path; null if none of our files and pages can have it. */
function readPath(url: string): string | null {
  try {
    const path = decodeURIComponent(new URL(url).pathname);
    const odd = path.includes('\\') || path.includes('\0') || path.includes('/.') || path.includes('//');
    return odd ? null : path;
  } catch {
    return null;
  }
}

function answer(request: Request, file: StoredFile, immutable: boolean): Response {
  const encoding = chooseEncoding(request.headers.get('Accept-Encoding'), file.bodies);
  const body = file.bodies[encoding] ?? file.bodies.identity;
  // Strong tags differ by encoding: the bytes do (RFC 9110 section 8.8.3).
  const etag = encoding === 'identity' ? `"${file.etag}"` : `"${file.etag}-${encoding}"`;
  const headers = new Headers({
    'Cache-Control': immutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    ETag: etag,
    Vary: 'Accept-Encoding',
  });
  if (isUnchanged(request.headers.get('If-None-Match'), etag))
    return new Response(null, { status: 304, headers });
  headers.set('Content-Type', file.type);
  headers.set('Content-Length', String(body.byteLength));
  if (encoding !== 'identity') headers.set('Content-Encoding', encoding);
  return new Response(request.method === 'HEAD' ? null : body, { headers });
}

/** So many parts of a header are read. Browsers send a few; a stranger’s thousands would keep everybody waiting. */
const readAtMost = 50;

/**
 * The smallest encoding that both sides have (RFC 9110 section 12.5.3). `identity` if nothing else fits, even when the browser
 * refuses it: better than no page.
 */
export function chooseEncoding(
  header: string | null,
  offered: Readonly<Partial<Record<Encoding, unknown>>>,
): Encoding {
  const accepted = (header ?? '')
    .toLowerCase()
    .split(',', readAtMost)
    .flatMap((part) => (/;\s*q=0(\.0*)?\s*$/.test(part) ? [] : [part.split(';')[0]?.trim()]));
  const best = (['br', 'gzip'] as const).find((name) => offered[name] && accepted.includes(name));
  return best ?? 'identity';
}

function isUnchanged(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  const known = ifNoneMatch.split(',', readAtMost).map((tag) => tag.trim().replace(/^W\//, ''));
  return known.includes('*') || known.includes(etag);
}

/** Source maps; and packed files, which answer requests for their originals. */
const notForBrowsers = /\.(map|br|gz)$/;

/**
 * Paths of the files that may be served. Links could lead out of the folder; dot-files and source maps are not for
 * browsers.
 */
async function listFiles(folder: string, at: string): Promise<string[]> {
  const entries = await readdir(join(folder, at), { withFileTypes: true });
  const found = entries
    .filter(({ name }) => !name.startsWith('.') && !notForBrowsers.test(name))
    .map(async (entry) => {
      if (entry.isDirectory()) return listFiles(folder, `${at}${entry.name}/`);
      return entry.isFile() ? [`${at}${entry.name}`] : [];
    });
  return (await Promise.all(found)).flat();
}

const types: Partial<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
};
async function storeFile(path: string, file: string): Promise<StoredFile> {
  const identity = new Uint8Array(await readFile(file));
  const bodies: StoredFile['bodies'] = { identity };
  for (const encoding of ['br', 'gzip'] as const) {
    const packed = `${file}${packedEndings[encoding]}`;
    if (lstatSync(packed, { throwIfNoEntry: false })?.isFile())
      bodies[encoding] = new Uint8Array(await readFile(packed));
  }
  const etag = createHash('sha256').update(identity).digest('base64url').slice(0, 22);
  return { type: types[extname(path)] ?? 'application/octet-stream', etag, bodies };
}
