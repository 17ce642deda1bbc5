/** Every page of the dashboard, for tests that look at all of them and for pictures; `states.ts` has the rest. */
import type { Page } from 'playwright-core';
import { disabledReason, type Permission, type Role } from '../../../src/contract/bff/permission.ts';

/** Variables that let all that can be shown be there. */
export const playlist = { PLAYLIST_URL_TEMPLATE: 'https://tv.example.com/{username}/{token}.m3u8' };

export interface Screen {
  /** Its address; the list unless it says otherwise. */
  at?: string;
  /** The permission that somebody needs to see it. */
  needs?: Permission;
  /** Those who see something of their own there, or that they may not see it: everybody unless given. */
  roles?: readonly Role[];
  /** Prepares what the page asks for, before it is opened. */
  before?: (page: Page) => unknown;
  /** Does what is needed on the page, and waits until it is there. */
  show: (page: Page) => unknown;
  /** The clock of the page stands still meanwhile. */
  stops?: true;
}

/** A subscriber with a record as long as it can be: `addLongest` in `roles.ts`. */
const longest = 2001;

export const list = '/subscribers';
export const pane = `${list}/${longest}`;
export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const firstRow = (page: Page) => page.getByRole('table', { name: 'Subscribers' }).getByRole('link').first();
export const loaded = (page: Page) => firstRow(page).waitFor();
export const heading = (name: string | RegExp) => (page: Page) =>
  page.getByRole('heading', { level: 1, name }).waitFor();
export const rowsAreThere = (page: Page) => page.locator('table[aria-busy=false]').waitFor();

export async function paneLoaded(page: Page): Promise<void> {
  await page.getByRole('complementary').getByText('User agents', { exact: true }).waitFor();
  await button(page, 'Check a connection…').and(page.locator(':not([aria-disabled])')).waitFor();
}

/** The page is the same for everybody who sees it, and managers see most around it. */
const roles: readonly Role[] = ['manager'];

/** The pages, which have an address; who may not see one reads why. */
export const pages: Readonly<Record<string, Screen>> = {
  list: { at: `${list}?sort=username`, show: loaded },
  filters: { roles, at: `${list}?expired=true&trial=true&username=e`, show: loaded },
  'nothing-found': {
    roles,
    at: `${list}?username=zorro&expired=true`,
    show: (page) => page.getByText('No subscribers match', { exact: true }).waitFor(),
  },
  pane: { roles, at: `${list}/1`, show: paneLoaded },
  'pane-longest': { at: `${pane}?sort=username`, show: paneLoaded },
  gone: {
    roles,
    at: `${list}/9999`,
    show: (page) =>
      page
        .getByText(/not found|doesn’t exist|deleted/i)
        .first()
        .waitFor(),
  },
  new: {
    roles: ['viewer', 'manager'],
    at: `${list}/new`,
    needs: 'createSubscriber',
    show: (page) => page.getByLabel('Username').waitFor(),
  },
  edit: {
    roles,
    at: `${pane}/edit`,
    needs: 'updateSubscriber',
    show: (page) => page.getByLabel('Username').waitFor(),
  },
  activity: { at: '/activity', show: rowsAreThere },
  overview: {
    at: '/overview',
    show: (page) => page.getByRole('link', { name: /^Expire in 7 days\s*[\d,]+/ }).waitFor(),
  },
  jobs: { roles: ['support', 'manager'], at: '/jobs', needs: 'runJobs', show: heading('Jobs') },
  import: { roles, at: '/jobs/import', needs: 'runJobs', show: (page) => page.getByLabel('File').waitFor() },
  'job-not-found': { roles, at: '/jobs/none', needs: 'runJobs', show: heading('Job not found') },
  bundles: { at: '/bundles', show: rowsAreThere },
  messages: {
    at: '/messages',
    show: (page) =>
      page
        .getByText(/^Hello \{username\}/)
        .first()
        .waitFor(),
  },
  staff: {
    roles: ['support', 'manager'],
    at: '/staff',
    needs: 'listStaff',
    show: (page) =>
      button(page, /^Manage/)
        .first()
        .waitFor(),
  },
  password: { roles, at: '/password', show: (page) => page.getByLabel('New password').waitFor() },
  account: { roles, at: '/account', show: rowsAreThere },
  'not-found': { roles, at: '/nowhere', show: heading('Page not found') },
};

/** The screen of a role at a page: the page itself, or why not. */
export const showPage = ({ needs, show }: Screen, may: (permission: Permission) => boolean) =>
  needs === undefined || may(needs)
    ? show
    : (page: Page) => page.getByText(disabledReason(needs)).first().waitFor();
