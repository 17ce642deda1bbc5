import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Upstream } from '../../src/bff/deps.ts';
import { toasts } from '../support/app/activity.ts';
import { catchFiles } from '../support/app/files.ts';
import { fill, fillNew, input } from '../support/app/form.ts';
import { rowOf, shows } from '../support/app/list.ts';
import { loseAnswers } from '../support/app/network.ts';
import { appears, button, dialog, disappears, link, openApp } from '../support/app/page.tsx';
import { details, pane } from '../support/app/pane.ts';
import { createOtherService, otherUpstream, strictly } from '../support/bff/other-service.ts';
import { createRestService, restUpstream } from '../support/bff/rest-service.ts';

const now = Date.now;
const count = 260;

/** Services that are not ours, as tests know them: their rows, and the way to them. */
const services = {
  rest: () => {
    const { rows, fetch } = createRestService({ count, now }, { include: 'repeat', changes: 'nothing' });
    return { rows, upstream: restUpstream(fetch) };
  },
  strict: () => {
    const { customers: rows, fetch } = createOtherService({ count, now }, { strict: true });
    return { rows, upstream: otherUpstream(fetch, strictly) };
  },
};

test('a service’s expiry that can’t be read is unknown on the screen, until somebody enters one', async () => {
  const { rows, upstream } = services.rest();
  Object.assign(rows.get(7) ?? {}, { expiresAt: '0000-00-00' });
  const { user } = await openApp('/subscribers?username=user7', { upstream });
  expect((await rowOf('user7')).textContent?.match(/unknown/g)).toHaveLength(1);
  await user.click(link('user7'));
  await pane('user7');
  await screen.findByText('May not be able to watch: the expiry can’t be read.');
  await waitFor(() => expect(details()).toMatchObject({ Expires: 'unknown' }));
  await user.click(button(/^\+1 month/));
  await screen.findByText(/^user7 now expires on /);
  expect(rows.get(7)?.expiresAt).toMatch(/^20\d\d-/);
});

test('a value of a service that the form would not take stays as it is when others are edited', async () => {
  const { rows, upstream } = services.rest();
  const theirs = { email: null, maxConnections: 0, expiresAt: '0000-00-00' };
  Object.assign(rows.get(7) ?? {}, theirs);
  const { user } = await openApp('/subscribers/7/edit', { upstream });
  await appears('heading', 'Edit user7');
  await fill(user, 'Note', 'Moved.');
  await fill(user, 'Email', 'nobody');
  await user.click(button('Save changes'));
  await screen.findByText('Enter a full address, such as name@example.com.');
  await user.clear(input('Email'));
  await user.click(button('Save changes'));
  await screen.findByText('Changes to user7 were saved.');
  expect(rows.get(7)).toMatchObject({ ...theirs, note: 'Moved.' });
});

/** That of the newest message: those before it stay for a while, too. */
function newestUndo(): HTMLElement {
  const [newest = document.body] = toasts().getAllByRole('button', { name: 'Undo' }).toReversed();
  return newest;
}

test.each(['rest', 'strict'] as const)(
  'a day with a service that is not ours works on the screen, each change once: %s',
  async (kind) => {
    const { rows, upstream: usual } = services[kind]();
    let changes = 0;
    const exchange: Upstream['exchange'] = (request) => {
      if (request.method !== 'GET' && !request.url.endsWith('/oauth/token')) changes += 1;
      return usual.exchange(request);
    };
    const upstream = { ...usual, exchange };
    const named = (name: string) => [...rows.values()].filter(({ username }) => username === name);
    const page = await openApp('/subscribers?sort=username_desc', { upstream });
    const { user } = page;
    await appears('link', 'user99');
    screen.getByText('1–25 of 260');
    await user.click(button('Next page'));
    await screen.findByText('26–50 of 260');
    const box = () => screen.getByRole('searchbox', { name: 'Find subscribers' });
    await user.type(box(), 'user25');
    await shows(...[259, 258, 257, 256, 255, 254, 253, 252, 251, 250, 25].map((id) => `user${id}`));

    // A creation, whose answer is lost on the way to the browser, as is that of each kind of change below.
    await user.click(link('New subscriber'));
    await appears('heading', 'New subscriber');
    await fillNew(user, 'berit');
    await fill(user, 'Note', 'Called.');
    loseAnswers(/POST \/api\/subscribers$/, 1);
    await user.click(button('Create subscriber'));
    await pane('berit');
    await screen.findByText('berit was created.');
    expect(named('berit')).toMatchObject([{ id: 261, note: 'Called.' }]);
    expect(details()).toMatchObject({ Status: expect.stringMatching(/Active/) });

    // An edit while somebody else, there, edits as well.
    await user.click(link('Edit'));
    await appears('heading', 'Edit berit');
    Object.assign(rows.get(261) ?? {}, { email: 'theirs@example.com' });
    await fill(user, 'Note', 'Moved.');
    await user.click(button('Save changes'));
    const conflict = await dialog('Someone else changed berit');
    loseAnswers(/PUT \/api\/subscribers\/261$/, 1);
    await user.click(conflict.getByRole('button', { name: 'Save merged version' }));
    await screen.findByText('Changes to berit were saved.');
    expect(named('berit')).toMatchObject([{ email: 'theirs@example.com', note: 'Moved.' }]);
    await user.click(newestUndo());
    await toasts().findByText('Undone: berit is as it was before.');
    expect(named('berit')).toMatchObject([{ email: 'theirs@example.com', note: 'Called.' }]);

    // The token is replaced: the old one finds who had it, and the new one who has it.
    const before = rows.get(261)?.accessToken ?? '';
    loseAnswers(/POST \/api\/subscribers\/261\/regenerate-token$/, 1);
    await user.click(button('Regenerate token…'));
    await user.click(await appears('button', 'Regenerate token'));
    await user.click(await appears('button', 'Done'));
    const after = rows.get(261)?.accessToken ?? '';
    expect(after).not.toBe(before);
    await user.click(button('Close'));
    await disappears('complementary', 'berit');
    await user.clear(box());
    await user.click(box());
    await user.paste(before);
    await waitFor(() => expect(screen.getAllByText(/This token was replaced by Kari/)).not.toEqual([]));
    await user.clear(box());
    await user.paste(after);
    await pane('berit');

    loseAnswers(/DELETE \/api\/subscribers\/261$/, 1);
    await user.click(button('Delete…'));
    await user.click(await appears('button', 'Delete subscriber'));
    await screen.findByText('berit was deleted.');
    expect(named('berit')).toEqual([]);
    await user.click(newestUndo());
    await waitFor(() => expect(named('berit')).toMatchObject([{ note: 'Called.' }]));

    expect(changes).toBe(6);

    // The export has every subscriber once.
    const files = catchFiles();
    page.goTo('/subscribers');
    await user.click(await appears('button', /^Export…/));
    const asking = await dialog('Export 261 subscribers');
    await user.click(asking.getByRole('button', { name: 'Export' }));
    await screen.findByText('261 subscribers exported.');
    const lines = ((await files[0]?.blob?.text()) ?? '').trim().split('\n').slice(1);
    const ids = lines.map((line) => Number(/^"(\d+)"/.exec(line)?.[1]));
    expect(ids.toSorted((a, b) => a - b)).toEqual([...rows.keys()].toSorted((a, b) => a - b));
  },
);
