import { afterEach, describe, expect, it, test } from 'vitest';
import { openSignedIn } from '../../support/e2e/sign-in.ts';

const { page } = await openSignedIn('start', { SAMPLE_SUBSCRIBERS: '20' });
afterEach(async () => {
  await page.context().setOffline(false);
  await page.unrouteAll({ behavior: 'wait' });
});

const open = (name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }).click();
const heading = (name: string) => page.getByRole('heading', { name });
/** Nothing reloads the document as long as it has this mark. */
const mark = () => page.evaluate(() => void (document.documentElement.dataset['mark'] = 'kept'));
const isMarked = () => page.evaluate(() => document.documentElement.dataset['mark'] === 'kept');

/** Each style sheet has come: the rules of one that failed can't be read. */
const isStyled = () =>
  page.evaluate(() => {
    try {
      return [...document.styleSheets].every(({ cssRules }) => cssRules.length > 0);
    } catch {
      return false;
    }
  });

const down = 'Subscriber Desk doesn’t answer. Check your connection. We’ll keep trying.';

describe('a page that was not loaded yet', () => {
  it('opens by itself once the browser is online again', async () => {
    await mark();
    await page.context().setOffline(true);
    await open('Activity');
    await page.getByText(down).waitFor();
    await heading('Couldn’t load the page').waitFor();
    await page.context().setOffline(false);
    await heading('Activity').waitFor();
    expect(await isMarked()).toBe(true);
  });

  it('opens by itself once the server answers again', async () => {
    await mark();
    await page.route('**', (route) => route.abort('connectionrefused'));
    await open('Staff');
    await page.getByText(down).waitFor();
    await page.unrouteAll();
    await heading('Staff').waitFor();
    await expect.poll(isStyled).toBe(true);
    expect(await isMarked()).toBe(true);
  });

  it('is loaded with a newer release, in which its file has another name', async () => {
    await mark();
    const file = '**/assets/messages-page-*';
    await page.route(file, (route) => route.fulfill({ status: 404 }));
    page.once('domcontentloaded', () => void page.unroute(file));
    await open('Messages');
    await heading('Messages').waitFor();
    expect(await isMarked()).toBe(false);
  });

  it('is not loaded again and again if a reload does not help', async () => {
    await page.route('**/assets/overview-page-*', (route) => route.fulfill({ status: 404 }));
    let loads = 0;
    page.on('domcontentloaded', () => (loads += 1));
    await open('Overview');
    await page.getByText('Something went wrong on this page. Reload it and try again.').waitFor();
    expect(loads).toBeLessThan(2);
  });
});

test('the dialogs for what is selected are loaded when they are asked for, if they could not be before', async () => {
  await open('Subscribers');
  await page.route('**/assets/job-dialogs-*', (route) => route.abort());
  await page.getByRole('button', { name: 'Select', exact: true }).click();
  await page
    .getByRole('checkbox', { name: /^Select / })
    .nth(1)
    .check();
  const extend = page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Extend…' });
  await extend.click();
  await page.getByText('Couldn’t load this part of the page.').waitFor();
  await page.unrouteAll();
  await extend.click();
  const dialog = page.getByRole('dialog', { name: 'Extend 1 subscriber' });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
});

test('the views of a list are there once the server answers again', async () => {
  await open('Subscribers');
  await page.getByRole('table', { name: 'Subscribers' }).getByRole('link').first().waitFor();
  await page.waitForLoadState('networkidle');
  await page.route('**', (route) => route.abort('connectionrefused'));
  await page.getByRole('table', { name: 'Subscribers' }).getByRole('button', { name: 'Username' }).click();
  await page.getByText('Couldn’t load this part of the page. Check your connection').waitFor();
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Save view' }).waitFor();
});
