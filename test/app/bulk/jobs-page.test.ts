import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { openJobDesk } from '../../support/app/jobs.ts';
import { appears, button, renderApp, openApp, rowsOf } from '../../support/app/page.tsx';
import { prepare, runToEnd } from '../../support/bff/jobs.ts';
import { crowd } from '../../support/people.ts';

const rows = () => rowsOf('Jobs');

describe('the list of jobs', () => {
  it('has the newest first: what, for whom, how far, who and when', async () => {
    const { kari, time } = await openJobDesk({ people: crowd(3) });
    const first = await prepare(kari, {
      kind: 'extend',
      targets: { query: { Username: 'p00', Expired: 'false' } },
      change: { by: { days: 7 }, zone: 'Europe/Oslo', endTrial: true },
      reason: 'Goodwill',
    });
    await runToEnd(kari, first.id, 2);
    time.now += 60_000;
    await prepare(kari, {
      kind: 'update',
      targets: { ids: [1, 2] },
      change: { set: { maxConnections: 2, hls: false }, add: { countries: ['NO'] }, appendNote: 'Called.' },
    });
    const { user, address } = renderApp('/jobs');
    await appears('link', 'Edit 2 subscribers');
    expect(rows()).toEqual([
      [
        expect.stringContaining(
          'Edit 2 subscribersConnection limit: 2. HLS: off. Countries: add Norway. Note: add “Called.”. 2 selected subscribers',
        ),
        'Preview',
        'Waits to be started',
        'Kari',
        expect.stringMatching(/^now/),
      ],
      [
        expect.stringContaining(
          'Extend 3 subscribersBy 7 days, from today or the old expiry, whichever is later. Trials become paid. All that match: username “p00”“Goodwill”',
        ),
        'Paused',
        '2 extended, 1 left to do',
        'Kari',
        expect.stringMatching(/^1 minute ago/),
      ],
    ]);
    await user.click(screen.getByRole('link', { name: 'Extend 3 subscribers' }));
    await appears('button', 'Continue with the other 1');
    expect(address()).toBe(`/jobs/${first.id}`);
  });

  it('has pages', async () => {
    const { kari } = await openJobDesk({ people: crowd(1) });
    for (let count = 0; count < 26; count += 1)
      await kari.bff.createJob({ body: { kind: 'delete', targets: { ids: [1] } } });
    const { user, address } = renderApp('/jobs');
    await waitFor(() => expect(rows()).toHaveLength(25));
    await user.click(button('Next page'));
    await waitFor(() => expect(rows()).toHaveLength(1));
    expect(address()).toBe('/jobs?page=2');
  });

  it('says what jobs are for while there are none', async () => {
    await openApp('/jobs');
    await appears('heading', 'No jobs yet');
    expect(screen.getByRole('link', { name: 'Go to subscribers' }).getAttribute('href')).toBe('/subscribers');
  });

  it('has no rows on a page that does not exist', async () => {
    const { kari } = await openJobDesk({ people: crowd(1) });
    await prepare(kari, { kind: 'delete', targets: { ids: [1] } });
    const { user, address } = renderApp('/jobs?page=7');
    await appears('heading', 'Nothing on this page');
    await user.click(screen.getByRole('link', { name: 'Go to the first page' }));
    await appears('link', 'Delete 1 subscriber');
    expect(address()).toBe('/jobs');
  });
});
