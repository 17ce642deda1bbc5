import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { findBox as box, says, announced, shows, toggleFilter } from '../../support/app/list.ts';
import { openDesk } from '../../support/app/desk.ts';
import { cutNetwork, holdAnswers } from '../../support/app/network.ts';
import { appears, button, disappears, hasFocus, link, openApp, renderApp } from '../../support/app/page.tsx';
import { person } from '../../support/people.ts';

const people = [person('anna'), person('annika'), person('bjarne', { email: 'bb@other.example' })];
const everybody = () => shows('anna', 'annika', 'bjarne');

async function openList(address = '/subscribers') {
  const page = await openApp(address, { people });
  await everybody();
  return page;
}

describe('the find box', () => {
  it('filters by username, or by email as soon as there is an @, with one request for a word', async () => {
    const { hasty, user, address, requested } = await openList();
    await hasty.type(box(), 'ann');
    await shows('anna', 'annika');
    expect(address()).toBe('/subscribers?username=ann');
    expect(requested(/Username=/)).toEqual(['GET /api/subscribers?Username=ann']);
    await user.type(box(), 'i');
    await shows('annika');
    await user.clear(box());
    await everybody();
    expect(address()).toBe('/subscribers');
    await hasty.type(box(), '@other');
    await shows('bjarne');
    expect(address()).toBe('/subscribers?email=%40other');
  });

  it('waits for no further key after a pause', async () => {
    const { hasty } = await openList();
    await hasty.type(box(), 'an');
    await shows('anna', 'annika');
    const timers = vi.spyOn(globalThis, 'setTimeout');
    await hasty.type(box(), 'ni');
    await shows('annika');
    const pauses = timers.mock.calls.flatMap(([, ms = 0]) => (ms === 180 ? [ms] : []));
    // The one of the second key, which followed the first.
    expect(pauses).toHaveLength(1);
  });

  it('loses no keystroke when answers come late and out of order', async () => {
    const { user, requested } = await openList();
    const first = holdAnswers(/Username=a$/);
    const second = holdAnswers(/Username=ann$/);
    await user.type(box(), 'a');
    await waitFor(() => expect(requested(/Username=a$/)).not.toEqual([]));
    await user.type(box(), 'nn');
    await waitFor(() => expect(requested(/Username=ann$/)).not.toEqual([]));
    await user.type(box(), 'i');
    await shows('annika');
    second.release();
    first.release();
    await user.type(box(), 'k');
    await shows('annika');
    expect(box().value).toBe('annik');
  });

  it('adds one step to the history', async () => {
    const { user, goBack, address } = await openApp('/subscribers?expired=true', { people });
    await appears('heading', 'No subscribers match');
    await toggleFilter(user, 'Expired');
    await everybody();
    await user.type(box(), 'ann');
    await shows('anna', 'annika');
    await user.type(box(), 'a');
    await shows('anna');
    goBack();
    await appears('heading', 'No subscribers match');
    expect(address()).toBe('/subscribers?expired=true');
  });

  it('keeps a text that is too long to search for, and says so', async () => {
    const { user, requested } = await openApp('/subscribers?username=ann', { people });
    await shows('anna', 'annika');
    const text = 'long '.repeat(60).trim();
    await user.clear(box());
    await user.paste(text);
    await everybody();
    expect(box().value).toBe(text);
    expect(requested(/long/)).toEqual([]);
    expect(announced()).toContain('Can’t search for this. 299 characters, limit 64: remove 235.');
    await user.type(box(), '@');
    await says('Can’t search for this. 300 characters, limit 254: remove 46.');
    await user.clear(box());
    await waitFor(() => expect(announced().join()).not.toContain('Can’t search'));
  });

  it('shows the filter in the address, and follows it', async () => {
    const { user, goTo } = await openApp('/subscribers?username=ann', { people });
    await shows('anna', 'annika');
    expect(box().value).toBe('ann');
    goTo('/subscribers?email=bb');
    await waitFor(() => expect(box().value).toBe('bb'));
    await user.click(button('Clear filters'));
    await waitFor(() => expect(box().value).toBe(''));
  });

  it('opens the first match on Enter, not one of the list before, and nothing without a match', async () => {
    const { user, address } = await openList();
    await user.type(box(), '{Enter}');
    await user.type(box(), 'zz{Enter}');
    await appears('heading', 'No subscribers match');
    await user.clear(box());
    await everybody();
    expect(address()).toBe('/subscribers');
    expect(screen.queryByRole('complementary')).toBeNull();
    const answer = holdAnswers(/Username=bj/);
    await user.type(box(), 'bj{Enter}');
    await waitFor(() => expect(address()).toBe('/subscribers?username=bj'));
    expect(screen.queryByRole('complementary')).toBeNull();
    answer.release();
    await appears('complementary', 'bjarne');
    expect(address()).toBe('/subscribers/3?username=bj');
    expect(box().value).toBe('bj');
  });

  it('opens nothing on Enter when the text changes before the answer', async () => {
    const { user, address } = await openList();
    const answer = holdAnswers(/Username=bj/);
    await user.type(box(), 'bj{Enter}');
    await waitFor(() => expect(address()).toBe('/subscribers?username=bj'));
    await user.clear(box());
    await user.type(box(), 'ann');
    answer.release();
    await shows('anna', 'annika');
    expect(screen.queryByRole('complementary')).toBeNull();
  });

  it('leads by the arrow down into the rows that the text finds', async () => {
    const { user } = await openList();
    const answer = holdAnswers(/Username=annik/);
    await user.type(box(), 'annik{ArrowDown}');
    expect(document.activeElement).toBe(box());
    answer.release();
    await hasFocus(() => link('annika'));
  });

  it('closes the pane for a new search, and by Escape, which then clears the box', async () => {
    const { user, address, goBack } = await openApp('/subscribers/1', { people });
    await appears('complementary', 'anna');
    await user.type(box(), 'bj');
    await shows('bjarne');
    expect(screen.queryByRole('complementary')).toBeNull();
    expect(document.activeElement).toBe(box());
    goBack();
    await appears('complementary', 'anna');
    await user.type(box(), 'bj{Enter}');
    await appears('complementary', 'bjarne');
    await user.click(box());
    await user.keyboard('{Escape}');
    await disappears('complementary', 'bjarne');
    expect(address()).toBe('/subscribers?username=bj');
    expect(document.activeElement).toBe(box());
    await user.keyboard('{Escape}');
    await everybody();
    expect(box().value).toBe('');
  });

  it('offers to open the subscriber with a number, which Enter does at once', async () => {
    const { user, address } = await openList();
    await user.type(box(), '2');
    await appears('button', /^Open #2/);
    await user.clear(box());
    await user.type(box(), '#2');
    await user.click(button(/^Open #2/));
    await appears('complementary', 'annika');
    expect(address()).toMatch(/^\/subscribers\/2/);
    await user.clear(box());
    await user.type(box(), '3{Enter}');
    await appears('complementary', 'bjarne');
    expect(box().value).toBe('');
  });
});

describe('an access token in the find box', () => {
  const unknown = 'x'.repeat(43);
  const nobody = 'No subscriber has this access token. It may be an old one.';

  it('opens its subscriber at once, even with white space in it, and never gets into an address', async () => {
    const page = await openList('/subscribers?sort=username');
    const [, annika = '', bjarne = ''] = page.people.map(({ accessToken }) => accessToken);
    await page.user.click(box());
    await page.user.paste(`https://tv.example/play/${annika}/index.m3u8?quality=high`);
    await appears('complementary', 'annika');
    expect(page.address()).toBe('/subscribers/2?sort=username');
    expect(box().value).toBe('');
    await everybody();
    await page.user.click(box());
    await page.user.paste(`${bjarne.slice(0, 25)} ${bjarne.slice(25)}`);
    await appears('complementary', 'bjarne');
    expect(page.address()).toBe('/subscribers/3?sort=username');
    expect(page.requested(/./).filter((request) => request.includes(annika))).toEqual([]);
    expect(page.requested(/Username|Email/)).toEqual([]);
    expect(page.requested(/find-by-token/)).toHaveLength(2);
  });

  it('closes the pane and is reported if no subscriber has it, until something else is typed', async () => {
    const { user, address } = await openList('/subscribers/1');
    await appears('complementary', 'anna');
    const answer = holdAnswers(/find-by-token/);
    await user.click(box());
    await user.paste(unknown);
    await says('Searching for this access token…');
    await disappears('complementary', 'anna');
    answer.release();
    await says(nobody);
    expect(address()).toBe('/subscribers');
    await everybody();
    await user.clear(box());
    await user.type(box(), 'bj');
    await shows('bjarne');
    expect(announced()).not.toContain(nobody);
    await disappears('status', /token/);
  });

  it('is not reported as unknown if it cannot be looked up', async () => {
    const { user } = await openList();
    cutNetwork(/find-by-token/);
    await user.click(box());
    await user.paste(unknown);
    await says(
      'Couldn’t search for this access token. Subscriber Desk doesn’t answer. Check your connection.',
    );
  });

  it('does not get into the address in part either', async () => {
    const page = await openList();
    const part = page.people[0]?.accessToken.slice(0, 30) ?? '';
    await page.user.click(box());
    await page.user.paste(part);
    await says(
      'This looks like part of an access token. Paste the whole token alone. If this is all of it, put “token:” before it.',
    );
    await toggleFilter(page.user, 'Expired');
    await appears('heading', 'No subscribers match');
    expect(page.address()).toBe('/subscribers?expired=true');
    expect(box().value).toBe(part);
  });

  it.each(['AB12-CD34', 'aB3-dE6_gH9kLm2NpQ5', '00:1a:79:12:34:56', '88410027'])(
    'opens its subscriber where the service makes such tokens: %s',
    async (accessToken) => {
      const page = await openDesk({ people });
      await (
        await page.serviceDb()
      )
        .updateTable('subscribers')
        .set({ access_token: accessToken })
        .where('id', '=', 2)
        .execute();
      const { user, address } = renderApp('/subscribers');
      await everybody();
      await user.type(box(), `token:${accessToken}`);
      await says('Press Enter to search for this access token.');
      expect(page.requested(/find-by-token/)).toEqual([]);
      await user.keyboard('{Enter}');
      await appears('complementary', 'annika');
      expect(address()).toBe('/subscribers/2');
      expect(box().value).toBe('');
    },
  );

  it('says who replaced it, and leads to its subscriber', async () => {
    const page = await openApp('/subscribers/2', { people });
    await appears('complementary', 'annika');
    const before = page.people[1]?.accessToken ?? '';
    await page.user.click(await appears('button', 'Regenerate token…'));
    await page.user.click(await appears('button', 'Regenerate token'));
    await page.user.click(await appears('button', 'Done'));
    await page.user.click(box());
    await page.user.paste(before);
    await waitFor(() =>
      expect(announced().join()).toMatch(/This token was replaced by Kari on 1 Jun 2026\./),
    );
    await page.user.keyboard('{Enter}');
    await appears('complementary', 'annika');
    expect(box().value).toBe('');
  });

  it('leaves the address before it is long enough to be of use if it is typed slowly', async () => {
    const { user, address } = await openList();
    await user.type(box(), 'abcdefghijklmno');
    await waitFor(() => expect(address()).toBe('/subscribers?username=abcdefghijklmno'));
    await user.type(box(), 'p');
    await waitFor(() => expect(address()).toBe('/subscribers'));
    expect(announced()).toContain('Press Enter to search for this.');
    await user.type(box(), '{Enter}');
    await waitFor(() => expect(address()).toBe('/subscribers?username=abcdefghijklmnop'));
    expect(announced()).not.toContain('Press Enter to search for this.');
    await user.type(box(), 'q');
    await waitFor(() => expect(address()).toBe('/subscribers'));
  });

  it('opens nothing if it is found after the user typed something else', async () => {
    const { hasty, user, people: there, address } = await openList();
    const answer = holdAnswers(/find-by-token/);
    await user.click(box());
    await user.paste(there[0]?.accessToken ?? '');
    await user.clear(box());
    await hasty.type(box(), 'bj');
    answer.release();
    await shows('bjarne');
    expect(address()).toBe('/subscribers?username=bj');
    expect(screen.queryByRole('complementary')).toBeNull();
  });
});
