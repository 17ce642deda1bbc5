import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { cutNetwork, holdAnswers } from '../../support/app/network.ts';
import { shows } from '../../support/app/list.ts';
import { hasFocus, openApp } from '../../support/app/page.tsx';
import { box, chosen, group, openPalette, options, people } from '../../support/app/palette.ts';
import { pane } from '../../support/app/pane.ts';
import { person } from '../../support/people.ts';

describe('a subscriber in the palette', () => {
  it('is found by a part of the name when typing pauses, and opens beside the list', async () => {
    const { user, hasty, requested, address } = await openPalette();
    await hasty.keyboard('ann');
    await waitFor(() =>
      expect(group('Subscribers')).toEqual(['anna · anna@example.com', 'annika · annika@example.com']),
    );
    expect(requested(/Username=/)).toEqual(['GET /api/subscribers?PageSize=8&Username=ann']);
    expect(within(screen.getByRole('dialog')).getByRole('status').textContent).toBe('2 subscribers found.');
    await user.keyboard('{ArrowDown}{Enter}');
    await pane('annika');
    expect(address()).toBe('/subscribers/3');
  });

  it('is first if the text is the whole name, not a part of it', async () => {
    const { user } = await openApp('/subscribers', { people: [person('joann'), person('ann')] });
    await shows('joann', 'ann');
    await user.keyboard('{Control>}k{/Control}');
    await user.type(await screen.findByRole('combobox', { name: /^Command, username/ }), 'Ann');
    await waitFor(() => expect(group('Subscribers')).toHaveLength(2));
    expect(chosen()).toMatch(/^ann ·/);
  });

  it('is found by email and by id', async () => {
    const { user, address } = await openPalette();
    await user.keyboard('jarne@');
    await waitFor(() => expect(group('Subscribers')).toEqual(['bjarne · bjarne@example.com']));
    await user.clear(box());
    await user.keyboard('#2');
    expect(chosen()).toBe('Open #2');
    await user.keyboard('{Enter}');
    await pane('bjarne');
    expect(address()).toBe('/subscribers/2');
  });

  it('always matches the current text: a late answer to an earlier one is not shown', async () => {
    const { user, requested } = await openPalette();
    const slow = holdAnswers(/Username=ann$/);
    await user.keyboard('ann');
    await screen.findByText('Searching subscribers…');
    await user.clear(box());
    await user.keyboard('bja');
    await waitFor(() => expect(group('Subscribers')).toEqual(['bjarne · bjarne@example.com']));
    slow.release();
    const later = holdAnswers(/Username=bjar$/);
    await user.keyboard('r');
    await waitFor(() => expect(requested(/Username=bjar$/)).toHaveLength(1));
    expect(options()).toEqual([]);
    later.release();
    await waitFor(() => expect(group('Subscribers')).toEqual(['bjarne · bjarne@example.com']));
  });

  it('is reported as not found, and a failed search as failed', async () => {
    const { user } = await openPalette();
    await user.keyboard('nobody');
    await screen.findByText('No subscribers found.');
    cutNetwork(/Username=/);
    await user.keyboard('s');
    await screen.findByText(/^Couldn’t search subscribers\. Subscriber Desk doesn’t answer\./);
  });

  it('is found by the whole access token, which is not shown, kept or put into an address', async () => {
    const page = await openPalette();
    const token = page.people[1]?.accessToken ?? '';
    const answer = holdAnswers(/find-by-token/);
    await page.user.paste(`https://tv.example/get.php?token=${token}`);
    await screen.findByText('Searching for this access token…');
    expect(box().value).toBe('');
    answer.release();
    await pane('bjarne');
    expect(page.address()).toBe('/subscribers/2');
    expect(page.requested(/./).filter((name) => name.includes(token))).toEqual([]);
  });

  it('is reported as not found by an unknown access token, and a part of one sends no request', async () => {
    const { user, requested } = await openPalette();
    await user.paste('A1b2'.repeat(10) + 'xyz');
    await screen.findByText('No subscriber has this access token. It may be an old one.');
    await user.clear(box());
    await user.paste('A1b2'.repeat(6));
    await screen.findByText(/^This looks like part of an access token\./);
    expect(requested(/Username=/)).toEqual([]);
  });

  it('is found by a token that white space breaks, and by a long word only on Enter', async () => {
    const { user, hasty, people, requested, address } = await openPalette();
    await hasty.keyboard('abcdefghijklmnop');
    await screen.findByText('Press Enter to search for this.');
    expect(options()).toEqual(['Find “abcdefghijklmnop”']);
    await user.clear(box());
    const token = people[1]?.accessToken ?? '';
    await user.paste(`${token.slice(0, 20)} ${token.slice(20)}`);
    await pane('bjarne');
    expect(requested(/Username=/)).toEqual([]);
    await user.keyboard('{Control>}k{/Control}');
    await hasFocus(box);
    await hasty.keyboard('abcdefghijklmnop{Enter}');
    await waitFor(() => expect(address()).toBe('/subscribers?username=abcdefghijklmnop'));
  });
});

describe('Enter in the palette', () => {
  it('waits for the search that is running, and opens the first subscriber, before any command', async () => {
    const { user, address } = await openPalette();
    const answer = holdAnswers(/Username=an/);
    await user.keyboard('an{Enter}');
    await screen.findByText('Searching subscribers…');
    expect(address()).toBe('/subscribers');
    answer.release();
    await pane('anna');
  });

  it('does not run the command that was first before the search began', async () => {
    const { user, service } = await openPalette('/subscribers', 'manager');
    await service.createSubscriber({ body: person('staff.hansen') });
    const answer = holdAnswers(/Username=act/);
    await user.keyboard('act');
    await waitFor(() => expect(options()).toContain('Activity'));
    expect(chosen()).toBeUndefined();
    await user.clear(box());
    await user.keyboard('staff{Enter}');
    await pane('staff.hansen');
    answer.release();
  });

  it('runs the command that the user moved to, at once', async () => {
    const { user, address } = await openPalette();
    holdAnswers(/Username=act/);
    await user.keyboard('act{ArrowDown}{Enter}');
    await waitFor(() => expect(address()).toMatch(/^\/activity/));
  });

  it('runs nothing where the search fails', async () => {
    const { user, address } = await openPalette();
    cutNetwork(/Username=/);
    await user.keyboard('act{Enter}');
    await screen.findByText(/^Couldn’t search subscribers\./);
    expect(address()).toBe('/subscribers');
  });

  it('opens nothing when the text changes before the answer', async () => {
    const { user, address } = await openPalette();
    const answer = holdAnswers(/Username=bja/);
    await user.keyboard('bja{Enter}');
    await screen.findByText('Searching subscribers…');
    await user.clear(box());
    await user.keyboard('ann');
    answer.release();
    await waitFor(() => expect(group('Subscribers')).toHaveLength(2));
    expect(address()).toBe('/subscribers');
  });

  it('does nothing after a pasted token but search for it', async () => {
    const { user, people, address } = await openPalette();
    const answer = holdAnswers(/find-by-token/);
    await user.paste(people[1]?.accessToken ?? '');
    await user.keyboard('{Enter}');
    expect(address()).toBe('/subscribers');
    answer.release();
    await pane('bjarne');
  });
});

describe('the list of subscribers that were opened last', () => {
  it('is in the empty palette, and Enter opens the last one', async () => {
    const page = await openApp('/subscribers', { people, role: 'support' });
    for (const id of [1, 3]) await page.as('support').bff.addRecentSubscriber({ params: { id } });
    await shows('anna', 'bjarne', 'annika');
    const answer = holdAnswers(/recent/);
    await page.user.keyboard('{Control>}k{/Control}');
    await hasFocus(box);
    await page.user.keyboard('{Enter}');
    expect(page.requested(/GET .*recent/)).toHaveLength(1);
    answer.release();
    await pane('annika');
    await page.user.keyboard('{Control>}k{/Control}');
    await hasFocus(box);
    // Who is open is no one to come back to.
    await waitFor(() => expect(group('Last opened')).toEqual(['anna · anna@example.com']));
    await page.user.keyboard('bjarne');
    await waitFor(() => expect(options()).toEqual(['bjarne · bjarne@example.com']));
    await page.user.clear(box());
    await page.user.click(screen.getByRole('option', { name: /^anna · / }));
    await pane('anna');
  });

  it('is not there while a token is looked for, or where nobody was opened', async () => {
    const page = await openPalette();
    await waitFor(() => expect(chosen()).toBe('New subscriber'));
    expect(screen.queryByRole('group', { name: 'Last opened' })).toBeNull();
    await page.user.keyboard('{Escape}');
    await page.as('support').bff.addRecentSubscriber({ params: { id: 1 } });
    await page.user.keyboard('{Control>}k{/Control}');
    await waitFor(() => expect(group('Last opened')).toEqual(['anna · anna@example.com']));
    holdAnswers(/find-by-token/);
    await page.user.paste('x'.repeat(43));
    await screen.findByText('Searching for this access token…');
    expect(screen.queryByRole('group', { name: 'Last opened' })).toBeNull();
  });
});
