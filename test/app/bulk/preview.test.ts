import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { suspend } from '../../support/app/desk.ts';
import { jobRows, openJob, openJobDesk, panel } from '../../support/app/jobs.ts';
import { holdAnswers } from '../../support/app/network.ts';
import { appears, button, hasFocus, renderApp, openApp } from '../../support/app/page.tsx';
import { prepare, runToEnd } from '../../support/bff/jobs.ts';
import { crowd, person } from '../../support/people.ts';

const month = { by: { months: 1 }, zone: 'Europe/Oslo' } as const;

describe('the preview of a job', () => {
  const people = [
    person('anna', { expiresAt: '2026-05-01T12:00:00.000Z' }),
    person('bjarne', { expiresAt: '2026-07-10T12:00:00.000Z' }),
    person('cecilie', { expiresAt: '2026-05-02T12:00:00.000Z', hls: false, mpegTs: false }),
    person('dag', { expiresAt: '2028-01-01T12:00:00.000Z' }),
  ];

  it('says how many change and how many stay, and warns of those who still cannot watch', async () => {
    const desk = await openJobDesk({ people });
    await suspend(desk, 'anna');
    const { id } = await prepare(desk.kari, {
      kind: 'extend',
      targets: { ids: [1, 2, 3, 4, 99] },
      change: { by: { to: '2026-08-01T12:00:00.000Z' } },
      reason: 'Goodwill',
    });
    renderApp(`/jobs/${id}`);
    const shown = await panel('Preview');
    expect(shown.getByText(/will be extended/).textContent).toBe(
      '3 subscribers will be extended. Nothing is changed yet.',
    );
    shown.getByText('New expiry: 1 Aug 2026, 14:00');
    shown.getByText('2 stay unchanged: 1 already expiring later, 1 not found');
    await shown.findByText('1 of them is Suspended and still can’t watch.');
    shown.getByText('1 of them has no delivery format, so they probably can’t watch.');
    screen.getByText(/“Goodwill”/);
    screen.getByText('To 1 Aug 2026, 14:00. Whoever expires later stays as they are.');
    await waitFor(() =>
      expect(jobRows().map(([name, change]) => [name, change])).toEqual([
        ['anna', 'Expires 1 May 2026 →  is now 1 Aug 2026'],
        ['bjarne', 'Expires 10 Jul 2026 →  is now 1 Aug 2026'],
        ['cecilie', 'Expires 2 May 2026 →  is now 1 Aug 2026'],
      ]),
    );
    expect(document.title).toBe('Extend 3 subscribers · Subscriber Desk');
  });

  it('leads from a warning to those that it is about, and leaves them out, or anybody else', async () => {
    const desk = await openJobDesk({ people });
    await suspend(desk, 'anna');
    const { id } = await prepare(desk.kari, {
      kind: 'extend',
      targets: { ids: [1, 2, 3] },
      change: { by: { to: '2026-08-01T12:00:00.000Z' } },
    });
    const { user } = renderApp(`/jobs/${id}`);
    const shown = await panel('Preview');
    const names = () => jobRows().map(([name]) => name);
    const warning = within(await shown.findByText(/is Suspended/));
    await user.click(warning.getByRole('link', { name: 'Show' }));
    await waitFor(() => expect(names()).toEqual(['anna']));
    await user.click(button('Will change 3'));
    await waitFor(() => expect(names()).toEqual(['anna', 'bjarne', 'cecilie']));
    await user.click(warning.getByRole('button', { name: 'Leave these out' }));
    await appears('button', 'Extend 2 subscribers');
    expect(shown.queryByText(/Suspended/)).toBeNull();
    await waitFor(() => expect(names()).toEqual(['bjarne', 'cecilie']));
    await user.click(button('Leave out bjarne'));
    await appears('button', 'Left out 2');
    await user.click(button('Left out 2'));
    await waitFor(() => expect(names()).toEqual(['anna', 'bjarne']));
    await user.click(button('Take in bjarne'));
    await user.click(await appears('button', 'Extend 2 subscribers'));
    await screen.findByText('Done. 2 extended, 1 left out.', { selector: 'section p' });
  });

  it('gives the focus to the next row when a row is left out, and keeps it where the row stays', async () => {
    const { user } = await openJob({ people }, { kind: 'extend', targets: { all: true }, change: month });
    await user.click(await appears('button', 'Leave out bjarne'));
    await appears('button', 'Left out 1');
    await hasFocus(() => button('Leave out cecilie'));
    await user.keyboard('{Enter}');
    await appears('button', 'Left out 2');
    await hasFocus(() => button('Leave out dag'));
    await user.click(button('All 4'));
    await user.click(await appears('button', 'Take in bjarne'));
    await appears('button', 'Left out 1');
    await hasFocus(() => button('Leave out bjarne'));
  });

  it('warns of those who lose the last value of a list, which may have limited them, and leaves them out', async () => {
    const { user, saved } = await openJob(
      {
        people: [
          person('anna', { countries: ['NO'] }),
          person('bjarne', { countries: ['NO', 'SE'] }),
          person('cecilie', { countries: ['NO'], ipAddresses: ['192.0.2.7'] }),
        ],
      },
      {
        kind: 'update',
        targets: { all: true },
        change: { remove: { countries: ['NO'], ipAddresses: ['192.0.2.7'] }, appendNote: 'Moved.' },
      },
    );
    const shown = await panel('Preview');
    shown.getByText('1 of them will have no IP addresses left.');
    const warning = within(shown.getByText('2 of them will have no countries left.'));
    await user.click(warning.getByRole('link', { name: 'Show' }));
    await appears('button', 'No countries left');
    await waitFor(() => expect(jobRows().map(([name]) => name)).toEqual(['anna', 'cecilie']));
    await user.click(warning.getByRole('button', { name: 'Leave these out' }));
    await user.click(await appears('button', 'Edit 1 subscriber'));
    await screen.findByText('Done. 1 edited, 2 left out.', { selector: 'section p' });
    expect((await saved()).countries).toEqual(['NO']);
  });

  it('says of an undo only who will be expired again', async () => {
    const desk = await openJobDesk({ people });
    await suspend(desk, 'anna');
    const change = { by: { months: 1 } };
    const { id } = await prepare(desk.kari, { kind: 'extend', targets: { ids: [1, 2, 3] }, change });
    await runToEnd(desk.kari, id);
    const { user } = renderApp(`/jobs/${id}`);
    await user.click(await appears('button', 'Undo this job…'));
    const shown = await panel('Preview');
    shown.getByText('2 of them will be expired again.');
    expect(shown.queryByText(/can’t watch/)).toBeNull();
  });

  it('shows the others by result, and why they stay', async () => {
    const { user, address, job } = await openJob(
      { people },
      { kind: 'extend', targets: { ids: [1, 4] }, change: { by: { to: '2026-08-01T12:00:00.000Z' } } },
    );
    await user.click(await appears('button', 'Already so 1'));
    await waitFor(() => expect(jobRows()).toEqual([['dag', 'Already expires later.', 'Already so']]));
    expect(address()).toBe(`/jobs/${job.id}?result=unchanged`);
    await user.click(button('All 2'));
    await waitFor(() => expect(jobRows()).toHaveLength(2));
  });

  it('can only be discarded if nothing would change', async () => {
    const { user } = await openJob(
      { people },
      { kind: 'update', targets: { ids: [1] }, change: { set: { isTrial: false } } },
    );
    (await panel('Preview')).getByText('There is nothing to change.');
    await user.click(screen.getByRole('link', { name: 'Jobs' }));
    const listed = within(await appears('row', /^Edit 1 subscriber/));
    listed.getByRole('cell', { name: 'Nothing to change' });
    await user.click(listed.getByRole('link'));
    expect(screen.queryByRole('button', { name: /^Edit/ })).toBeNull();
    await user.click(button('Discard'));
    (await panel('Report')).getByText('Discarded. Nothing was changed.');
    await hasFocus(() => screen.getByRole('heading', { level: 1 }));
  });
});

describe('the number of changes', () => {
  it('has to be typed for more than 100, in a field that has the focus', async () => {
    const { user, saved } = await openJob(
      { people: crowd(101) },
      { kind: 'extend', targets: { all: true }, change: month },
    );
    const field = await appears('textbox', 'Type 101 to confirm');
    await hasFocus(() => field);
    await user.click(button('Extend 101 subscribers'));
    expect(button('Extend 101 subscribers')).toHaveProperty('title', 'Type 101 first.');
    expect(button('Start later…')).toHaveProperty('title', 'Type 101 first.');
    await user.type(field, '101{Enter}');
    (await panel('Report')).getByText('Done. 101 extended.');
    expect((await saved(101)).expiresAt).toBe('2027-07-01T12:00:00.000Z');
  });

  it.each([
    ['delete', 'Delete 2 subscribers', /would get new IDs and access tokens\.$/, 'Will be deleted'],
    ['regenerate', 'Regenerate the tokens of 2 subscribers', /You can’t undo this\.$/, 'Will change'],
  ] as const)('has to be typed to %s, which cannot be undone fully', async (kind, name, warning, result) => {
    const { user } = await openJob({ people: crowd(3) }, { kind, targets: { ids: [1, 2] } });
    const shown = await panel('Preview');
    shown.getByText(warning);
    await waitFor(() =>
      expect(jobRows().map(([, , result]) => result)).toEqual([`${result}Leave out`, `${result}Leave out`]),
    );
    expect(shown.getByRole('button', { name })).toHaveProperty('title', 'Type 2 first.');
    await user.type(shown.getByRole('textbox', { name: 'Type 2 to confirm' }), '2');
    await user.click(shown.getByRole('button', { name }));
    (await panel('Report')).getByText(/^Done\. 2 /);
  });

  it('is shown again, and the job is not started, when somebody else has changed it meanwhile', async () => {
    const { user, job, service, kari } = await openJob(
      { people: crowd(3) },
      { kind: 'delete', targets: { ids: [1, 2, 3] } },
    );
    const shown = await panel('Preview');
    await user.type(shown.getByRole('textbox', { name: 'Type 3 to confirm' }), '3');
    const reading = holdAnswers(/^GET \/bff\/jobs\/[^/]+$/);
    await kari.bff.leaveOutRows({ params: { id: job.id }, body: { leaveOut: true, rows: { numbers: [1] } } });
    await user.click(shown.getByRole('button', { name: 'Delete 3 subscribers' }));
    await shown.findByText(
      /^This job has changed meanwhile: the number of subscribers is now 2\. Nothing was started\./,
    );
    reading.release();
    const field = await shown.findByRole('textbox', { name: 'Type 2 to confirm' });
    await user.clear(field);
    await user.type(field, '2');
    await user.click(shown.getByRole('button', { name: 'Delete 2 subscribers' }));
    (await panel('Report')).getByText('Done. 2 deleted, 1 left out.');
    expect((await service.listSubscribers({ query: {} })).data.totalCount).toBe(1);
  });

  it('does not have to be typed for fewer changes of another kind', async () => {
    await openJob({ people: crowd(3) }, { kind: 'extend', targets: { all: true }, change: month });
    const shown = await panel('Preview');
    expect(shown.queryByRole('textbox')).toBeNull();
    expect(shown.queryByRole('button', { name: /^Start with/ })).toBeNull();
  });

  it('does not have to be typed for the first few, whose number is 10 or another', async () => {
    const { user } = await openJob(
      { people: crowd(101) },
      { kind: 'extend', targets: { all: true }, change: month },
    );
    const shown = await panel('Preview');
    const few = shown.getByRole('textbox', { name: 'Or only some' });
    await user.clear(few);
    await user.type(few, '101');
    expect(button('Start with the first few')).toHaveProperty('title', 'Enter a number from 1 to 100 first.');
    await user.clear(few);
    await user.type(few, '3{Enter}');
    const progress = await panel('Progress');
    await progress.findByText('The first 3 are done. Look at the rows below, then continue.');
    await user.click(button('Continue with the next 10'));
    await progress.findByText('The first 13 are done. Look at the rows below, then continue.');
  });

  it('is typed for the first few of a deletion, since none is there already', async () => {
    const { user } = await openJob({ people: crowd(12) }, { kind: 'delete', targets: { all: true } });
    const shown = await panel('Preview');
    expect(button('Start with the first few')).toHaveProperty('title', 'Enter a number from 1 to 11 first.');
    await user.type(shown.getByRole('textbox', { name: 'Or only some' }), '2');
    await user.click(button('Start with the first 2'));
    await (
      await panel('Progress')
    ).findByText('The first 2 are done. Look at the rows below, then continue.');
  });
});

describe('a job', () => {
  it('is not found if it does not exist', async () => {
    await openApp('/jobs/nosuchjob');
    await appears('heading', 'Job not found');
    expect(document.title).toBe('Job not found · Subscriber Desk');
  });

  it('says why it cannot be prepared', async () => {
    const desk = await openJobDesk({ people: crowd(2) });
    const empty = { items: [], page: 1, pageSize: 200, totalCount: 0, totalPages: 0 };
    // They match when the job is made, and not any more when it is prepared.
    desk.upstream.operation = (_, next) => (desk.upstream.calls.length === 1 ? next() : Response.json(empty));
    const { id } = await prepare(desk.kari, { kind: 'delete', targets: { all: true } });
    renderApp(`/jobs/${id}`);
    (await panel('Report')).getByText(/^The preview couldn’t be made\. No subscriber matches\./);
    expect(screen.queryByRole('table')).toBeNull();
    expect(within(screen.getByRole('main')).getByText('Not prepared')).toBeTruthy();
  });
});
