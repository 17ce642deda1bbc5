import { createBrowserHistory } from '@tanstack/react-router';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, onTestFinished, test } from 'vitest';
import { toasts } from '../../support/app/activity.ts';
import { fill, input, openForm } from '../../support/app/form.ts';
import { openDesk } from '../../support/app/desk.ts';
import { holdAnswers } from '../../support/app/network.ts';
import { appears, button, dialog, disappears, renderApp } from '../../support/app/page.tsx';
import { pane } from '../../support/app/pane.ts';
import { anna } from '../../support/people.ts';

const question = 'Leave without saving?';
const trail = () => within(screen.getByRole('navigation', { name: 'Breadcrumb' })).getByRole('link');

async function editNote(note: string) {
  const page = await openForm('/subscribers/1/edit');
  await fill(page.user, 'Note', note);
  return page;
}

test.each<[string, (page: Awaited<ReturnType<typeof editNote>>) => Promise<void>]>([
  ['“Keep editing”', ({ user }) => user.click(button('Keep editing'))],
  ['Escape', ({ user }) => user.keyboard('{Escape}')],
])('leaving a form with changes asks first, and %s loses nothing', async (_, stay) => {
  const page = await editNote('Half a thought');
  await page.user.click(trail());
  await dialog(question);
  await stay(page);
  await disappears('dialog', question);
  expect(page.address()).toBe('/subscribers/1/edit');
  expect(input('Note').value).toBe('Half a thought');
});

test('leaving a form by the browser’s Back asks first too', async () => {
  await openDesk({ people: [anna] });
  window.history.replaceState(null, '', '/subscribers/1');
  const history = createBrowserHistory();
  onTestFinished(() => history.destroy());
  const { user } = renderApp('/subscribers/1', history);
  await user.click(await appears('link', 'Edit'));
  await screen.findByLabelText('Note');
  await fill(user, 'Note', 'Half a thought');
  window.history.back();
  await user.click((await dialog(question)).getByRole('button', { name: 'Keep editing' }));
  await waitFor(() => expect(location.pathname).toBe('/subscribers/1/edit'));
  expect(input('Note').value).toBe('Half a thought');
});

test('leaving a form whose changes were reverted asks nothing', async () => {
  const { user } = await editNote('Half a thought');
  await fill(user, 'Note', anna.note);
  await user.click(trail());
  await appears('table', 'Subscribers');
  expect(screen.queryByRole('dialog')).toBeNull();
});

/** Leaves the form while the answer to “Save changes” is under way, which comes after that. */
async function leaveWhileSaving({ user }: Awaited<ReturnType<typeof editNote>>) {
  const answer = holdAnswers(/PUT \/api/);
  await user.click(button('Save changes'));
  await appears('button', 'Saving…');
  await user.click(button('Cancel'));
  const asking = await dialog('Leave while this is being saved?');
  await user.click(asking.getByRole('button', { name: 'Leave' }));
  await pane('anna');
  answer.release();
}

test('leaving a form while it is saved promises to discard nothing, and a message says that it was saved', async () => {
  const page = await editNote('A whole thought');
  await leaveWhileSaving(page);
  await toasts().findByText('Changes to anna were saved.');
  page.goTo('/subscribers/1/edit');
  await screen.findByLabelText('Note');
  expect(screen.queryByText(/^Unsaved changes restored/)).toBeNull();
});

test('leaving a form while it is saved keeps what was typed if somebody else has saved before', async () => {
  const page = await editNote('A whole thought');
  await page.service.updateSubscriber({ params: { id: 1 }, body: { note: 'Theirs.' } });
  await leaveWhileSaving(page);
  await toasts().findByText(
    /^anna: Nothing was saved: someone changed this subscriber .* changes are kept\./,
  );
  page.goTo('/subscribers/1/edit');
  await screen.findByText(/^Unsaved changes restored/);
  expect(input('Note').value).toBe('A whole thought');
});
