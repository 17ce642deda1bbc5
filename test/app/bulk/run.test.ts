import type { UserEvent } from '@testing-library/user-event';
import { QueryClient } from '@tanstack/react-query';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, test, vi } from 'vitest';
import { jobQuery } from '../../../src/app/bulk/jobs.ts';
import { toasts } from '../../support/app/activity.ts';
import { jobRows, openJob, openJobDesk, panel } from '../../support/app/jobs.ts';
import { shows, table } from '../../support/app/list.ts';
import { tellTime } from '../../support/app/network.ts';
import { appears, button, dialog, disappears, hasFocus, renderApp } from '../../support/app/page.tsx';
import { prepare, untilJob } from '../../support/bff/jobs.ts';
import { crowd } from '../../support/people.ts';

const people = crowd(12);
const extension = {
  kind: 'extend',
  targets: { all: true },
  change: { by: { months: 1 } },
} as const;

type Desk = Awaited<ReturnType<typeof openJobDesk>>;

/** Holds the changes that go out to the service, all but the first ones. */
function hold({ upstream }: Pick<Desk, 'upstream'>, first = 0) {
  const { promise, resolve } = Promise.withResolvers<void>();
  let changes = 0;
  upstream.operation = async ({ method }, next) => {
    if (method !== 'GET' && (changes += 1) > first) await promise;
    return next();
  };
  return { release: resolve };
}

describe('a job that runs', () => {
  it('can be paused and continued, and says how far it is', async () => {
    const desk = await openJob({ people: crowd(42) }, extension);
    const { user } = desk;
    // Those whose results are written together.
    const held = hold(desk, 20);
    await user.click(await appears('button', 'Extend 42 subscribers'));
    const shown = await panel('Progress');
    await shown.findByText('20 of 42');
    shown.getByText(/the job goes on\.$/);
    shown.getByText('Pause holds it until you continue. Stop ends it: what is done stays done.');
    await hasFocus(() => screen.getByRole('heading', { level: 1 }));
    expect(document.title).toBe('47 % · Extend 42 subscribers · Subscriber Desk');
    expect(await appears('link', /^Jobs, 1 job running$/)).toBeTruthy();
    await user.click(button('Pause'));
    await shown.findByText('Paused. Nothing is changed until you continue.');
    expect(screen.queryByRole('button', { name: 'Undo this job…' })).toBeNull();
    held.release();
    // Those that were under way are made, and the page says so although the job is paused.
    await shown.findByText(/^(?!20)\d\d of 42$/);
    await appears('button', 'Undo this job…');
    await user.click(button(/^Continue/));
    (await panel('Report')).getByText('Done. 42 extended.');
    expect(document.title).toBe('Extend 42 subscribers · Subscriber Desk');
    await disappears('link', /running/);
  });

  it('waits after the first 10 if somebody wants to look at them', async () => {
    const { user } = await openJob({ people }, extension);
    await user.click(await appears('button', 'Start with the first 10'));
    const shown = await panel('Progress');
    await shown.findByText('The first 10 are done. Look at the rows below, then continue.');
    shown.getByText('10 of 12');
    await waitFor(() => expect(jobRows().filter(([, , result]) => result === 'Extended')).toHaveLength(10));
    await user.click(button('Continue with the other 2'));
    (await panel('Report')).getByText('Done. 12 extended.');
  });

  it('can be stopped, which is no failure, and continued after that', async () => {
    const { user } = await openJob({ people }, extension);
    await user.click(await appears('button', 'Start with the first 10'));
    await appears('button', 'Continue with the other 2');
    await user.click(button('Stop'));
    const report = await panel('Report');
    report.getByText('Stopped. 10 extended, 2 left to do.');
    expect(screen.getByText('Stopped').className).toMatch(/neutral/);
    await user.click(button('Continue with the other 2'));
    await screen.findByText('Done. 12 extended.', { selector: 'section p' });
  });

  it('pauses by itself while the service does not answer, and goes on by itself', async () => {
    const desk = await openJob({ people }, extension);
    const { user, upstream } = desk;
    let isDown = true;
    upstream.operation = ({ method }, next) =>
      isDown && method !== 'GET' ? new Response(null, { status: 503 }) : next();
    await user.click(await appears('button', 'Extend 12 subscribers'));
    const shown = await panel('Progress');
    await shown.findByText('Paused: the subscriber service doesn’t answer. It goes on by itself.');
    isDown = false;
    (await panel('Report')).getByText('Done. 12 extended.');
  });
});

describe('the start of a job', () => {
  it.each<[string, (user: UserEvent) => Promise<void>]>([
    ['a double click', (user) => user.dblClick(button('Delete 12 subscribers'))],
    ['a key that is held down', (user) => user.keyboard('{Enter>5/}')],
  ])('happens once by %s', async (_, start) => {
    const { hasty, requested } = await openJob({ people }, { kind: 'delete', targets: { all: true } });
    await hasty.type(await appears('textbox', 'Type 12 to confirm'), '12');
    await start(hasty);
    (await panel('Report')).getByText('Done. 12 deleted.');
    expect(requested(/POST .*start/)).toHaveLength(1);
    expect(screen.getByRole('alert').textContent).toBe('');
  });
});

test('the younger a job is, the sooner it is read again, whatever clock the server has', async () => {
  const { job } = await openJob({ people }, extension);
  const client = new QueryClient();
  const query = jobQuery(job.id);
  const cached = client.getQueryCache().build(client, client.defaultQueryOptions(query));
  const pauseAt = (age: number) => {
    vi.setSystemTime(Date.parse(job.createdAt) + age);
    return typeof query.refetchInterval === 'function' && query.refetchInterval(cached);
  };
  cached.setData({ ...job, state: 'preparing' });
  expect([0, 300, 30_000, 90_000, -30_000, -300].map(pauseAt)).toEqual([100, 300, 1_000, 5_000, 1_000, 300]);
  // Somebody else may start a preview, whose “Discard” would then stop it.
  cached.setData(job);
  expect(pauseAt(90_000)).toBe(10_000);
});

test('a job is scheduled for tonight, says when it starts, and starts then, at another time or at a press', async () => {
  const desk = await openJob({ people }, extension);
  const { user, time, runMaintenance } = desk;
  await user.click(await appears('button', 'Start later…'));
  const shown = await dialog('Start later');
  expect(shown.getByLabelText('Start at')).toHaveProperty('value', '2026-06-02T02:00');
  await user.click(shown.getByRole('button', { name: 'Schedule' }));
  await (await panel('Preview')).findByText('Starts on 2 Jun 2026, 02:00.');
  expect(button('Start now')).toBeTruthy();
  for (const hour of ['02', '03']) {
    await user.click(button('Change time…'));
    const again = await dialog('Change time');
    const at = again.getByLabelText('Start at');
    expect(at).toHaveProperty('value', '2026-06-02T02:00');
    fireEvent.change(at, { target: { value: `2026-06-02T${hour}:00` } });
    await user.click(again.getByRole('button', { name: 'Schedule' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await (await panel('Preview')).findByText(`Starts on 2 Jun 2026, ${hour}:00.`);
  }
  time.now = Date.parse('2026-06-02T01:00:00Z');
  await runMaintenance();
  await screen.findByText('Done. 12 extended.', { selector: 'section p' }, { timeout: 15_000 });
});

test('a time too far ahead is refused with how far a job can be scheduled, and an empty one with what to enter', async () => {
  const { user } = await openJob({ people }, extension);
  await user.click(await appears('button', 'Start later…'));
  const shown = await dialog('Start later');
  const at = shown.getByLabelText('Start at');
  const schedule = () => user.click(shown.getByRole('button', { name: 'Schedule' }));
  fireEvent.change(at, { target: { value: '2026-07-15T02:00' } });
  await schedule();
  await shown.findByText('Choose a time in the next 30 days.');
  fireEvent.change(at, { target: { value: '' } });
  await schedule();
  await shown.findByText('Enter a date and time.');
});

test('a job is scheduled for the server’s next night where the browser’s clock is wrong', async () => {
  tellTime(Date.parse('2026-06-20T12:00:00.000Z'));
  const { user } = await openJob({ people }, extension);
  await user.click(await appears('button', 'Start later…'));
  const shown = await dialog('Start later');
  expect(shown.getByLabelText('Start at')).toHaveProperty('value', '2026-06-21T02:00');
});

test('a job whose server died says that it waits for another, and goes on when one takes it over', async () => {
  const desk = await openJobDesk({ people });
  const { id } = await prepare(desk.kari, extension);
  const remaining = {
    state: 'running',
    started_at: desk.time.now,
    ran_for: 1000,
    rows_done: 4,
    lease_until: 0,
  } as const;
  await desk.db.updateTable('jobs').set(remaining).where('id', '=', id).execute();
  renderApp(`/jobs/${id}`);
  const shown = await panel('Progress');
  shown.getByText('· waiting for a server to take over…');
  // Which lets the server look for jobs.
  await prepare(desk.kari, extension);
  (await panel('Report')).getByText('Done. 12 extended.');
});

test('a job of somebody whose access was ended says so, and goes on in the name of who continues it', async () => {
  const desk = await openJobDesk({ people });
  const { id } = await prepare(desk.kari, extension);
  const paused = { state: 'paused', pause: 'rights', staff_id: 'another', staff_name: 'Ole' } as const;
  await desk.db.updateTable('jobs').set(paused).where('id', '=', id).execute();
  const { user } = renderApp(`/jobs/${id}`);
  const shown = await panel('Progress');
  shown.getByText('Paused: the access of Ole was changed or ended. If you continue, it runs in your name.');
  await user.click(shown.getByRole('button', { name: 'Continue' }));
  (await panel('Report')).getByText('Done. 12 extended.');
});

describe('a job that somebody started and left', () => {
  it('says how it ended on another page, whose rows follow', async () => {
    const desk = await openJob({ people: crowd(3) }, extension);
    const { user, goTo, address, job } = desk;
    const held = hold(desk);
    await user.click(await appears('button', 'Extend 3 subscribers'));
    await panel('Progress');
    goTo('/subscribers');
    await shows('p001', 'p002', 'p003');
    held.release();
    await toasts().findByText('Extend 3 subscribers: done. 3 extended.');
    await waitFor(() => expect(table().textContent).toContain('1 Jul 2027'));
    await user.click(toasts().getByRole('button', { name: 'Show' }));
    await panel('Report');
    expect(address()).toBe(`/jobs/${job.id}`);
  });

  it('says nothing where nobody started one, and does not ask', async () => {
    const desk = await openJobDesk({ people: crowd(3) });
    const { id } = await prepare(desk.kari, extension);
    await desk.kari.bff.startJob({ params: { id }, body: {} });
    renderApp('/subscribers');
    await shows('p001', 'p002', 'p003');
    await untilJob(desk.kari, id, 'done');
    expect(desk.requested(/jobs/)).toEqual([]);
  });
});
