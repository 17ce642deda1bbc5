import { act, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, onTestFinished, test, vi } from 'vitest';
import { testTime } from '../../support/setup/fixed-time.ts';
import { paneActivity } from '../../support/app/activity.ts';
import { cutNetwork, holdAnswers } from '../../support/app/network.ts';
import { announced, shows } from '../../support/app/list.ts';
import { appears, button, disappears, link, openApp, type Page } from '../../support/app/page.tsx';
import { pane, shownToken } from '../../support/app/pane.ts';
import { anna, person } from '../../support/people.ts';

const reveal = /\/reveal-token$/;

async function openAnna() {
  const page = await openApp('/subscribers/1', { people: [anna, person('bjarne')] });
  await pane('anna');
  return { ...page, token: tokenOf(page) };
}
const tokenOf = ({ people: [first] }: Pick<Page, 'people'>) => first?.accessToken ?? '';
const isShown = (token: string) => waitFor(() => expect(shownToken()).toBe(token));
/** The pane of anna with her token shown. */
async function openShown() {
  const page = await openAnna();
  await page.user.click(button('Show token'));
  await isShown(page.token);
  return page;
}
const masked = (token: string) => `••••••••••••${token.slice(-4)}`;

test('the token is hidden, except for its last four characters, until it is shown', async () => {
  const { user, token } = await openAnna();
  expect(shownToken()).toBe(masked(token));
  expect(document.body.innerHTML).not.toContain(token);
  await user.click(button('Show token'));
  await isShown(token);
  await user.click(button('Hide token'));
  expect(shownToken()).toBe(masked(token));
});

describe('a shown token', () => {
  it('is hidden again after half a minute', async () => {
    const { token } = await openAnna();
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: testTime });
    onTestFinished(() => void vi.useFakeTimers({ toFake: ['Date'], now: testTime }));
    act(() => button('Show token').click());
    // It moves the time on while it waits.
    await act(() => vi.waitFor(() => expect(shownToken()).toBe(token), { interval: 1, timeout: 15_000 }));
    act(() => void vi.advanceTimersByTime(29_900));
    expect(shownToken()).toBe(token);
    act(() => void vi.advanceTimersByTime(100));
    expect(shownToken()).toBe(masked(token));
  });

  it('is hidden again when the window loses the focus', async () => {
    const { token } = await openShown();
    act(() => void window.dispatchEvent(new Event('blur')));
    expect(shownToken()).toBe(masked(token));
  });

  it('stays hidden if the window loses the focus before it arrives', async () => {
    const { user, token, requested } = await openAnna();
    const answer = holdAnswers(reveal);
    await user.click(button('Show token'));
    await waitFor(() => expect(requested(reveal)).toHaveLength(1));
    act(() => void window.dispatchEvent(new Event('blur')));
    answer.release();
    await (await paneActivity()).findByText('Token shown');
    expect(shownToken()).toBe(masked(token));
  });

  it('is hidden again, and not copied any more, when somebody else has replaced it', async () => {
    const { user, service, cache } = await openShown();
    const renewed = (await service.regenerateToken({ params: { id: 1 } })).data.accessToken;
    await act(() => cache.refetchQueries({ type: 'active' }));
    await isShown(masked(renewed));
    await user.click(button('Copy token'));
    await appears('button', 'Copied token');
    expect(await navigator.clipboard.readText()).toBe(renewed);
  });

  it('is hidden again when another subscriber is opened', async () => {
    const { user } = await openShown();
    await shows('anna', 'bjarne');
    await user.click(link('bjarne'));
    await pane('bjarne');
    await waitFor(() => expect(shownToken()).toMatch(/^•{12}.{4}$/));
  });
});

describe('a token’s Copy button', () => {
  it('copies it without showing it', async () => {
    const { user, token } = await openAnna();
    await user.click(button('Copy token'));
    // Its name holds what it shows now, for those who say what to press.
    expect((await appears('button', 'Copied token')).textContent).toBe('Copied');
    expect(announced()).toContain('The token is on the clipboard.');
    expect(await navigator.clipboard.readText()).toBe(token);
    expect(shownToken()).toBe(masked(token));
  });

  it('leaves on the clipboard what was copied while the token was under way', async () => {
    const { user, requested, cache, goTo } = await openAnna();
    const answer = holdAnswers(reveal);
    await user.click(button('Copy token'));
    await waitFor(() => expect(requested(reveal)).toHaveLength(1));
    goTo('/subscribers/2');
    await pane('bjarne');
    await user.click(button('Copy email'));
    await appears('button', 'Copied email');
    answer.release();
    await waitFor(() => expect(cache.isMutating()).toBe(0));
    goTo('/subscribers/1');
    await pane('anna');
    expect(await navigator.clipboard.readText()).toBe('bjarne@example.com');
  });

  it('leaves copying to the user if the browser blocks it, and says so', async () => {
    const { user } = await openAnna();
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new DOMException('no', 'NotAllowedError'));
    await user.click(button('Copy token'));
    await screen.findByText('Your browser blocked copying. Copy the token yourself.');
    expect(screen.queryByText('Copied')).toBeNull();
  });
});

describe('a token that is shown or copied', () => {
  it('is recorded each time, with who has seen it', async () => {
    const { user, requested, people } = await openShown();
    // It is there already.
    await user.click(button('Copy token'));
    await waitFor(() => expect(announced()).toContain('The token is on the clipboard.'));
    await user.click(button('Hide token'));
    await user.click(button(/^Cop(y|ied) token$/));
    const activity = await paneActivity();
    await waitFor(() => expect(activity.getAllByText('Token shown')).toHaveLength(2));
    expect(activity.getAllByText('by Kari', { exact: false })).toHaveLength(2);
    expect(requested(reveal)).toHaveLength(2);
    expect(people).toHaveLength(2);
  });

  it('is not shown or copied if it cannot be had, and a message says so', async () => {
    const { user, token } = await openAnna();
    const mend = cutNetwork(reveal);
    await navigator.clipboard.writeText('something else');
    const sentence = /^Couldn’t get the token of anna\. Subscriber Desk doesn’t answer\./;
    await user.click(button('Show token'));
    await screen.findByText(sentence);
    expect(shownToken()).toBe(masked(token));
    await user.click(button('Copy token'));
    await waitFor(() => expect(screen.getAllByText(sentence)).toHaveLength(2));
    expect(await navigator.clipboard.readText()).toBe('something else');
    mend();
    await user.click(button('Show token'));
    await isShown(token);
  });
});

test('no page title and no address contains the token', async () => {
  const { user, token, requested, address } = await openShown();
  await user.click(button('Close'));
  await disappears('complementary', 'anna');
  expect([document.title, address(), ...requested(/./)].join('\n')).not.toContain(token);
});
