import { act, screen, waitFor } from '@testing-library/react';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { testTime } from '../../../support/setup/fixed-time.ts';
import { announced, shows } from '../../../support/app/list.ts';
import { button, disappears, link, openPage, type Page } from '../../../support/app/page.tsx';
import { pane, shownToken } from '../../../support/app/pane.ts';
import { anna, person } from '../../../support/people.ts';

async function openAnna() {
  const page = await openPage('/subscribers/1', { people: [anna, person('bjarne')] });
  await pane('anna');
  return { ...page, token: tokenOf(page) };
}
const tokenOf = ({ people: [first] }: Pick<Page, 'people'>) => first?.accessToken ?? '';
const masked = (token: string) => `••••••••••••${token.slice(-4)}`;

test('the token is hidden, except for its last four characters, until it is shown', async () => {
  const { user, token } = await openAnna();
  expect(shownToken()).toBe(masked(token));
  expect(document.body.innerHTML).not.toContain(token);
  await user.click(button('Show token'));
  expect(shownToken()).toBe(token);
  await user.click(button('Hide token'));
  expect(shownToken()).toBe(masked(token));
});

describe('a shown token is hidden again', () => {
  test('after half a minute', async () => {
    const { token } = await openAnna();
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: testTime });
    onTestFinished(() => void vi.useFakeTimers({ toFake: ['Date'], now: testTime }));
    act(() => button('Show token').click());
    act(() => void vi.advanceTimersByTime(29_999));
    expect(shownToken()).toBe(token);
    act(() => void vi.advanceTimersByTime(1));
    expect(shownToken()).toBe(masked(token));
  });

  test('when the window loses the focus', async () => {
    const { user, token } = await openAnna();
    await user.click(button('Show token'));
    expect(shownToken()).toBe(token);
    act(() => void window.dispatchEvent(new Event('blur')));
    expect(shownToken()).toBe(masked(token));
  });

  test('when another subscriber is opened', async () => {
    const { user } = await openAnna();
    await user.click(button('Show token'));
    await shows('anna', 'bjarne');
    await user.click(link('bjarne'));
    await pane('bjarne');
    await waitFor(() => expect(shownToken()).toMatch(/^•{12}.{4}$/));
  });
});

describe('a token can be copied', () => {
  test('without being shown', async () => {
    const { user, token } = await openAnna();
    await user.click(button('Copy token'));
    expect(await navigator.clipboard.readText()).toBe(token);
    await waitFor(() => expect(announced()).toContain('The token is on the clipboard.'));
    expect(shownToken()).toBe(masked(token));
  });

  test('only by hand if the browser does not allow it, and the page says so', async () => {
    const { user } = await openAnna();
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new DOMException('no', 'NotAllowedError'));
    await user.click(button('Copy token'));
    await screen.findByText('Your browser blocked copying. Copy the token yourself.');
    expect(screen.queryByText('Copied')).toBeNull();
  });
});

test('no page title and no address contains the token', async () => {
  const { user, token, asked, address } = await openAnna();
  await user.click(button('Show token'));
  await user.click(button('Close'));
  await disappears('complementary', 'anna');
  expect([document.title, address(), ...asked(/./)].join('\n')).not.toContain(token);
});
