import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { toasts } from '../../support/app/activity.ts';
import { suspend } from '../../support/app/desk.ts';
import { catchFiles } from '../../support/app/files.ts';
import { jobRows, openJob, openJobDesk, panel } from '../../support/app/jobs.ts';
import { cutNetwork } from '../../support/app/network.ts';
import { appears, button, dialog, disappears, link, renderApp } from '../../support/app/page.tsx';
import { prepare, runToEnd, untilJob } from '../../support/bff/jobs.ts';
import { anna, crowd, person } from '../../support/people.ts';

const people = crowd(4);
const edit = { kind: 'update', targets: { all: true }, change: { set: { maxConnections: 7 } } } as const;

/** A desk with a job that has run; what the service refuses is up to the test. */
async function openRun(refuse: (url: string) => Response | null) {
  const desk = await openJobDesk({ people });
  desk.upstream.operation = ({ method, url }, next) => (method === 'GET' ? null : refuse(url)) ?? next();
  const { id } = await prepare(desk.kari, edit);
  const job = await runToEnd(desk.kari, id);
  return { ...desk, job, ...renderApp(`/jobs/${id}`) };
}

test('failed rows are listed with the reason, and are tried again', async () => {
  const { user, upstream, address, job } = await openRun((url) =>
    url.endsWith('/2') ? new Response(null, { status: 503 }) : null,
  );
  const report = await panel('Report');
  report.getByText('Done. 3 edited, 1 failed.');
  await user.click(button('Failed 1'));
  await waitFor(() => expect(jobRows()).toEqual([['p002', expect.any(String), 'Failed']]));
  expect(address()).toBe(`/jobs/${job.id}?result=failed`);
  upstream.operation = (_, next) => next();
  await user.click(report.getByRole('button', { name: 'Retry failed (1)' }));
  await screen.findByText('Done. 4 edited.', { selector: 'section p' });
});

test('a subscriber whom somebody changed since the preview is skipped, and can be prepared again', async () => {
  const desk = await openJob({ people }, edit);
  const { user, service } = desk;
  await appears('button', 'Edit 4 subscribers');
  await service.updateSubscriber({ params: { id: 3 }, body: { note: 'Called.' } });
  await user.click(button('Edit 4 subscribers'));
  const report = await panel('Report');
  report.getByText('Done. 3 edited, 1 skipped.');
  await user.click(button('Skipped 1'));
  await waitFor(() =>
    expect(jobRows()).toEqual([['p003', 'Someone changed this subscriber after the preview.', 'Skipped']]),
  );
  await user.click(report.getByRole('button', { name: 'Prepare again for the 1 skipped' }));
  await user.click(await appears('button', 'Edit 1 subscriber'));
  await screen.findByText('Done. 1 edited.', { selector: 'section p' });
  await waitFor(() => expect(jobRows()).toEqual([['p003', 'Connection limit 1 →  is now 7', 'Edited']]));
  expect(link('another job')).toBeTruthy();
});

test('each subscriber is a link, unless it is gone', async () => {
  const desk = await openJobDesk({ people });
  const { id } = await prepare(desk.kari, { kind: 'delete', targets: { ids: [1, 99] } });
  await runToEnd(desk.kari, id);
  renderApp(`/jobs/${id}`);
  await panel('Report');
  await waitFor(() =>
    expect(jobRows()).toEqual([
      ['p001', 'p001@example.com · expires 1 Jun 2027', 'Deleted'],
      ['#99', 'There is no such subscriber.', 'Skipped'],
    ]),
  );
  expect(within(screen.getByRole('table')).queryByRole('link')).toBeNull();
  // It was not there at the preview either.
  expect(screen.queryByRole('button', { name: /^Prepare again/ })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Save messages…' })).toBeNull();
});

test('deletions are undone with new IDs, which the preview says, and who was not active', async () => {
  const desk = await openJobDesk({ people });
  await suspend(desk, 'p002');
  const { id } = await prepare(desk.kari, { kind: 'delete', targets: { ids: [1, 2] } });
  await runToEnd(desk.kari, id);
  const { user } = renderApp(`/jobs/${id}`);
  const undo = await appears('button', 'Undo this job…');
  expect(undo.title).toMatch(/^Creates the subscribers again, with new IDs and access tokens\./);
  await user.click(undo);
  const preview = await panel('Preview');
  await preview.findByText('They get new IDs and new access tokens.');
  await preview.findByText('1 of them was Suspended. Undoing this makes them Active.');
  await user.click(button('Undo the changes of 2 subscribers'));
  await screen.findByText('Done. 2 undone.', { selector: 'section p' });
  // Two that are deleted at once have their entries in either order.
  const undone = ['p001', 'Created again, with a new ID and access token', 'Undone'];
  expect(jobRows()).toContainEqual(undone);
  await user.click(link('this job'));
  await screen.findByText(/undoes this one\.$/);
  expect(screen.queryByRole('button', { name: 'Undo this job…' })).toBeNull();
});

test('the undo of such an undo deletes them, which the preview says and their number confirms', async () => {
  const desk = await openJobDesk({ people });
  const { id } = await prepare(desk.kari, { kind: 'delete', targets: { ids: [1, 2] } });
  await runToEnd(desk.kari, id);
  const { data: undo } = await desk.kari.bff.undoJob({ params: { id } });
  await untilJob(desk.kari, undo.id, 'ready');
  await runToEnd(desk.kari, undo.id);
  const { user } = renderApp(`/jobs/${undo.id}`);
  await user.click(await appears('button', 'Undo this job…'));
  const preview = await panel('Preview');
  await preview.findByText(/^2 of them will be deleted/);
  expect(preview.getByText(/Nothing is changed yet/).textContent).toMatch(/^2 subscribers will be deleted\./);
  await user.click(button('Undo the changes of 2 subscribers'));
  expect(button('Undo the changes of 2 subscribers')).toHaveProperty('title', 'Type 2 first.');
  await user.type(preview.getByRole('textbox', { name: 'Type 2 to confirm' }), '2{Enter}');
  await screen.findByText('Done. 2 undone.', { selector: 'section p' });
});

test('a message for each that was changed is saved as a file, without those that have not what it names', async () => {
  const desk = await openJobDesk({ people: [anna, ...people, person('berta', { bundles: [7] })] });
  const { bff } = desk.as('manager');
  await bff.saveBundles({ body: { version: 0, bundles: [{ number: 7, name: 'Film', isSold: true }] } });
  const text = '{username}: {bundles}, {expires}';
  await bff.addMessage({ body: { occasion: 'extended', language: 'nb', name: 'Pakker', text } });
  const change = { by: { to: '2027-07-01T10:00:00Z' } };
  const { id } = await prepare(desk.kari, { kind: 'extend', targets: { ids: [1, 2] }, change });
  await runToEnd(desk.kari, id);
  const { user } = renderApp(`/jobs/${id}`);
  const files = catchFiles();
  await user.click(await appears('button', 'Save messages…'));
  const asking = await dialog('Messages for 2 subscribers');
  const choice = await asking.findByRole('combobox', { name: 'Message' });
  expect(
    within(choice)
      .getAllByRole('option')
      .map(({ textContent }) => textContent),
  ).toEqual([
    'Pakker · Norwegian Bokmål',
    'Subscription extended · English',
    'Subscription details · English',
  ]);
  asking.getByText(text);
  await user.click(asking.getByRole('button', { name: 'Save' }));
  await toasts().findByText(
    '1 message saved. 1 subscriber got none: deleted, or without what the message names.',
  );
  expect([files[0]?.name, await files[0]?.blob?.text()]).toEqual([
    'messages-2026-06-01.csv',
    '"email","username","message"\r\n"anna@example.com","anna","anna: 30 og Film, 1. juli 2027 kl. 12:00 CEST"\r\n',
  ]);
  await disappears('dialog', /^Messages/);
});

test('no message is saved with numbers in the place of names that cannot be read', async () => {
  const desk = await openJobDesk({ people: [anna] });
  const { bff } = desk.as('manager');
  const text = '{username}: {bundles}';
  await bff.addMessage({ body: { occasion: 'extended', language: 'nb', name: 'Pakker', text } });
  const change = { by: { to: '2027-07-01T10:00:00Z' } };
  const { id } = await prepare(desk.kari, { kind: 'extend', targets: { ids: [1] }, change });
  await runToEnd(desk.kari, id);
  cutNetwork(/GET \/bff\/bundles/);
  const { user } = renderApp(`/jobs/${id}`);
  const files = catchFiles();
  await user.click(await appears('button', 'Save messages…'));
  const asking = await dialog('Messages for 1 subscriber');
  await asking.findByText(text);
  await user.click(asking.getByRole('button', { name: 'Save' }));
  await asking.findByText(/^Nothing was saved\. No answer from Subscriber Desk\./);
  expect(files).toEqual([]);
});

test('the rows are saved as a file', async () => {
  const { user } = await openRun(() => null);
  const files = catchFiles();
  await user.click(await appears('button', 'Save as CSV'));
  await toasts().findByText('4 rows saved.');
  const lines = (await files[0]?.blob?.text())?.trim().split('\r\n') ?? [];
  expect(lines).toHaveLength(5);
  expect(lines[0]).toContain('"Subscriber ID","Username","Result","Why","Before","After"');
  expect(lines[1]).toBe('"1","p001","Edited","","Connection limit: 1","Connection limit: 7"');
});
