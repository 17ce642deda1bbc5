import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { paneActivity, toasts } from '../../support/app/activity.ts';
import { cutNetwork, holdAnswers, loseAnswers } from '../../support/app/network.ts';
import { appears, button, disappears, field, hasFocus, openApp, renderApp } from '../../support/app/page.tsx';
import { openPane as openAnna, pane } from '../../support/app/pane.ts';
import { openAt } from '../../support/app/session-over.ts';
import { kari, signIn, signOut } from '../../support/app/sign-in.ts';
import { anna, person } from '../../support/people.ts';
import { testTime } from '../../support/setup/fixed-time.ts';

const change = /PUT \/api/;

async function openPane(note: string) {
  const page = await openAnna({ own: { note }, role: 'support' });
  const now = async () => (await page.saved()).note;
  const add = async (text: string) => {
    await page.user.click(button('Add note'));
    await hasFocus(() => field('New note'));
    if (text !== '') await page.user.paste(text);
    await page.user.keyboard('{Enter}');
  };
  return { ...page, now, add };
}

const notes = () => within(screen.getByRole('region', { name: 'Notes' }));
const lines = () =>
  notes()
    .getAllByRole('listitem')
    .map((line) => line.textContent);

describe('the card of a subscriber’s notes', () => {
  it('comes before the actions, with the lines that begin with “!” first', async () => {
    await openPane('Calls on Mondays.\n\n! Speak slowly.\nHas two boxes.');
    expect(lines()).toEqual(['Speak slowly.', 'Calls on Mondays.', 'Has two boxes.']);
    const after = screen.getByRole('region', { name: 'Extend' });
    expect(
      screen.getByRole('region', { name: 'Notes' }).compareDocumentPosition(after) &
        Node.DOCUMENT_POSITION_FOLLOWING,
    ).toBeTruthy();
  });

  it('shows all of a note whose lines end otherwise', async () => {
    await openPane('First.\rSecond.\u2028! Third.\u2029Fourth.');
    expect(lines()).toEqual(['Third.', 'First.', 'Second.', 'Fourth.']);
  });

  it('opens the box for another also by a double click', async () => {
    const { user } = await openPane('');
    await user.dblClick(button('Add note'));
    await hasFocus(() => field('New note'));
  });

  it('shows only the last lines at first where there are many', async () => {
    const { user } = await openPane(Array.from({ length: 8 }, (_, index) => `Line ${index + 1}`).join('\n'));
    expect(lines()[0]).toBe('Line 3');
    await user.click(button('Show 2 earlier lines'));
    expect(lines()).toHaveLength(8);
  });

  it('says so where there are no notes', async () => {
    await openPane('');
    notes().getByText('No notes');
  });
});

describe('“Add note”', () => {
  it('saves a line with the local day and the author, after the older ones, which can be undone', async () => {
    const page = await openPane('Calls on Mondays.');
    const { user, now, add } = page;
    await add('  Got a new box. ');
    await toasts().findByText('Note added for anna.');
    const note = 'Calls on Mondays.\n2026-06-01 Kari: Got a new box.';
    expect(await now()).toBe(note);
    const { ifMatch, body } = await page.sent(change);
    expect([Boolean(ifMatch), body]).toEqual([true, { note }]);
    expect(lines()).toEqual(['Calls on Mondays.', '1 Jun 2026 Kari: Got a new box.']);
    await hasFocus(() => button('Add note'));
    await (await paneActivity()).findByText('+ 2026-06-01 Kari: Got a new box.');
    await user.click(toasts().getByRole('button', { name: 'Undo' }));
    await toasts().findByText('Undone: anna is as it was before.');
    expect(await now()).toBe('Calls on Mondays.');
  });

  it('keeps a line that begins with “!” on top', async () => {
    const { user, now, add } = await openPane('Calls on Mondays.');
    await user.click(button('Add note'));
    await user.paste('! Speak slowly.');
    notes().getByText('1 Jun 2026 Kari: Speak slowly. · On top');
    await user.click(button('Discard'));
    await add('! Speak slowly.');
    await toasts().findByText('Note added for anna.');
    expect(await now()).toBe('Calls on Mondays.\n!2026-06-01 Kari: Speak slowly.');
    expect(lines()[0]).toBe('1 Jun 2026 Kari: Speak slowly.');
  });

  it('appends to the newest note if someone else has saved meanwhile', async () => {
    const { now, add, service, saved } = await openPane('Calls on Mondays.');
    const body = { note: 'Calls on Mondays.\nPaid by card.', maxConnections: 5 };
    await service.updateSubscriber({ params: { id: 1 }, body });
    await add('Got a new box.');
    await toasts().findByText('Note added for anna.');
    expect(await now()).toBe('Calls on Mondays.\nPaid by card.\n2026-06-01 Kari: Got a new box.');
    expect((await saved()).maxConnections).toBe(5);
  });

  it('is sent once if the service refuses it, which stands below the box with what was typed', async () => {
    const { add, requested, upstream } = await openPane('');
    upstream.operation = ({ method }, next) =>
      method === 'PUT' ? new Response(null, { status: 422 }) : next();
    await add('Got a new box.');
    await screen.findByText(/did not accept the input\. Nothing was changed\./);
    expect([field('New note').value, requested(change).length]).toEqual(['Got a new box.', 1]);
  });

  it('adds the line once if its answer is lost', async () => {
    const { now, add } = await openPane('');
    const mend = loseAnswers(change);
    await add('Got a new box.');
    await screen.findByText(/^We don’t know yet whether the note was added\./);
    mend();
    await toasts().findByText('Note added for anna.');
    expect(await now()).toBe('2026-06-01 Kari: Got a new box.');
  });

  it('keeps what was typed on while an earlier line was being saved', async () => {
    const { user, now, add, goTo } = await openPane('');
    const held = holdAnswers(change);
    await add('Got a new box.');
    await appears('button', 'Saving…');
    goTo('/subscribers');
    await disappears('complementary', 'anna');
    goTo('/subscribers/1');
    await user.type(await appears('textbox', 'New note'), ' It is slow.');
    held.release();
    await toasts().findByText('Note added for anna.');
    expect(await now()).toBe('2026-06-01 Kari: Got a new box.');
    goTo('/subscribers');
    await disappears('complementary', 'anna');
    goTo('/subscribers/1');
    expect((await appears('textbox', 'New note')).getAttribute('value')).toBe('Got a new box. It is slow.');
  });

  it('says by how much a line does not fit, and cuts and sends nothing', async () => {
    const { user, now, add, requested } = await openPane('x'.repeat(1970));
    await add('Got a new box.');
    await screen.findByText(
      'This is 2 characters too long: all notes together can have 2,000. Shorten it, or edit the older notes.',
    );
    expect([field('New note').value, requested(change)]).toEqual(['Got a new box.', []]);
    await user.keyboard('{Backspace}{Backspace}{Enter}');
    await toasts().findByText('Note added for anna.');
    expect(await now()).toHaveLength(2000);
  });

  it('asks for a text, and Escape closes it but not the pane', async () => {
    const { user, add, requested } = await openPane('');
    await add('');
    await screen.findByText('Enter a note.');
    await user.keyboard('{Escape}');
    await disappears('textbox', 'New note');
    await hasFocus(() => button('Add note'));
    expect(requested(change)).toEqual([]);
    await pane('anna');
  });
});

describe('a half-written note', () => {
  const bo = person('bo');
  const stored = /PUT \/bff\/drafts\/note-1/;

  /** Begins a note for anna, which is on the server when this is over. */
  async function begin() {
    const page = await openApp('/subscribers/1', { people: [anna, bo] });
    await (await pane('anna')).findByText('Norway');
    await page.user.keyboard('a');
    await hasFocus(() => field('New note'));
    await page.user.paste('Half a');
    await waitFor(() => expect(page.requested(stored)).toHaveLength(1));
    return page;
  }

  it('is there again after another subscriber, Escape, Close and a reload', async () => {
    const { user, goTo } = await begin();
    await user.keyboard('{Escape}');
    await disappears('textbox', 'New note');
    await user.click(button('Continue note'));
    await hasFocus(() => field('New note'));
    goTo('/subscribers/2');
    await pane('bo');
    expect(screen.queryByRole('textbox', { name: 'New note' })).toBeNull();
    goTo('/subscribers/1');
    await pane('anna');
    expect((await appears('textbox', 'New note')).getAttribute('value')).toBe('Half a');
    await user.click(button('Close'));
    cleanup();
    const again = renderApp('/subscribers/1');
    expect((await appears('textbox', 'New note')).getAttribute('value')).toBe('Half a');
    await again.user.click(button('Add note'));
    await hasFocus(() => field('New note'));
    await again.user.keyboard('{Control>}{Enter}{/Control}');
    await toasts().findByText('Note added for anna.');
    cleanup();
    renderApp('/subscribers/1');
    await (await pane('anna')).findByText('1 Jun 2026 Kari: Half a');
    expect(screen.queryByRole('textbox', { name: 'New note' })).toBeNull();
  });

  it('is kept as it is when the page is left, however soon', async () => {
    const page = await begin();
    // The pause after the last letter never ends.
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout'], now: testTime });
    fireEvent.change(field('New note'), { target: { value: 'Half a word' } });
    window.dispatchEvent(new Event('pagehide'));
    vi.useFakeTimers({ toFake: ['Date'], now: testTime });
    await waitFor(() => expect(page.requested(stored)).toHaveLength(2));
    expect((await page.sent(stored)).body).toEqual({ line: 'Half a word' });
  });

  it('is said to be saved where its answer came after a reload, so that nobody adds it twice', async () => {
    const { user, requested, now } = await openPane('Calls on Mondays.');
    await user.click(button('Add note'));
    await user.type(field('New note'), 'Got a new box.');
    await waitFor(() => expect(requested(stored)).toHaveLength(1));
    expect(screen.queryByText(/already end with/)).toBeNull();
    const answer = holdAnswers(change);
    await user.click(button('Save note'));
    await waitFor(async () => expect(await now()).toMatch(/new box/));
    cleanup();
    renderApp('/subscribers/1');
    await (await pane('anna')).findByText('1 Jun 2026 Kari: Got a new box.');
    expect((await appears('textbox', 'New note')).getAttribute('value')).toBe('Got a new box.');
    await screen.findByText(/ · The notes already end with this line\.$/);
    answer.release();
  });

  it('is there again after signing out and in, though it could not be kept as it was typed', async () => {
    const { user, requested, goTo } = await openAt('/subscribers/1');
    await (await pane('anna')).findByText('Norway');
    const mend = cutNetwork(stored);
    await user.keyboard('a');
    await hasFocus(() => field('New note'));
    await user.paste('Half a');
    await waitFor(() => expect(requested(stored)).toHaveLength(1));
    mend();
    await signOut(user);
    await signIn(user, kari);
    await appears('button', /^Account: ?Kari/);
    goTo('/subscribers/1');
    await pane('anna');
    expect((await appears('textbox', 'New note')).getAttribute('value')).toBe('Half a');
  });

  it('is shown when the subscriber has been deleted by somebody else', async () => {
    const { service, goTo } = await begin();
    await service.deleteSubscriber({ params: { id: 1 } });
    goTo('/subscribers/2');
    await pane('bo');
    // What was read a minute ago is read again.
    vi.setSystemTime(Date.now() + 60_000);
    goTo('/subscribers/1');
    const unsaved = within(await appears('region', 'Your unsaved note'));
    unsaved.getByText('Half a');
  });

  it('is not overwritten by a draft that is still being read', async () => {
    const { user, goTo, cache } = await openApp('/subscribers', { people: [anna] });
    const { release } = holdAnswers(/GET \/bff\/drafts/);
    goTo('/subscribers/1');
    await (await pane('anna')).findByText('Norway');
    await user.click(button('Add note'));
    fireEvent.change(field('New note'), { target: { value: 'Quick' } });
    // At once, for whoever presses Enter right after it.
    expect(field('New note').getAttribute('value')).toBe('Quick');
    release();
    await waitFor(() => expect(cache.isFetching()).toBe(0));
    expect(field('New note').getAttribute('value')).toBe('Quick');
  });

  it('is not replaced where it could not be read, and is there once it can be', async () => {
    await begin();
    cleanup();
    const mend = cutNetwork(/GET \/bff\/drafts/);
    const { user, cache } = renderApp('/subscribers/1');
    await (await pane('anna')).findByText('Norway');
    await waitFor(() =>
      expect(notes().queryByTitle(/^Couldn’t load the note that you may have begun/)).toBeTruthy(),
    );
    await user.keyboard('a');
    expect(screen.queryByRole('textbox', { name: 'New note' })).toBeNull();
    mend();
    await cache.refetchQueries({ queryKey: ['getDraft'] });
    expect((await appears('textbox', 'New note')).getAttribute('value')).toBe('Half a');
  });

  it('is gone after “Discard”', async () => {
    const { user } = await begin();
    await user.click(button('Discard'));
    cleanup();
    renderApp('/subscribers/1');
    await (await pane('anna')).findByText('Norway');
    await waitFor(() => expect(button('Add note')).toBeTruthy());
    expect(screen.queryByRole('textbox', { name: 'New note' })).toBeNull();
  });
});
