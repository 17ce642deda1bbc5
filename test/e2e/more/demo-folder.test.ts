import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildDashboard, type BuildMode } from '../../../src/server/build/build.ts';
import { packedEndings } from '../../../src/server/http/static-files.ts';
import { openPage } from '../../support/e2e/browser.ts';
import { listenOnFreePort } from '../../support/server/free-port.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const build = (mode: BuildMode) => buildDashboard({ root, mode, say: () => undefined });

describe('the folder of the demo on a static host, below a path', () => {
  let host: Awaited<ReturnType<typeof serveFolder>>;

  beforeAll(async () => {
    host = await serveFolder(await build('demo'), '/some/where/demo/');
    return () => host.stop();
  });

  const path = '/some/where/demo/';

  it('runs the whole dashboard, and stays below that path', async () => {
    const { page, complaints, refusals } = await openPage();
    await page.goto(host.url);
    await page.getByRole('link', { name: 'Subscribers', exact: true }).click();
    await page.getByRole('table', { name: 'Subscribers' }).getByRole('link').first().click();
    await page.waitForURL((url) => url.pathname.startsWith(`${path}subscribers/`));
    await page.getByRole('complementary').getByRole('link', { name: 'Edit' }).click();
    await page.getByLabel('Note', { exact: true }).fill('Saved on a static host.');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('complementary').getByText('Saved on a static host.').first().waitFor();
    // Saving has led back to the pane, so this leads to the list.
    await page.goBack();
    await page.waitForURL((url) => url.pathname === `${path}subscribers`);
    expect(complaints()).toEqual([]);
    expect(refusals()).toEqual([]);
  });

  it('opens an address inside it with the settings of the demo, and again after a reload', async () => {
    const { page, complaints, refusals } = await openPage();
    const inside = `${host.url}subscribers/12?expired=true`;
    await page.goto(`${inside}&demo-role=viewer&demo-data=25`);
    const seen = async () => {
      await page.getByRole('complementary').getByText('User agents').waitFor();
      await page.getByText('Jonas', { exact: true }).waitFor();
      expect(page.url()).toBe(inside);
    };
    await seen();
    // The host has no such page, nor a worker in what it takes for a folder: it says so, and its 404 page goes on.
    const notThere = [`404 GET ${path}subscribers/12`, `404 HEAD ${path}subscribers/mockServiceWorker.js`];
    expect(refusals()).toEqual(notThere);
    // After the first visit the demo's service worker leads there, whatever page the host shows.
    await page.reload();
    await seen();
    expect(refusals()).toEqual([]);
    expect(complaints()).toEqual([]);
  });

  it('leads back to the page before after signing in', async () => {
    const { page } = await openPage();
    await page.goto(`${host.url}?demo-data=25`);
    await page.getByRole('link', { name: 'Subscribers', exact: true }).click();
    await page.getByRole('table', { name: 'Subscribers' }).getByRole('link').first().waitFor();
    await page
      .getByRole('region', { name: 'Demo', exact: true })
      .getByRole('button', { name: 'What happens if…' })
      .click();
    await page.getByRole('checkbox', { name: /^Session ends/ }).check();
    await page.keyboard.press('Escape');
    await page.getByRole('combobox', { name: 'Expires' }).selectOption('Expired');
    await page.getByRole('dialog', { name: 'Sign in again' }).getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('heading', { name: 'Sign in to Subscriber Desk' }).waitFor();
    expect(page.url()).toBe(
      `${host.url}sign-in?${new URLSearchParams({ from: '/subscribers?expired=true' })}`,
    );
    await page
      .getByRole('region', { name: 'Demo', exact: true })
      .getByLabel('View as')
      .selectOption('support');
    await page.getByRole('table', { name: 'Subscribers' }).getByRole('link').first().waitFor();
    expect(page.url()).toBe(`${host.url}subscribers?expired=true`);
  });

  it('opens an address inside it again when the host no longer answers', async () => {
    const other = await serveFolder(await build('demo'), path);
    const { page } = await openPage();
    await page.goto(`${other.url}subscribers/12?demo-data=25`);
    const seen = () => page.getByRole('complementary').getByText('User agents').waitFor();
    await seen();
    await page.reload();
    await seen();
    other.stop();
    await page.reload();
    await seen();
    expect(page.url()).toBe(`${other.url}subscribers/12`);
  });

  it('opens an address inside it after the first visit where the host has a page of its own for everything', async () => {
    const other = await serveFolder(await build('demo'), path, { otherPage: 'Welcome to another site.' });
    const { page } = await openPage();
    await page.goto(`${other.url}?demo-data=25`);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.goto(`${other.url}subscribers/12`);
    await page.getByRole('complementary').getByText('User agents').waitFor();
    expect(page.url()).toBe(`${other.url}subscribers/12`);
    // It answers for what is elsewhere, and for files.
    await page.goto(`${other.origin}/elsewhere`);
    await page.getByText('Welcome to another site.').waitFor();
    await page.goto(`${other.url}worker.js`);
    await page.getByText('what a static host cannot do by itself').waitFor();
    other.stop();
  });

  it('leads nowhere from an address that has no demo above it', async () => {
    const { page } = await openPage();
    await page.goto(`${host.origin}/some/thing/else`);
    await page.getByText('Page not found.').waitFor();
    expect(page.url()).toBe(`${host.origin}/some/thing/else`);
  });
});

describe('the dashboard that is not the demo', () => {
  /** Marks of the demo alone: MSW, its worker, SQLite in WebAssembly, the service with its sample data, and the bar. */
  const marks = [
    'mockserviceworker',
    'msw',
    'sqlite',
    'webassembly',
    'papadakis',
    'insert into subscribers',
    'start over',
  ];

  // What is packed is the same again, and might spell any short word by chance.
  const isPacked = (name: string) => Object.values(packedEndings).some((ending) => name.endsWith(ending));
  const textOf = (folder: string) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !isPacked(entry.name))
      .map(({ parentPath, name }) => `${name}\n${readFileSync(join(parentPath, name), 'latin1')}`)
      .join('\n')
      .toLowerCase();

  it('holds no byte of what makes the demo', async () => {
    const [own, demo] = [textOf(await build('app')), textOf(await build('demo'))];
    expect(marks.filter((mark) => !demo.includes(mark))).toEqual([]);
    expect(marks.filter((mark) => own.includes(mark))).toEqual([]);
    expect(readdirSync(await build('app'))).not.toContain('404.html');
  });
});

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
async function serveFolder(folder: string, path: string, { otherPage }: { otherPage?: string } = {}) {
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
