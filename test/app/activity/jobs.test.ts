import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { sessionQuery } from '../../../src/app/api/queries.ts';
import { allowedTo } from '../../../src/contract/bff/permission.ts';
import { paneActivity } from '../../support/app/activity.ts';
import { openJobDesk, panel } from '../../support/app/jobs.ts';
import { appears, button, disappears, renderApp } from '../../support/app/page.tsx';
import { prepare, runToEnd } from '../../support/bff/jobs.ts';
import { crowd } from '../../support/people.ts';

/** A desk on which a job has edited twelve subscribers. */
async function openDeskWithJob() {
  const desk = await openJobDesk({ people: crowd(12) });
  const { id } = await prepare(desk.kari, {
    kind: 'update',
    targets: { all: true },
    change: { set: { maxConnections: 2 } },
    reason: 'New plan',
  });
  await runToEnd(desk.kari, id);
  return { ...desk, id };
}

test('a job is one entry, which unfolds into its changes page by page, and leads to the job', async () => {
  const { id } = await openDeskWithJob();
  const { user, address } = renderApp('/activity');
  const table = within(await appears('table', 'Activity'));
  const row = (await table.findByText('Job started')).closest('tr') ?? document.body;
  expect(table.getAllByRole('row')).toHaveLength(2);
  expect(row.textContent).toContain('Edit 12 subscribers. “New plan”');
  await user.click(button('Show changes'));
  const changes = () => within(screen.getByRole('list', { name: 'Changes of this job' }));
  await appears('list', 'Changes of this job');
  const shown = () =>
    within(row)
      .getAllByRole('link', { name: /^p\d+$/ })
      .map(({ textContent }) => textContent);
  await waitFor(() => expect(shown()).toHaveLength(10));
  expect(changes().getAllByText(/Connection limit/)).toHaveLength(10);
  const first = shown();
  await user.click(within(row).getByRole('button', { name: 'Next page' }));
  await waitFor(() => expect(shown()).toHaveLength(2));
  expect(first).not.toContain(shown()[0]);
  expect(button('Hide changes').getAttribute('aria-expanded')).toBe('true');
  await user.click(screen.getByRole('link', { name: 'Open the job' }));
  await panel('Report');
  expect(address()).toBe(`/jobs/${id}`);
});

test('a change in the pane of a subscriber says that it is part of a job', async () => {
  const { id } = await openDeskWithJob();
  renderApp('/subscribers/3');
  const activity = await paneActivity();
  const link = await activity.findByRole('link', { name: 'part of a job' });
  expect(link.getAttribute('href')).toBe(`/jobs/${id}`);
});

test('those who may not see jobs are told of it without a link', async () => {
  await openDeskWithJob();
  const { cache } = renderApp('/subscribers/3');
  const activity = await paneActivity();
  await activity.findByRole('link', { name: 'part of a job' });
  act(() => {
    cache.setQueryData(
      sessionQuery.queryKey,
      (session) => session && { ...session, can: allowedTo('support') },
    );
  });
  await disappears('link', 'part of a job');
  activity.getByText(/part of a job/);
});
