import type { ElementHandle, Locator, Page } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { csrfHeader } from '../../../src/contract/bff/paths.ts';
import type { SubscriberInput } from '../../../src/contract/service/subscriber-input.ts';
import type { SubscriberDetail } from '../../../src/contract/service/subscriber.ts';
import { enterTwice, openPage, type Watched } from '../../support/e2e/browser.ts';
import { startProduct } from '../../support/e2e/product.ts';
import { signInRoles } from '../../support/e2e/roles.ts';

/**
 * The calls of a day as staff take them, one after the other on one page, by the mouse, by the keyboard alone and on a
 * telephone. Each is solved in the steps that it needs, with the right name at the top; no step takes the focus away, or
 * moves what was pressed from under the pointer.
 */

const ways = [
  { way: 'mouse', role: 'manager', width: 1440, height: 900 },
  { way: 'keyboard', role: 'support', width: 1440, height: 900 },
  { way: 'telephone', role: 'support', width: 390, height: 844 },
] as const;
type Way = (typeof ways)[number]['way'];

const statusHelp = 'The billing team changes the status: 555 0100.';
const variables = {
  STATUS_HELP: statusHelp,
  PLAYLIST_URL_TEMPLATE: 'https://tv.example.com/playlist/{token}.m3u8',
};
const server = await startProduct('start', variables);
const signedIn = await signInRoles(server);

describe.each(ways)('calls by $way as $role', ({ way, role, width, height }) => {
  let watched: Watched;
  let page: Page;
  let person: Person;
  let elsewhere: Page;
  beforeAll(async () => {
    watched = await openPage({ viewport: { width, height }, storageState: signedIn[role] });
    ({ page } = watched);
    person = personAt(page, way);
    elsewhere = await page.context().newPage();
    await elsewhere.setContent('<textarea></textarea>');
    await page.bringToFront();
    await openList();
  });
  const openList = async () => {
    await page.goto(`${server.url}/subscribers`);
    await page.getByRole('table', { name: 'Subscribers' }).getByRole('link').first().waitFor();
  };
  /** Takes the next call where the one before has ended. */
  async function nextCall(): Promise<void> {
    // A telephone shows the pane alone.
    if (way === 'telephone' && (await pane().count()) > 0) await person.press(button('Close'));
    person.begin();
  }
  beforeEach(() => nextCall());
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') return openList();
    await person.isUndisturbed();
    expect([...watched.complaints(), ...watched.refusals()]).toEqual([]);
  });

  /** Adds the caller of a test. */
  async function addCaller(call: string, more: Partial<SubscriberInput> = {}): Promise<string> {
    const username = `${call}.${way}`;
    const data = { username, email: `${username}@example.com`, expiresAt: inDays(90), ...more };
    const answer = await page.request.post(`${server.url}/api/subscribers`, { headers: headers(), data });
    expect(answer.ok()).toBe(true);
    return username;
  }
  const headers = () => ({ [csrfHeader.name]: csrfHeader.value, Origin: server.url });
  async function read<T>(path: string): Promise<T> {
    return (await (await page.request.get(server.url + path, { headers: headers() })).json()) as T;
  }
  const named = async (name: string) =>
    (await read<{ items: SubscriberDetail[] }>(`/api/subscribers?Username=${name}`)).items[0];
  const pane = () => page.getByRole('complementary');
  const playbackStatus = () => pane().getByRole('region', { name: 'Can watch' });
  /** Reads the clipboard. The page may not read it, so a person pastes it somewhere else. */
  async function clipboard(): Promise<string> {
    await elsewhere.bringToFront();
    const box = elsewhere.getByRole('textbox');
    await box.fill('');
    await box.press('ControlOrMeta+v');
    const text = await box.inputValue();
    await page.bringToFront();
    return text;
  }
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const dialog = (name: string | RegExp) => page.getByRole('dialog', { name });
  const heading = (name: string) => pane().getByRole('heading', { name, exact: true });
  /** The pane of the caller is open, whole and at its top, with the name in sight. */
  async function opened(name: string): Promise<void> {
    await heading(name).waitFor();
    await pane().getByText('User agents', { exact: true }).waitFor();
    const topOf = async (part: Locator) => (await part.boundingBox())?.y ?? NaN;
    await expect.poll(() => topOf(heading(name))).toBeGreaterThanOrEqual(0);
    const identity = await topOf(pane().getByText(/^#\d+ · /));
    expect(identity).toBeGreaterThan(await topOf(heading(name)));
    expect(identity).toBeLessThan(height / 3);
  }
  /** Finds a caller, whose pane opens. */
  async function find(name: string, text = name): Promise<void> {
    await person.find(text);
    await opened(name);
  }

  test('“it stopped yesterday”: an expired subscription is extended', async () => {
    const name = await addCaller('expired', { expiresAt: inDays(-1) });
    await find(name);
    await playbackStatus()
      .getByText(/^Can’t watch: expired/)
      .waitFor();
    await person.press(button(/^\+1 month/));
    await playbackStatus()
      .getByText(/^Can watch/)
      .waitFor();
    await person.press(pane().getByRole('button', { name: 'Copy message', exact: true }));
    await expect.poll(clipboard).toContain(`Hello ${name}`);
    expect(person.steps()).toBe(3);
  });

  test('“I have lost my link”: the caller is found by email, and the address is copied', async () => {
    const name = await addCaller('lost');
    await find(name, `${name}@example.com`);
    await person.press(button('Copy playlist URL'));
    await expect.poll(clipboard).toMatch(/^https:\/\/tv\.example\.com\/playlist\/[\w-]{43}\.m3u8$/);
    expect(page.url()).not.toContain('playlist');
    expect(person.steps()).toBe(2);
  });

  test('“somebody else watches with my link”: it stops working, and the old one still finds the caller', async () => {
    const name = await addCaller('leaked');
    await find(name);
    await person.press(pane().getByRole('button', { name: 'Copy token', exact: true }));
    await expect.poll(clipboard).toMatch(/^[\w-]{43}$/);
    const old = await clipboard();
    await person.press(button('Regenerate token…'));
    await person.press(button('Regenerate token'));
    const asking = dialog('Regenerate access token');
    await person.press(asking.getByRole('button', { name: 'Copy message', exact: true }));
    await expect.poll(clipboard).toContain(name);
    await page.keyboard.press('Escape');
    await asking.waitFor({ state: 'detached' });
    expect(person.steps()).toBe(5);
    // The next call: the old link is read out.
    await nextCall();
    // Found without Enter, which would open the caller as soon as the sentence is there.
    await person.paste(old);
    await page.getByText(/This token was replaced by .+ on /).waitFor();
    await person.press(button(new RegExp(`^Open ${name}`)));
    await opened(name);
    expect(page.url()).not.toContain(old);
    expect(person.steps()).toBe(2);
    watched.refusals();
  });

  test('“my name is Zoë Brønsted”: two words without accents find it', async () => {
    const name = await addCaller('zoë.brønsted', { email: `zoe.${way}@example.com` });
    await find(name, `zoe bronsted ${way}`);
    expect(person.steps()).toBe(1);
  });

  test('“I would like to try it”: a trial is created, and its token copied', async () => {
    const name = `newcomer.${way}`;
    await person.press(page.getByRole('link', { name: 'New subscriber' }), 'n');
    await page.getByLabel('Username', { exact: true }).and(page.locator(':focus')).waitFor();
    await person.write(name);
    await person.goTo(page.getByLabel('Email', { exact: true }));
    await person.write(`${name}@example.com`);
    await person.press(page.getByLabel('Trial', { exact: true }), ' ');
    await person.press(button('Create subscriber'), 'Control+Enter');
    await opened(name);
    await person.press(pane().getByRole('button', { name: 'Copy token', exact: true }).first());
    await expect.poll(clipboard).toMatch(/^[\w-]{43}$/);
    const days = (Date.parse((await named(name))?.expiresAt ?? '') - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(6.9);
    expect(days).toBeLessThan(8.1);
  });

  test('“it says blocked”: the pane says who changes the status', async () => {
    const { items } = await read<{ items: SubscriberDetail[] }>('/api/subscribers?StatusId=3&PageSize=1');
    const name = items[0]?.username ?? '';
    await find(name);
    await playbackStatus().getByText(statusHelp).waitFor();
    expect(person.steps()).toBe(1);
  });

  test('“I am in Sweden now”: the country is added after it is seen to be missing', async () => {
    const name = await addCaller('abroad', { countries: ['NO'] });
    await find(name);
    await playbackStatus().getByText('Limited to: Norway.').waitFor();
    await person.press(button('Check a connection…'));
    await person.write('I am in Sweden');
    await dialog(/^Check a connection/)
      .getByText('Stopped by: Countries.')
      .waitFor();
    await person.press(button('Add Sweden…'));
    await person.press(dialog(/^Add to Countries/).getByRole('button', { name: 'Add Sweden', exact: true }));
    await dialog(/^Check a connection/)
      .getByText('Nothing that can be checked stops it.')
      .waitFor();
    await page.keyboard.press('Escape');
    await playbackStatus().getByText('Limited to: Norway and Sweden.').waitFor();
    expect(person.steps()).toBe(5);
  });

  test('“my new box does not work”: a line of the log names the app, which is added', async () => {
    const name = await addCaller('box', { userAgents: ['VLC/3.0'], ipAddresses: ['192.0.2.0/24'] });
    await find(name);
    await person.press(button('Check a connection…'));
    await person.write(
      '192.0.2.9 - - [22/Nov/2026:19:12:17 +0000] "GET /live/1.m3u8 HTTP/1.1" 403 1 "-" "SmartBox/2.1"',
    );
    await person.press(button('Add this app…'));
    await person.press(
      dialog(/^Add to User agents/).getByRole('button', { name: 'Add this app', exact: true }),
    );
    await dialog(/^Check a connection/)
      .getByText('SmartBox/2.1 is in the list.')
      .waitFor();
    await page.keyboard.press('Escape');
    expect(person.steps()).toBe(5);
  });

  test('“my daughter has a television too, in Denmark”: both are changed in the pane', async () => {
    const name = await addCaller('family', { maxConnections: 1, countries: ['NO'] });
    await find(name);
    await person.press(button('One connection more'));
    await playbackStatus()
      .getByText(/^Can watch on up to 2 devices/)
      .waitFor();
    await person.press(button('Edit Countries'));
    await person.goTo(dialog(`Countries of ${name}`).getByRole('combobox'));
    await person.write('Denmark');
    await page.keyboard.press('Enter');
    await person.press(button('Save changes'));
    await playbackStatus().getByText('Limited to: Norway and Denmark.').waitFor();
    await heading(name).waitFor();
    expect(person.steps()).toBe(5);
  });

  test('“they promised to call me back”: a note is added without opening the form', async () => {
    const name = await addCaller('note', { note: '! Calls before noon only' });
    await find(name);
    await pane().getByText('Calls before noon only', { exact: true }).waitFor();
    await person.press(button('Add note'));
    await person.write('Will be called back tomorrow');
    await page.keyboard.press('Enter');
    await pane()
      .getByText(/ \d{4} .+: Will be called back tomorrow$/)
      .waitFor();
    expect(person.steps()).toBe(3);
  });

  test('“wait, where did I put it?”: half a note is kept through Escape, Close, another page, Back and a reload', async () => {
    const name = await addCaller('half');
    await find(name);
    await person.press(button('Add note'));
    await person.write('Half a');
    const note = pane().getByRole('textbox', { name: 'New note' });
    const stored = async () => {
      await heading(name).waitFor();
      await expect.poll(() => note.inputValue()).toBe('Half a');
    };
    await page.keyboard.press('Escape');
    await person.press(button('Continue note'));
    await stored();
    await person.press(button('Close'));
    await person.press(page.getByRole('table', { name: 'Subscribers' }).getByRole('link', { name }));
    await stored();
    await person.press(page.getByRole('link', { name: 'Activity', exact: true }));
    await page.getByRole('heading', { level: 1, name: 'Activity' }).waitFor();
    await page.goBack();
    await stored();
    await person.goTo(note);
    await page.keyboard.press('End');
    await page.keyboard.insertText(' note');
    await page.reload();
    await person.goTo(note);
    await expect.poll(() => note.inputValue()).toBe('Half a note');
    await page.keyboard.press('Control+Enter');
    await pane()
      .getByText(/ \d{4} .+: Half a note$/)
      .waitFor();
  });

  test('“it is the other line now”: the pane of the caller before is gone, and only this one is extended', async () => {
    await addCaller('first', { expiresAt: '2027-03-01T12:00:00.000Z' });
    await addCaller('second', { expiresAt: '2027-03-01T12:00:00.000Z' });
    await find(`first.${way}`);
    await nextCall();
    await find(`second.${way}`);
    // Pressed twice by mistake.
    const extend = button(/^\+1 year/);
    if (way === 'keyboard') {
      await tabTo(page, extend);
      await enterTwice(page);
    } else await extend.dblclick();
    // The button says the date before it is pressed.
    await playbackStatus()
      .getByText(/1 Mar 2028/)
      .first()
      .waitFor();
    const names = ['first', 'second'].map((call) => `${call}.${way}`);
    const expiries = names.map(async (name) => (await named(name))?.expiresAt.slice(0, 10));
    expect(await Promise.all(expiries)).toEqual(['2027-03-01', '2028-03-01']);
  });
});

/** A person at the page, whose steps are counted: a search, or a press of a button, is one. */
function personAt(page: Page, way: Way) {
  let steps = 0;
  let pressed: { element: ElementHandle; y: number | undefined } | null = null;
  /** Checks that what was pressed last is still under the pointer, unless it is gone, and that something has the focus. */
  async function isUndisturbed(): Promise<void> {
    await expect.poll(() => page.evaluate(() => document.activeElement !== document.body)).toBe(true);
    if (!pressed) return;
    const y = (await pressed.element.boundingBox().catch(() => null))?.y;
    expect(y ?? pressed.y, `${way}: ${await pressed.element.textContent().catch(() => '')}`).toBe(pressed.y);
    pressed = null;
  }
  async function click(target: Locator): Promise<void> {
    await target.click({ trial: true });
    const element = await target.elementHandle();
    pressed = element && { element, y: (await element.boundingBox())?.y };
    await target.click();
  }
  const press = async (target: Locator, key?: string): Promise<void> => {
    steps += 1;
    await isUndisturbed();
    if (way !== 'keyboard') return click(target);
    if (key === undefined || key === ' ') await tabTo(page, target);
    // A button takes no press for a moment, lest it be the second of two.
    await target.and(page.locator(':not([aria-disabled])')).waitFor();
    await page.keyboard.press(key ?? 'Enter');
  };
  /** Enters a text in the find box. */
  async function paste(text: string): Promise<void> {
    steps += 1;
    if (way === 'keyboard') await page.keyboard.press('/');
    else await page.getByRole('searchbox', { name: 'Find subscribers' }).click();
    await page.keyboard.insertText(text);
  }
  return {
    begin: () => void (steps = 0),
    steps: () => steps,
    isUndisturbed,
    /** @param key what to press instead of Tab and Enter; a blank, which a check box needs, comes after Tab */
    press,
    /** Goes to a field. */
    goTo: (target: Locator) => (way === 'keyboard' ? tabTo(page, target) : target.click()),
    paste,
    /** Enters a text in the find box and opens its only hit. */
    async find(text: string): Promise<void> {
      await paste(text);
      await page.keyboard.press('Enter');
    },
    /** Enters a text in the field that has the focus. */
    async write(text: string): Promise<void> {
      steps += 1;
      await page.locator(':is(input, textarea):focus').waitFor();
      await page.keyboard.insertText(text);
    },
  };
}
type Person = ReturnType<typeof personAt>;

/** Presses Tab until the target has the focus. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  const isFocused = () => target.evaluate((element) => element === document.activeElement);
  for (let presses = 0; presses < 80; presses += 1) {
    if (await isFocused()) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${String(target)} is not reached by Tab.`);
}

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();
