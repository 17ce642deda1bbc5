/** States of the pages of `screens.ts`: dialogs, selections, faults. */
import type { Page } from 'playwright-core';
import { csrfHeader } from '../../../src/contract/bff/paths.ts';
import { problemAnswer } from '../../../src/contract/http/answer.ts';
import { Problem } from '../../../src/contract/http/problem.ts';
import { button, heading, list, loaded, pane, paneLoaded, rowsAreThere, type Screen } from './screens.ts';

const rows = /\/api\/subscribers(\?|$)/;
const dialog = (page: Page) => page.getByRole('dialog').waitFor();
const answer = (page: Page, path: string | RegExp, body: unknown, status = 200) =>
  page.route(path, (route) => route.fulfill({ status, json: body, headers: { 'X-Request-Id': 'r1' } }));
const awaitForever = (page: Page) => page.route(rows, () => undefined);

async function selectSome(page: Page): Promise<void> {
  await loaded(page);
  for (const key of 'jxjjx') await page.keyboard.press(key);
  await page.getByText('2 selected.').waitFor();
}

/** Presses a button, after what has to be there first; a dialog opens. */
const dialogOf = (first: (page: Page) => unknown, name: string | RegExp) => async (page: Page) => {
  await first(page);
  await button(page, name).first().click();
  await dialog(page);
};

/** Prepares a job for the selected subscribers. */
async function prepareJob(page: Page): Promise<void> {
  await selectSome(page);
  await button(page, 'Extend…').click();
  await button(page, 'Preview').click();
  await page.getByRole('region', { name: 'Preview' }).waitFor();
  await rowsAreThere(page);
}

async function runJob(page: Page): Promise<void> {
  await prepareJob(page);
  await button(page, /^Extend 2/).click();
  await page.getByRole('region', { name: 'Report' }).waitFor();
  await rowsAreThere(page);
}

/** Chooses a file with a new subscriber, and one whose email address is none. */
async function chooseFile(page: Page): Promise<void> {
  const heading = 'a-heading-without-end'.repeat(4);
  const rows = 'anna,anna@example.com,2030-01-01 12:00,x\nbjarne,no address,2030-01-01 12:00,x\n';
  const buffer = Buffer.from(`username,email,expires,${heading}\n${rows}`);
  await page.getByLabel('File').setInputFiles({ name: 'new.csv', mimeType: 'text/csv', buffer });
  await page.getByRole('table', { name: 'Columns of the file' }).waitFor();
}

const manage = (name: string) => async (page: Page) => {
  await button(page, /^Manage [^v]/)
    .first()
    .click();
  await button(page, name).click();
  await dialog(page);
};

/** States that a page can have besides. */
export const states: Readonly<Record<string, Screen>> = {
  'keyboard-row': {
    show: async (page) => {
      await loaded(page);
      for (const key of 'jj') await page.keyboard.press(key);
    },
  },
  find: {
    show: async (page) => {
      await loaded(page);
      await page.getByRole('searchbox').fill('12');
      await page.getByText(/^[\d,]+ usernames?$/).waitFor();
      await page.getByRole('button', { name: /email/ }).waitFor();
    },
  },
  'last-opened': {
    at: pane,
    show: async (page) => {
      await paneLoaded(page);
      await button(page, 'Close').click();
      await loaded(page);
      await page.keyboard.press('/');
      await page.getByRole('list', { name: 'Last opened' }).waitFor();
    },
  },
  'too-long': {
    show: async (page) => {
      await loaded(page);
      await page.getByRole('searchbox').fill('a very long name '.repeat(6));
    },
  },
  selecting: { needs: 'runJobs', show: selectSome },
  export: { needs: 'exportSubscribers', show: dialogOf(loaded, /^Export…/) },
  'extend-several': { needs: 'runJobs', show: dialogOf(selectSome, 'Extend…') },
  'edit-several': { needs: 'runJobs', show: dialogOf(selectSome, 'Edit…') },
  'regenerate-several': { needs: 'runJobs', show: dialogOf(selectSome, 'Regenerate tokens…') },
  'delete-several': { needs: 'runJobs', show: dialogOf(selectSome, 'Delete…') },
  'job-preview': { needs: 'runJobs', show: prepareJob },
  'start-later': { needs: 'runJobs', show: dialogOf(prepareJob, 'Start later…') },
  'job-report': { needs: 'runJobs', show: runJob },
  'job-messages': { needs: 'runJobs', show: dialogOf(runJob, 'Save messages…') },
  'jobs-list': {
    needs: 'runJobs',
    show: async (page) => {
      await prepareJob(page);
      await page.getByRole('link', { name: 'Jobs', exact: true }).click();
      await page.getByRole('table', { name: 'Jobs' }).getByRole('link').first().waitFor();
      await rowsAreThere(page);
    },
  },
  'import-columns': { at: '/jobs/import', needs: 'runJobs', show: chooseFile },
  'import-preview': {
    at: '/jobs/import',
    needs: 'runJobs',
    show: async (page) => {
      await chooseFile(page);
      await button(page, 'Preview').click();
      await button(page, 'Skipped 1').click();
      await page.getByRole('row', { name: /Email: Enter a full address/ }).waitFor();
    },
  },
  columns: {
    show: async (page) => {
      await loaded(page);
      const opener = button(page, 'Columns');
      if (await opener.isVisible()) await opener.click();
    },
  },
  'expiry-range': {
    show: async (page) => {
      await loaded(page);
      await page.getByRole('combobox', { name: 'Expires' }).selectOption('From–to…');
      await dialog(page);
    },
  },
  'status-filter': {
    show: async (page) => {
      await loaded(page);
      await page.getByRole('combobox', { name: 'Status' }).selectOption('Several…');
      await dialog(page);
    },
  },
  'save-view': { at: `${list}?expired=true&username=e`, show: dialogOf(loaded, 'Save view') },
  'manage-views': { show: dialogOf(loaded, 'Manage views') },
  'pick-date': { at: pane, needs: 'updateSubscriber', show: dialogOf(paneLoaded, 'Pick a date…') },
  regenerate: { at: pane, needs: 'regenerateToken', show: dialogOf(paneLoaded, 'Regenerate token…') },
  regenerated: {
    at: pane,
    needs: 'regenerateToken',
    // Two roles look at it at once: nothing is changed.
    before: (page) =>
      page.route(/\/regenerate-token$/, async (route) => {
        const address = route.request().url().replace('/regenerate-token', '');
        const headers = { [csrfHeader.name]: csrfHeader.value };
        await route.fulfill({ response: await page.request.get(address, { headers }) });
      }),
    show: async (page) => {
      await dialogOf(paneLoaded, 'Regenerate token…')(page);
      await button(page, 'Regenerate token').last().click();
      await page.getByRole('heading', { name: 'New token' }).waitFor();
    },
  },
  delete: { at: pane, needs: 'deleteSubscriber', show: dialogOf(paneLoaded, 'Delete…') },
  'check-connection': { at: pane, show: dialogOf(paneLoaded, 'Check a connection…') },
  'add-note': {
    at: pane,
    needs: 'updateSubscriber',
    show: async (page) => {
      await paneLoaded(page);
      await button(page, 'Add note').click();
    },
  },
  'form-errors': {
    at: `${list}/new`,
    needs: 'createSubscriber',
    show: async (page) => {
      await page.getByLabel('Username').waitFor();
      await button(page, 'Create subscriber').click();
      await page.getByText('Enter a username.').first().waitFor();
    },
  },
  'activity-totals': {
    at: '/activity',
    needs: 'seeAllActivity',
    show: async (page) => {
      await rowsAreThere(page);
      await button(page, 'Totals').click();
      await page.getByRole('table', { name: /otals/ }).waitFor();
    },
  },
  'add-bundle': {
    at: '/bundles',
    needs: 'saveBundles',
    show: dialogOf(rowsAreThere, 'Add bundle'),
  },
  'add-message': {
    at: '/messages',
    needs: 'manageMessages',
    show: dialogOf(heading('Messages'), 'Add message'),
  },
  'add-staff': { at: '/staff', needs: 'addStaff', show: dialogOf(rowsAreThere, 'Add staff') },
  'change-role': { at: '/staff', needs: 'changeStaff', show: manage('Change role…') },
  disable: { at: '/staff', needs: 'changeStaff', show: manage('Disable…') },
  palette: {
    show: async (page) => {
      await loaded(page);
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').getByRole('combobox').waitFor();
      await page.keyboard.type('a');
      await page.getByText(/found/).waitFor();
    },
  },
  shortcuts: {
    show: async (page) => {
      await loaded(page);
      await page.keyboard.press('?');
      await dialog(page);
    },
  },
  account: {
    show: async (page) => {
      await loaded(page);
      await button(page, /^Account/).click();
      await button(page, 'Sign out').waitFor();
    },
  },
  'session-over': {
    show: async (page) => {
      await loaded(page);
      await page.context().clearCookies();
      await page.getByRole('combobox', { name: 'Expires' }).selectOption('Expired');
      await page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
    },
  },
  'sign-in': {
    at: '/sign-in',
    before: (page) => page.context().clearCookies(),
    show: (page) => page.getByLabel('Password', { exact: true }).waitFor(),
  },
  'first-load': {
    before: awaitForever,
    show: (page) => page.getByText(/Loading the list|Still waiting/).waitFor(),
  },
  stuck: {
    stops: true,
    before: async (page) => {
      await page.clock.install();
      await awaitForever(page);
    },
    show: async (page) => {
      await page.getByRole('table').waitFor();
      await page.clock.fastForward(11_000);
      await page.getByText('Still waiting').waitFor();
    },
  },
  empty: {
    before: (page) => answer(page, rows, { items: [], page: 1, pageSize: 25, totalCount: 0, totalPages: 0 }),
    show: (page) => page.getByText('No subscribers yet').waitFor(),
  },
  failing: {
    before: (page) =>
      answer(
        page,
        rows,
        problemAnswer(
          new Problem('upstream-unreachable', 'The subscriber service does not answer.'),
          'k3v9-52aa',
        ).value,
        503,
      ),
    show: (page) => page.getByText('Couldn’t load the list').waitFor(),
  },
  offline: {
    show: async (page) => {
      await loaded(page);
      await page.context().setOffline(true);
      await page.getByText('You’ve been offline since').waitFor();
    },
  },
};
