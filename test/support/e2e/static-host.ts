import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { listenOnFreePort } from '../server/free-port.ts';

const types: Partial<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

/**
 * A static host as there are many: it knows files and folders and nothing else, and shows `404.html` where it has none.
 *
 * @param path where on the host the folder lies, with a slash at both ends
 * @param options.otherPage the host shows this text instead, as if there were a page at every address
 */
export async function serveFolder(folder: string, path: string, { otherPage }: { otherPage?: string } = {}) {
  const read = async (url: string) => {
    if (!url.startsWith(path)) return null;
    const name = url.slice(path.length);
    return readFile(join(folder, name.endsWith('/') || name === '' ? `${name}index.html` : name)).catch(
      () => null,
    );
  };
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://host');
    const answer = async () => {
      const file = await read(pathname);
      const type = file === null || pathname.endsWith('/') ? '.html' : extname(pathname);
      const isThere = file !== null || otherPage !== undefined;
      const contentType = file === null ? 'text/html' : types[type];
      response.writeHead(isThere ? 200 : 404, { 'Content-Type': contentType ?? 'text/plain' });
      response.end(file ?? otherPage ?? (await readFile(join(folder, '404.html'))));
    };
    void answer();
  });
  const origin = `http://127.0.0.1:${await listenOnFreePort(server)}`;
  return {
    origin,
    url: `${origin}${path}`,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
