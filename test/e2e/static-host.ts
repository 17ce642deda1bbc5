import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { listenOnFreePort } from '../support/server/free-port.ts';

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
 */
export async function serveFolder(folder: string, path: string) {
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
      response.writeHead(file === null ? 404 : 200, { 'Content-Type': types[type] ?? 'text/plain' });
      response.end(file ?? (await readFile(join(folder, '404.html'))));
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
