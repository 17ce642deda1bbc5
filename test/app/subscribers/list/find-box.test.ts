import { screen, waitFor } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { announced, shows, toggleFilter } from '../../../support/app/list.ts';
import { cutNetwork, holdAnswers } from '../../../support/app/network.ts';
import { appears, button, disappears, hasFocus, link, openPage } from '../../../support/app/page.tsx';
import { person } from '../../../support/people.ts';

const people = [person('anna'), person('annika'), person('bjarne', { email: 'bb@other.example' })];
const box = () => screen.getByRole<HTMLInputElement>('searchbox', { name: 'Find subscribers' });
const everybody = () => shows('anna', 'annika', 'bjarne');

describe('typing in the find box', () => {
  test('filters by username, and the address follows', async () => {
    const { hasty, user, address } = await openPage('/subscribers', { people });
    await everybody();
    await hasty.type(box(), 'ann');
    await shows('anna', 'annika');
    expect(address()).toBe('/subscribers?username=ann');
    await user.type(box(), 'i');
    await shows('annika');
    await user.clear(box());
    await everybody();
    expect(address()).toBe('/subscribers');
  });

  test('filters by email as soon as there is an @', async () => {
    const { hasty, address } = await openPage('/subscribers', { people });
    await everybody();
    await hasty.type(box(), '@other');
    await shows('bjarne');
    expect(address()).toBe('/subscribers?email=%40other');
  });

  test('sends one request for a word, not one for each letter', async () => {
    const { hasty, asked } = await openPage('/subscribers', { people });
    await everybody();
    await hasty.type(box(), 'annika');
    await shows('annika');
    expect(asked(/Username=/)).toEqual(['GET /api/subscribers?Username=annika']);
  });

  test('loses no keystroke when answers come late and out of order', async () => {
    const { user, asked } = await openPage('/subscribers', { people });
    await everybody();
    const first = holdAnswers(/Username=a$/);
    const second = holdAnswers(/Username=ann$/);
    await user.type(box(), 'a');
    await waitFor(() => expect(asked(/Username=a$/)).not.toEqual([]));
    await user.type(box(), 'nn');
    await waitFor(() => expect(asked(/Username=ann$/)).not.toEqual([]));
    await user.type(box(), 'i');
    await shows('annika');
    second.release();
    first.release();
    await user.type(box(), 'k');
    await shows('annika');
    expect(box().value).toBe('annik');
  });

  test('adds one step to the history', async () => {
    const { user, goBack, address } = await openPage('/subscribers?expired=true', { people });
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

  test('keeps a text that is too long to search for, and says so', async () => {
    const { user, asked } = await openPage('/subscribers?username=ann', { people });
    await shows('anna', 'annika');
    const text = 'long '.repeat(60).trim();
    await user.clear(box());
    await user.paste(text);
    await everybody();
    expect(box().value).toBe(text);
    expect(asked(/long/)).toEqual([]);
    expect(announced()).toContain('Can’t search for this. 299 characters, limit 64: remove 235.');
    await user.type(box(), '@');
    await waitFor(() =>
      expect(announced()).toContain('Can’t search for this. 300 characters, limit 254: remove 46.'),
    );
    await user.clear(box());
    await waitFor(() => expect(announced().join()).not.toContain('Can’t search'));
  });
});

test('the find box shows the filter in the address, and follows it', async () => {
  const { user, goTo } = await openPage('/subscribers?username=ann', { people });
  await shows('anna', 'annika');
  expect(box().value).toBe('ann');
  goTo('/subscribers?email=bb');
  await waitFor(() => expect(box().value).toBe('bb'));
  await user.click(button('Clear filters'));
  await waitFor(() => expect(box().value).toBe(''));
});

describe('Enter in the find box', () => {
  test('opens the first of those that the text finds, not of those before', async () => {
    const { user, address } = await openPage('/subscribers', { people });
    await everybody();
    const answer = holdAnswers(/Username=bj/);
    await user.type(box(), 'bj{Enter}');
    await waitFor(() => expect(address()).toBe('/subscribers?username=bj'));
    expect(screen.queryByRole('complementary')).toBeNull();
    answer.release();
    await appears('complementary', 'bjarne');
    expect(address()).toBe('/subscribers/3?username=bj');
    expect(box().value).toBe('bj');
  });

  test('opens nothing when the text changes before the answer', async () => {
    const { user, address } = await openPage('/subscribers', { people });
    await everybody();
    const answer = holdAnswers(/Username=bj/);
    await user.type(box(), 'bj{Enter}');
    await waitFor(() => expect(address()).toBe('/subscribers?username=bj'));
    await user.clear(box());
    await user.type(box(), 'ann');
    answer.release();
    await shows('anna', 'annika');
    expect(screen.queryByRole('complementary')).toBeNull();
  });

  test('does nothing without a text or without a hit', async () => {
    const { user, address } = await openPage('/subscribers', { people });
    await everybody();
    await user.type(box(), '{Enter}');
    await user.type(box(), 'zz{Enter}');
    await appears('heading', 'No subscribers match');
    await user.clear(box());
    await everybody();
    expect(address()).toBe('/subscribers');
    expect(screen.queryByRole('complementary')).toBeNull();
  });
});

test('the arrow down goes from the find box into the rows that the text finds', async () => {
  const { user } = await openPage('/subscribers', { people });
  await everybody();
  const answer = holdAnswers(/Username=annik/);
  await user.type(box(), 'annik{ArrowDown}');
  expect(document.activeElement).toBe(box());
  answer.release();
  await hasFocus(() => link('annika'));
});

test('a new search closes the pane of the subscriber before, and Escape closes it too, then clears', async () => {
  const { user, address, goBack } = await openPage('/subscribers/1', { people });
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

test('an access token closes the pane of the subscriber before, also when nobody has it', async () => {
  const { user } = await openPage('/subscribers/1', { people });
  await appears('complementary', 'anna');
  await user.click(box());
  await user.paste('x'.repeat(43));
  await disappears('complementary', 'anna');
});

describe('digits in the find box', () => {
  test.each(['2', '#2'])('offer to open the subscriber with that number: %s', async (text) => {
    const { user, address } = await openPage('/subscribers', { people });
    await everybody();
    await user.type(box(), text);
    await user.click(button(/^Open #2/));
    await appears('complementary', 'annika');
    expect(address()).toMatch(/^\/subscribers\/2/);
  });

  test('open that subscriber by Enter', async () => {
    const { user } = await openPage('/subscribers', { people });
    await everybody();
    await user.type(box(), '3{Enter}');
    await appears('complementary', 'bjarne');
    expect(box().value).toBe('');
  });
});

describe('an access token in the find box', () => {
  const linkTo = (token: string) => `https://tv.example/play/${token}/index.m3u8?quality=high`;

  test('opens its subscriber at once, and never gets into an address', async () => {
    const page = await openPage('/subscribers?sort=username', { people });
    await everybody();
    const [, annika] = page.people;
    const token = annika?.accessToken ?? '';
    await page.user.click(box());
    await page.user.paste(linkTo(token));
    await appears('complementary', 'annika');
    expect(page.address()).toBe('/subscribers/2?sort=username');
    expect(box().value).toBe('');
    await everybody();
    expect(page.asked(/./).filter((address) => address.includes(token))).toEqual([]);
    expect(page.asked(/find-by-token/)).toHaveLength(1);
  });

  test('that no subscriber has is reported, and the page stays', async () => {
    const { user, address } = await openPage('/subscribers', { people });
    await everybody();
    await user.click(box());
    await user.paste('x'.repeat(43));
    await waitFor(() =>
      expect(announced()).toContain('No subscriber has this access token. It may be an old one.'),
    );
    expect(address()).toBe('/subscribers');
    await everybody();
  });

  test('is reported as being looked up while the answer is awaited', async () => {
    const { user } = await openPage('/subscribers', { people });
    await everybody();
    const answer = holdAnswers(/find-by-token/);
    await user.click(box());
    await user.paste('x'.repeat(43));
    await waitFor(() => expect(announced()).toContain('Searching for this access token…'));
    answer.release();
    await waitFor(() =>
      expect(announced()).toContain('No subscriber has this access token. It may be an old one.'),
    );
  });

  test('that cannot be looked up is not reported as unknown', async () => {
    const { user } = await openPage('/subscribers', { people });
    await everybody();
    cutNetwork(/find-by-token/);
    await user.click(box());
    await user.paste('x'.repeat(43));
    await waitFor(() =>
      expect(announced()).toContain(
        'Couldn’t search for this access token. Subscriber Desk doesn’t answer. Check your connection.',
      ),
    );
  });

  test('does not get into the address in part either', async () => {
    const page = await openPage('/subscribers', { people });
    await everybody();
    const part = page.people[0]?.accessToken.slice(0, 30) ?? '';
    await page.user.click(box());
    await page.user.paste(part);
    await waitFor(() =>
      expect(announced()).toContain(
        'This looks like part of an access token. Paste the whole token, and nothing else.',
      ),
    );
    await toggleFilter(page.user, 'Expired');
    await appears('heading', 'No subscribers match');
    expect(page.address()).toBe('/subscribers?expired=true');
    expect(box().value).toBe(part);
  });

  test('that was replaced tells by whom, and leads to its subscriber', async () => {
    const page = await openPage('/subscribers/2', { people });
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

  test('that white space breaks opens its subscriber, and never gets into an address', async () => {
    const page = await openPage('/subscribers', { people });
    await everybody();
    const token = page.people[1]?.accessToken ?? '';
    await page.user.click(box());
    await page.user.paste(`${token.slice(0, 25)} ${token.slice(25)}`);
    await appears('complementary', 'annika');
    expect(page.address()).toBe('/subscribers/2');
    expect(page.asked(/find-by-token/)).toHaveLength(1);
    expect(page.asked(/Username|Email/)).toEqual([]);
  });

  test('that is typed slowly leaves the address before it is long enough to be of use', async () => {
    const { user, address } = await openPage('/subscribers', { people });
    await everybody();
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

  test('that is found after the user typed something else opens nothing', async () => {
    const { hasty, user, people: there, address } = await openPage('/subscribers', { people });
    await everybody();
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

  test('is forgotten as soon as something else is typed', async () => {
    const { user } = await openPage('/subscribers', { people });
    await everybody();
    await user.click(box());
    await user.paste('x'.repeat(43));
    await waitFor(() =>
      expect(announced()).toContain('No subscriber has this access token. It may be an old one.'),
    );
    await user.clear(box());
    await user.type(box(), 'bj');
    await shows('bjarne');
    expect(announced()).not.toContain('No subscriber has this access token. It may be an old one.');
    await disappears('status', /token/);
  });
});
