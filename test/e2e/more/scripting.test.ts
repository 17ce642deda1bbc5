import { afterEach, describe, expect, it } from 'vitest';
import { toCsv } from '../../../src/contract/bff/csv.ts';
import { openPage } from '../../support/e2e/browser.ts';
import { startProduct } from '../../support/e2e/product.ts';
import { answerHostile, corpus } from '../../support/e2e/hostile-service.ts';
import { openListener } from '../../support/server/http-listener.ts';

const { port } = await openListener(answerHostile);
const server = await startProduct('start', {
  UPSTREAM_URL: `http://127.0.0.1:${port}`,
  UPSTREAM_CLIENT_ID: 'desk',
  UPSTREAM_CLIENT_SECRET: 'canary-client-secret',
  UPSTREAM_SCOPE_READ: 'read',
  UPSTREAM_SCOPE_WRITE: 'write',
});
const watched = await openPage();
const { page } = watched;
const dialogs: string[] = [];
page.on('dialog', (dialog) => {
  // The browser itself asks before a form with changes is left.
  if (dialog.type() === 'beforeunload') return void dialog.accept();
  dialogs.push(dialog.message());
  void dialog.dismiss();
});

/** Every text that the service answers tries to become markup or script. */
describe('text that tries to become markup or script', () => {
  afterEach(() => expectNothingBut([]));

  /** No dialog, no policy report, no warning, and no element that no component of ours makes. */
  async function expectNothingBut(refused: readonly string[]) {
    const foreign =
      'iframe, object, embed, base, math, video, template, script:not([src^="/assets/"]), [onerror], [onload]';
    expect({ dialogs, complaints: watched.complaints(), refusals: watched.refusals() }).toEqual({
      dialogs: [],
      complaints: [],
      refusals: refused,
    });
    expect(await page.locator(foreign).count()).toBe(0);
    expect(await page.locator('a[href^="javascript:" i], form[action]').count()).toBe(0);
  }

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const field = (name: string) => page.getByLabel(name, { exact: true });
  const pane = (name: string) => page.getByRole('complementary', { name, exact: true });

  it('stays text in the address that sign-in leads back to and in the name that is tried', async () => {
    await page.goto(`${server.url}/sign-in?from=${encodeURIComponent('javascript:alert(1)//')}`);
    for (const text of [corpus[0], corpus[2]]) {
      await field('Name').fill(text);
      await field('Password').fill(text);
      await button('Sign in').click();
      await page.getByRole('alert').getByText('Name or password is wrong').waitFor();
    }
    expect(new Set(watched.refusals())).toEqual(new Set(['401 POST /bff/session']));
    await field('Name').fill('manager');
    await field('Password').fill('chosen by the operator');
    await button('Sign in').click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(new URL(page.url()).origin).toBe(server.url);
    await page.getByRole('link', { name: 'Subscribers', exact: true }).click();
    await page.getByRole('table', { name: 'Subscribers' }).getByRole('link').first().waitFor();
  });

  it('stays text in the list', async () => {
    const links = page.getByRole('table', { name: 'Subscribers' }).getByRole('rowheader').getByRole('link');
    await expect.poll(() => links.allTextContents()).toEqual([...corpus]);
    // The preloaded read takes the sort order from the address as it is; the dashboard corrects it.
    const refused = page.waitForResponse((answer) => answer.status() === 422);
    await page.goto(
      `${server.url}/subscribers?username=${encodeURIComponent(corpus[2])}&sort=${encodeURIComponent(corpus[0])}`,
    );
    await links.first().waitFor();
    await refused;
    expect(watched.refusals()).toEqual(['422 GET /api/subscribers']);
  });

  it('stays text in the find box', async () => {
    for (const text of corpus.slice(0, 5)) {
      await field('Find subscribers').fill(text);
      await page.waitForURL((url) => url.search !== '');
    }
    await field('Find subscribers').fill('');
  });

  it('stays text in the pane', async () => {
    await page.goto(`${server.url}/subscribers/1?pageSize=100`);
    for (const text of corpus) {
      await pane(text).getByText('User agents').waitFor();
      await expect.poll(() => page.title()).toBe(`${text} · Subscriber Desk`);
      const missing = async () => {
        const shown = (await pane(text).textContent()) ?? '';
        return corpus.filter((each) => !shown.includes(each));
      };
      await expect.poll(missing, { message: text }).toEqual([]);
      await button('Show token').click();
      const code = page.getByRole('region', { name: 'Access token' }).getByRole('code');
      await expect.poll(() => code.textContent()).toBe(text);
      await expectNothingBut([]);
      // Opens the next.
      await pane(text).getByRole('heading', { level: 2 }).focus();
      await page.keyboard.press('j');
    }
  });

  it('stays text in what is deleted, and in how that is refused', async () => {
    await page.goto(`${server.url}/subscribers/3`);
    await button('Delete…').click();
    await page.getByRole('dialog').getByText(corpus[2]).first().waitFor();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Delete/ })
      .click();
    await page.getByRole('alert').first().waitFor();
    await expectNothingBut(['422 DELETE /api/subscribers/3']);
    await button('Cancel').click();
  });

  it('stays text in the form, in what is typed there, and in the sentences of a refusal', async () => {
    await page.goto(`${server.url}/subscribers/new`);
    await field('Username').fill(corpus[2]);
    await field('Email').fill('ann@example.com');
    await field('Note').fill(corpus.join('\n'));
    await field('Expires').fill('2030-12-31T23:00');
    for (const text of corpus) {
      await field('User agents').fill(text);
      await page.keyboard.press('Enter');
    }
    await button('Create subscriber').click();
    await page.getByRole('alert').filter({ hasText: corpus[0] }).first().waitFor();
    await expectNothingBut(['422 POST /api/subscribers']);
    await page.goto(`${server.url}/subscribers/1/edit`);
    await expect.poll(() => field('Username').inputValue()).toBe(corpus[0]);
  });

  it('stays text in the preview of a file, and in that of its job', async () => {
    await page.goto(`${server.url}/jobs/import`);
    const headings = ['username', 'email', 'note', ...corpus];
    const rows = corpus.map((text) => [text, 'ann@example.com', text, ...corpus]);
    const buffer = Buffer.from(toCsv([headings, ...rows]));
    await page
      .getByLabel('File', { exact: true })
      .setInputFiles({ name: `${corpus[2]}.csv`, mimeType: 'text/csv', buffer });
    const columns = page.getByRole('table', { name: 'Columns of the file' });
    await expect.poll(() => columns.getByRole('rowheader').allTextContents()).toEqual(headings);
    for (const text of corpus) await columns.getByRole('cell', { name: text, exact: true }).first().waitFor();
    await button('Preview').click();
    await page.getByRole('heading', { level: 1, name: /^Import \d+ subscribers/ }).waitFor();
    await page.getByRole('row').filter({ hasText: corpus[0] }).first().waitFor();
  });

  it('stays text in the names of staff, and in the dialogs about them', async () => {
    await page.goto(`${server.url}/staff`);
    for (const text of corpus.filter(({ length }) => length <= 64).slice(0, 6)) {
      await button('Add staff').click();
      await page.getByRole('dialog').getByLabel('Name').fill(text);
      await page.getByRole('dialog').getByLabel('Viewer').check();
      await button('Add account').click();
      await page.getByRole('dialog', { name: `One-time password for ${text}`, exact: true }).waitFor();
      await button('Done').click();
      await page.getByRole('row').filter({ hasText: text }).first().waitFor();
    }
  });

  it.each([
    '/<img src=x onerror=alert(1)>',
    '/subscribers/<svg onload=alert(1)>',
    '/#<img src=x onerror=alert(1)>',
  ])('stays text in an address: %s', async (path) => {
    await page.goto(server.url + path);
    await page.getByRole('heading').first().waitFor();
  });
});
