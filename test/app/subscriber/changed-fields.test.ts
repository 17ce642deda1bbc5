import { within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { paneActivity, send } from '../../support/app/activity.ts';
import { openDesk } from '../../support/app/desk.ts';
import { dialog, renderApp } from '../../support/app/page.tsx';
import { anna } from '../../support/people.ts';

const story =
  'Moved to Oslo in May and has a new router since then. The picture froze on the TV in the kitchen, never on the phone. ';
const before = `${story}Call back on Mondays after six.`;

/** The activity in anna's pane after somebody changed her note. */
async function openChanged(note: string) {
  await openDesk({ people: [{ ...anna, note: before }] });
  await send('PUT', '/subscribers/1', { note });
  const { user } = renderApp('/subscribers/1');
  return { user, activity: await paneActivity() };
}

test('a changed note shows the words that changed and what is around them, and as a whole if asked', async () => {
  const { user, activity } = await openChanged(before.replace('Mondays', 'Fridays'));
  const change = (await activity.findByText(/Mondays/, { selector: 'del' })).closest('ul');
  const spoken = 'Note … the phone. Call back on removed: Mondays added: Fridays then: after six.';
  const text = () => change?.textContent.replaceAll(/\s+/g, ' ');
  expect(text()).toContain(spoken);
  await user.click(activity.getByRole('button', { name: 'Show whole text', expanded: false }));
  expect(text()).toContain(`Note ${story}Call back on removed: Mondays added: Fridays then: after six.`);
  await user.click(activity.getByRole('button', { name: 'Hide whole text', expanded: true }));
  expect(text()).toContain(spoken);
  // The dialog of the undo says the same the other way round.
  await user.click(activity.getByRole('button', { name: 'Undo' }));
  const asking = await dialog('Undo this change?');
  expect(within(asking.getByRole('list')).getByText(/Fridays/).tagName).toBe('DEL');
});

test('a line that was added to a note is all that is shown, a long one from its beginning', async () => {
  const { user, activity } = await openChanged(`${before}\nSays: ${'It froze again. '.repeat(30)}Bye.`);
  const added = await activity.findByText(/Says: It froze again/, { selector: 'ins' });
  expect(added.textContent).not.toContain('Bye.');
  await user.click(activity.getByRole('button', { name: 'Show whole text' }));
  expect((await activity.findByText(/Says: It froze again/, { selector: 'ins' })).textContent).toContain(
    'Bye.',
  );
});
