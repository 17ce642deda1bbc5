import type { Locator } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { csrfHeader } from '../../../src/contract/bff/paths.ts';
import { playlist } from '../../support/e2e/screens.ts';
import { openSignedIn } from '../../support/e2e/sign-in.ts';

const { server, page } = await openSignedIn('start', playlist);

const table = () => page.getByRole('table', { name: 'Subscribers' });
const loaded = async () => {
  await page.locator('table[aria-busy=false] tbody a').first().waitFor();
  await page.waitForLoadState('networkidle');
};
const choose = (label: string, option: string) =>
  page.getByRole('combobox', { name: label }).selectOption(option);

/** Changes above the rows, beside them and below them. */
const changes: Readonly<Record<string, () => Promise<void>>> = {
  'a filter is set': async () => {
    await choose('Expires', 'Expired');
    await page.waitForURL(/expired/);
  },
  'all filters are set': async () => {
    await choose('Status', 'Status: Active');
    await choose('Plan', 'Paid');
    await page.waitForURL(/trial/);
  },
  'the filters are cleared and the list is sorted': async () => {
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await table().getByRole('button', { name: 'Username' }).click();
    await page.getByRole('button', { name: 'Save view' }).waitFor({ state: 'attached' });
  },
  'something is typed': async () => {
    await page.getByRole('searchbox').fill('12');
    await page.getByRole('button', { name: /^Open #12/ }).waitFor();
    await page.waitForURL(/username=12/);
  },
  'the box is emptied': async () => {
    await page.getByRole('searchbox').fill('');
    await page.waitForURL((url) => !url.searchParams.has('username'));
  },
  'rows are selected': async () => {
    await page.getByRole('button', { name: 'Select', exact: true }).click();
    await table().getByRole('checkbox').nth(2).click();
    await page.getByText('1 selected.').waitFor();
  },
  'the selection is over': () => page.getByRole('button', { name: 'Done' }).click(),
  'the service fails': async () => {
    await page.route('**/api/subscribers?**', (route) => route.abort());
    await page.context().setOffline(true);
    await page.context().setOffline(false);
    await page.getByText(/hasn’t answered since/).waitFor();
    await page.unrouteAll();
  },
};

// The least of each range in which the list looks the same, and a telephone.
const widths = [1440, 1280, 1024, 390];

test.each(widths)('no row moves at %i pixels, whatever comes or goes', async (width) => {
  await page.setViewportSize({ width, height: 800 });
  await page.goto(`${server.url}/subscribers`);
  await loaded();
  const top = async () => (await table().getByRole('rowheader').first().boundingBox())?.y;
  const before = await top();
  for (const [name, change] of Object.entries(changes)) {
    await change();
    await loaded();
    expect(await top(), `when ${name}`).toBe(before);
  }
});

test.each(widths.slice(0, -1))('a double click at %i pixels opens the row that it hits', async (width) => {
  await page.setViewportSize({ width, height: 800 });
  await page.goto(`${server.url}/subscribers?status=1&expired=true&trial=true`);
  await loaded();
  const row = table().getByRole('rowheader').nth(8);
  const before = await row.boundingBox();
  const name = await row.getByRole('link').innerText();
  await page.mouse.dblclick((before?.x ?? 0) + 30, (before?.y ?? 0) + 12);
  await page.getByRole('complementary', { name }).getByText('User agents', { exact: true }).waitFor();
  expect((await row.boundingBox())?.y).toBe(before?.y);
});

test('the find box, the headings and the pager stay in reach, and the next page starts at its top', async () => {
  await page.setViewportSize({ width: 1440, height: 800 });
  await page.goto(`${server.url}/subscribers?page=1&pageSize=100`);
  await loaded();
  await table().getByRole('rowheader').last().scrollIntoViewIfNeeded();
  await page.getByRole('searchbox').click({ trial: true });
  await table().getByRole('button', { name: 'Username' }).click({ trial: true });
  await page.getByRole('button', { name: 'Next page' }).click();
  await page.waitForURL(/page=2/);
  await loaded();
  // Nothing covers the first row.
  await table().getByRole('rowheader').first().getByRole('link').click({ trial: true });
});

test('the bar, Select and the headings stay in sight on a telephone, one below the other', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${server.url}/subscribers`);
  await table().getByRole('rowheader').last().scrollIntoViewIfNeeded();
  for (const name of [/^Account/, /^Select$/, /^Username/])
    expect(await isUncovered(page.getByRole('button', { name })), String(name)).toBe(true);
});

test.each([1440, 1024, 390])(
  'a notification at %i pixels covers neither rows in sight nor the pager',
  async (width) => {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`${server.url}/subscribers/3/edit`);
    await page.getByLabel('Note', { exact: true }).fill(`Called at ${width}.`);
    await page.getByRole('button', { name: 'Save changes' }).click();
    const toast = page.getByRole('status', { name: 'Notifications' }).getByText(/were saved/);
    await toast.waitFor();
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Subscribers' }).click();
    await loaded();
    await table().getByRole('rowheader').last().scrollIntoViewIfNeeded();
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    const covered = await page.evaluate(() => {
      const cover = document.querySelector('[aria-label=Notifications] > div')?.getBoundingClientRect();
      return [...document.querySelectorAll('tbody tr, button[aria-label="Next page"]')]
        .map((element) => element.getBoundingClientRect())
        .filter(
          (box) =>
            cover &&
            box.bottom > cover.top &&
            box.top < cover.bottom &&
            box.right > cover.left &&
            box.left < cover.right,
        ).length;
    });
    expect(covered).toBe(0);
  },
);

/** True if an element is in sight at its start, its middle and its end. */
const isUncovered = (part: Locator) =>
  part.evaluate((element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return [4, width / 2, width - 4].every((along) =>
      element.contains(document.elementFromPoint(x + along, y + height / 2)),
    );
  });

describe.each([
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
  { width: 720, height: 450 },
])('the pane at $width × $height', ({ width, height }) => {
  const pane = page.getByRole('complementary');
  const link = (row: number) => table().getByRole('rowheader').nth(row).getByRole('link');
  const heading = () => pane.getByRole('heading', { level: 2 }).boundingBox();
  const open = async (row: number) => {
    const name = await link(row).innerText();
    await link(row).click();
    await pane.getByRole('heading', { name, exact: true }).waitFor();
    await pane.getByText('User agents', { exact: true }).waitFor();
  };

  test('opens at its top, however far the list or the pane before was scrolled', async () => {
    await page.setViewportSize({ width, height });
    await page.goto(`${server.url}/subscribers`);
    await loaded();
    await open(2);
    await pane.getByRole('button', { name: 'Delete…' }).scrollIntoViewIfNeeded();
    if (width <= 860) {
      await pane.getByRole('button', { name: 'Close' }).click();
      await loaded();
    }
    await open(20);
    expect((await heading())?.y).toBeGreaterThanOrEqual(0);
    const first = await pane.getByText(/^#\d+ · /).boundingBox();
    expect(first?.y).toBeGreaterThan((await heading())?.y ?? Infinity);
    expect(first?.y).toBeLessThan(height);
  });

  test('keeps its name, its status, Edit and Close in sight while it scrolls', async () => {
    await pane.getByRole('button', { name: 'Delete…' }).scrollIntoViewIfNeeded();
    await pane.getByRole('button', { name: 'Delete…' }).focus();
    for (const part of [
      pane.getByRole('heading', { level: 2 }),
      pane.getByText('Active').first(),
      pane.getByRole('link', { name: 'Edit' }),
      pane.getByRole('button', { name: 'Close' }),
    ]) {
      expect(await isUncovered(part)).toBe(true);
    }
  });

  test('shows the ring around each button that has the focus whole', async () => {
    await page.setViewportSize({ width, height });
    await page.goto(`${server.url}/subscribers/3`);
    await pane.getByText('User agents', { exact: true }).waitFor();
    await page.keyboard.press('Tab');
    const cut = await pane.evaluate((element) => {
      const room = element.getBoundingClientRect().left + element.clientLeft + element.clientWidth;
      return [...element.querySelectorAll('button')].flatMap((button) => {
        button.focus();
        const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(button);
        const ring = parseFloat(outlineWidth) + parseFloat(outlineOffset);
        const isWhole = outlineStyle !== 'none' && button.getBoundingClientRect().right + ring <= room;
        return isWhole ? [] : [button.textContent];
      });
    });
    expect(cut).toEqual([]);
  });

  test('reads a token out from its first letters', async () => {
    await page.setViewportSize({ width, height });
    await page.goto(`${server.url}/subscribers/3`);
    await pane.getByRole('button', { name: 'Show large, to read the token out' }).click();
    const shown = page.getByRole('dialog', { name: /^Access token of/ });
    await shown.getByRole('button', { name: 'Close' }).and(page.locator(':focus')).waitFor();
    expect(await isUncovered(shown.getByRole('listitem').first())).toBe(true);
    await page.keyboard.press('Escape');
    await shown.waitFor({ state: 'detached' });
  });
});

test('what most calls need is in sight at 1440 × 900, also with playlist URLs and three countries', async () => {
  await page.setViewportSize({ width: 1440, height: 900 });
  const headers = { [csrfHeader.name]: csrfHeader.value, Origin: server.url };
  const data = { countries: ['NO', 'SE', 'GB'] };
  expect((await page.request.put(`${server.url}/api/subscribers/3`, { headers, data })).ok()).toBe(true);
  await page.goto(`${server.url}/subscribers/3`);
  await page.waitForLoadState('networkidle');
  const pane = page.getByRole('complementary');
  for (const name of ['Connection limit', 'Countries', 'IP addresses', 'User agents', 'Last change']) {
    const box = await pane.getByRole('term').filter({ hasText: name }).boundingBox();
    expect((box?.y ?? Infinity) + (box?.height ?? 0), name).toBeLessThanOrEqual(900);
  }
});

test.each([
  ['the server does not answer', '**', 'Check your connection'],
  ['a newer release has other files', '**/assets/saved-views-*', 'Reload the page'],
])('the list stays on the page where %s, and says what to do', async (_, lost, advice) => {
  await page.goto(`${server.url}/subscribers`);
  const table = page.getByRole('table', { name: 'Subscribers' });
  await table.getByRole('link').first().waitFor();
  await page.waitForLoadState('networkidle');
  await page.route(lost, (route) => route.abort());
  await table.getByRole('button', { name: 'Username' }).click();
  await page.getByText(`Couldn’t load this part of the page. ${advice} and try again.`).waitFor();
  await page.waitForURL(/sort=username/);
  await table.getByRole('link').first().waitFor();
  await page.unrouteAll();
});

test('Save and Cancel return to the list as it was left: its page, its place and the row', async () => {
  await page.setViewportSize({ width: 1440, height: 800 });
  await page.goto(`${server.url}/subscribers?page=2&pageSize=100`);
  const row = page
    .getByRole('table', { name: 'Subscribers' })
    .getByRole('rowheader')
    .nth(60)
    .getByRole('link');
  const place = async () => (await row.boundingBox())?.y;
  const rowFocused = page.locator('tbody tr:nth-child(61) a:focus');
  await row.focus();
  const left = await place();

  await page.keyboard.press('e');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await rowFocused.waitFor();
  expect(await place()).toBe(left);

  await page.keyboard.press('e');
  await page.getByLabel('Note', { exact: true }).fill('Called back.');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await rowFocused.waitFor();
  expect(await place()).toBe(left);

  await page.keyboard.press('Enter');
  const pane = page.getByRole('complementary');
  await pane.getByRole('link', { name: 'Edit' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await pane.getByText('User agents', { exact: true }).waitFor();
  expect(await place()).toBe(left);
  await page.keyboard.press('Escape');
  await rowFocused.waitFor();
  expect(await place()).toBe(left);
});

test('the box that says who can watch has as much room below its text as above, on a telephone too', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${server.url}/subscribers/4`);
  const box = page.getByRole('region', { name: 'Can watch' });
  await box.getByText('No limits on countries, networks or apps.').waitFor();
  const [above, below] = await box.evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    const lines = [...element.querySelectorAll('p')].map((line) => line.getBoundingClientRect());
    return [
      Math.min(...lines.map((line) => line.top)) - top,
      bottom - Math.max(...lines.map((line) => line.bottom)),
    ];
  });
  expect(below).toBe(above);
  expect(above).toBeLessThan(25);
});

test('what is typed right after “Add reason” goes into its field, and is no shortcut', async () => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${server.url}/subscribers/3`);
  const pane = page.getByRole('complementary');
  await pane.getByText('User agents', { exact: true }).waitFor();
  await pane.getByRole('button', { name: 'Add reason' }).click();
  await page.keyboard.type('extra week');
  expect(await pane.getByRole('textbox', { name: 'Reason (optional)' }).inputValue()).toBe('extra week');
  expect(new URL(page.url()).pathname).toBe('/subscribers/3');
});

test.each([
  [1440, 'al-amin-2008'],
  [1024, 'soren12'],
  [390, 'h.bauer'],
  [1440, 'j_garcia'],
])(
  'an extension at %i pixels, its hints and its lost answer move nothing, and Undo is within the pane’s width',
  async (width, name) => {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`${server.url}/subscribers?username=${name}`);
    await loaded();
    await table().getByRole('link', { name, exact: true }).click();
    const pane = page.getByRole('complementary', { name });
    await pane.getByText('User agents', { exact: true }).waitFor();
    await pane.getByRole('region', { name: 'Message' }).getByRole('button').first().waitFor();
    await page.waitForLoadState('networkidle');
    /** The places of the parts above the activity, from that of the first. */
    const places = () =>
      pane.locator('section:not([aria-label=Activity]), [aria-label=Message] button').evaluateAll((parts) => {
        const [first = 0, ...rest] = parts.map((part) => Math.round(part.getBoundingClientRect().top));
        return rest.map((top) => top - first);
      });
    const before = await places();
    // Of those who have expired, some dates are now marked as past.
    const startFrom = pane.getByRole('group', { name: 'Start from' });
    await startFrom.getByRole('button', { pressed: false }).click();
    expect(await places()).toEqual(before);
    await startFrom.getByRole('button', { pressed: false }).click();
    await page.route(/\/api\/subscribers\/\d+$/, (route) => route.abort());
    await pane.getByRole('button', { name: /^\+1 month/ }).click();
    const toasts = page.getByRole('status', { name: 'Notifications' });
    await toasts.getByText(/We don’t know yet whether the expiry was changed\./).waitFor();
    expect(await places()).toEqual(before);
    await page.unrouteAll();
    const undo = toasts.getByRole('button', { name: 'Undo' });
    await undo.waitFor();
    await pane
      .getByRole('option', { name: 'Subscription extended', selected: true })
      .waitFor({ state: 'attached' });
    await page.waitForLoadState('networkidle');
    expect(await places()).toEqual(before);
    expect((await undo.boundingBox())?.x).toBeGreaterThan((await pane.boundingBox())?.x ?? Infinity);
  },
);

test('an arrow shows beside the heading that the list is sorted by, and beside no other', async () => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${server.url}/subscribers?sort=username`);
  await loaded();
  const arrowOf = (name: string) =>
    table()
      .getByRole('button', { name })
      .locator('svg')
      .evaluate(({ parentElement }) => parentElement && getComputedStyle(parentElement).opacity);
  expect([await arrowOf('Username'), await arrowOf('Expires')]).toEqual(['1', '0']);
});

describe('a narrow list', () => {
  const views = { 'Expired soon in the whole of the north': 'o', 'Expired with an a in the name': 'a' };
  beforeAll(async () => {
    const headers = { [csrfHeader.name]: csrfHeader.value, Origin: server.url };
    for (const [name, Username] of Object.entries(views)) {
      const data = { name, query: { Expired: 'true', Username }, hidden: '' };
      expect((await page.request.post(`${server.url}/bff/views`, { headers, data })).ok()).toBe(true);
    }
  });
  const filter = page.getByRole('button', { name: 'Remove filter: Plan' });
  const manage = page.getByRole('button', { name: 'Manage views' });
  const save = page.getByRole('button', { name: 'Save view' });
  const view = page.getByRole('link', { name: Object.keys(views)[1] ?? '' });

  test.each([
    ['filter that is set', 390, '?trial=true', filter],
    ['button for views', 1024, '', manage],
    ['button for views beside the pane', 1024, '/3', manage],
    ['view that it is', 1024, '?expired=true&username=a', view],
    ['view that it is beside the pane', 1024, '/3?expired=true&username=a', view],
    ['button to save it beside the pane', 1024, '/3?expired=true&username=b', save],
    ['view that it is, on a telephone', 390, '?expired=true&username=a', view],
  ])('shows the %s without scrolling', async (_, width, address, part) => {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`${server.url}/subscribers${address}`);
    await loaded();
    await part.waitFor();
    await expect.poll(() => isUncovered(part)).toBe(true);
  });
});
