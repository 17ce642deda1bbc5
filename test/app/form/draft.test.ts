import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, test, vi } from 'vitest';
import { draftApi } from '../../../src/contract/bff/draft.ts';
import { csrfHeader } from '../../../src/contract/bff/paths.ts';
import { createClient } from '../../../src/contract/http/client.ts';
import { chips, fill, input, openForm } from '../../support/app/form.ts';
import { cutNetwork, holdAnswers } from '../../support/app/network.ts';
import { appears, button, dialog, disappears, renderApp, type Page } from '../../support/app/page.tsx';
import { pane } from '../../support/app/pane.ts';
import { anna } from '../../support/people.ts';
import { testTime } from '../../support/setup/fixed-time.ts';

const keeping = /PUT \/bff\/drafts/;
const dropping = /DELETE \/bff\/drafts/;
const notice = /^Unsaved changes restored/;

const isStored = (page: Pick<Page, 'requested'>) =>
  waitFor(() => expect(page.requested(keeping).length).toBeGreaterThan(0));

/** Waits until the draft is kept with these values. */
const keeps = (page: Pick<Page, 'sent'>, draft: object) =>
  waitFor(async () => expect((await page.sent(keeping)).body).toMatchObject(draft));

/** Opens the form of anna, and types another note, which is kept. */
async function openTyped(note: string) {
  const page = await openForm('/subscribers/1/edit');
  await fill(page.user, 'Note', note);
  await isStored(page);
  return page;
}

/** Opens the page anew, over the same server. */
async function reload(address: string) {
  cleanup();
  const page = renderApp(address);
  await screen.findByLabelText('Note');
  return page;
}

describe('a draft after a reload', () => {
  it('is restored in the form of a new subscriber', async () => {
    const page = await openForm('/subscribers/new');
    await fill(page.user, 'Username', 'bo');
    await fill(page.user, 'Email', 'half an addr');
    await fill(page.user, 'Connection limit', '');
    await fill(page.user, 'Bundles', '7');
    await isStored(page);
    await keeps(page, { values: { bundles: [7] } });
    await reload('/subscribers/new');
    await screen.findByText(notice);
    expect([input('Username').value, input('Email').value, input('Connection limit').value]).toEqual([
      'bo',
      'half an addr',
      '',
    ]);
    expect(chips('Bundles')).toEqual(['7']);
    expect(screen.getByText(/^4 unsaved changes/)).toBeTruthy();
  });

  it('is restored in the edit form, and is saved against the version it began with', async () => {
    const page = await openForm('/subscribers/1/edit');
    await fill(page.user, 'Email', 'mine@example.com');
    await keeps(page, { values: { email: 'mine@example.com' } });
    await page.service.updateSubscriber({ params: { id: 1 }, body: { note: 'Theirs.' } });
    const { user } = await reload('/subscribers/1/edit');
    await screen.findByText(notice);
    expect([input('Email').value, input('Note').value]).toEqual(['mine@example.com', anna.note]);
    await user.click(button('Save changes'));
    const conflict = await dialog('Someone else changed anna');
    await user.click(conflict.getByRole('button', { name: 'Save merged version' }));
    await pane('anna');
    expect(await page.saved()).toMatchObject({ email: 'mine@example.com', note: 'Theirs.' });
  });

  it('has the reason, which goes with the rest if it is discarded', async () => {
    const page = await openForm('/subscribers/1/edit');
    await fill(page.user, 'Email', 'mine@example.com');
    await fill(page.user, 'Reason (optional)', 'They asked for it.');
    await keeps(page, { reason: 'They asked for it.' });
    const { user } = await reload('/subscribers/1/edit');
    await screen.findByText(notice);
    expect(input('Reason (optional)').value).toBe('They asked for it.');
    await user.click(button('Discard'));
    await waitFor(() => expect(input('Email').value).toBe(anna.email));
    expect(input('Reason (optional)').value).toBe('');
  });

  it('is restored without overwriting what was typed before it loaded', async () => {
    const page = await openForm('/subscribers/new');
    await fill(page.user, 'Username', 'bo');
    await fill(page.user, 'Note', 'Called.');
    await keeps(page, { values: { note: 'Called.' } });
    const answer = holdAnswers(/GET \/bff\/drafts/);
    const { user } = await reload('/subscribers/new');
    await fill(user, 'Username', 'cy');
    answer.release();
    await screen.findByText(notice);
    expect([input('Username').value, input('Note').value]).toEqual(['cy', 'Called.']);
  });
});

test('a draft that a save in another tab has deleted is kept again while this one’s conflict is open', async () => {
  const page = await openTyped('Mine.');
  const there = createClient(draftApi, {
    fetch: (request) => fetch(request),
    base: location.origin,
    headers: { [csrfHeader.name]: csrfHeader.value },
  });
  await there.dropDraft({ params: { id: '1' } });
  await page.service.updateSubscriber({ params: { id: 1 }, body: { note: 'Theirs.' } });
  const before = page.requested(keeping).length;
  await page.user.click(button('Save changes'));
  await dialog('Someone else changed anna');
  await waitFor(() => expect(page.requested(keeping).length).toBeGreaterThan(before));
  await reload('/subscribers/1/edit');
  await screen.findByText(notice);
  expect(input('Note').value).toBe('Mine.');
});

test('the values in a form stay when everything is read again', async () => {
  const page = await openForm('/subscribers/new');
  await fill(page.user, 'Username', 'bo');
  await page.user.click(button('Create subscriber'));
  await screen.findByText('Enter a full address, such as name@example.com.');
  await isStored(page);
  const readings = page.requested(/GET \/bff\/session/).length;
  await act(() => page.cache.invalidateQueries());
  expect(page.requested(/GET \/bff\/session/).length).toBeGreaterThan(readings);
  expect(screen.queryByText(notice)).toBeNull();
  expect(screen.getByText('Enter a full address, such as name@example.com.')).toBeTruthy();
});

test('what was typed last is saved when the page is left, however soon', async () => {
  const page = await openForm('/subscribers/1/edit');
  // The pause after the last letter never ends.
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout'], now: testTime });
  fireEvent.change(input('Note'), { target: { value: 'Typed last.' } });
  window.dispatchEvent(new Event('pagehide'));
  vi.useFakeTimers({ toFake: ['Date'], now: testTime });
  await isStored(page);
  expect((await page.sent(keeping)).body).toMatchObject({ values: { note: 'Typed last.' } });
});

describe('a draft that is no longer needed', () => {
  it('is deleted once the form is saved', async () => {
    const page = await openTyped('Saved.');
    await page.user.click(button('Save changes'));
    await pane('anna');
    await waitFor(() => expect(page.requested(dropping)).toHaveLength(1));
    await reload('/subscribers/1/edit');
    expect(screen.queryByText(notice)).toBeNull();
  });

  it('is deleted once the user discards the changes by leaving', async () => {
    const page = await openTyped('Not wanted.');
    await page.user.click(button('Cancel'));
    const asking = await dialog('Leave without saving?');
    await page.user.click(asking.getByRole('button', { name: 'Discard changes' }));
    await pane('anna');
    await waitFor(() => expect(page.requested(dropping)).toHaveLength(1));
    await reload('/subscribers/1/edit');
    expect(input('Note').value).toBe(anna.note);
  });

  it('is deleted by “Discard”, which goes back to the saved values', async () => {
    const page = await openTyped('Not wanted.');
    const { user } = await reload('/subscribers/1/edit');
    const restored = within((await screen.findByText(notice)).parentElement ?? document.body);
    await user.click(restored.getByRole('button', { name: 'Discard' }));
    await waitFor(() => expect(screen.queryByText(notice)).toBeNull());
    expect(input('Note').value).toBe(anna.note);
    await waitFor(() => expect(page.requested(dropping)).toHaveLength(1));
  });

  it('is deleted once the version that somebody else saved is loaded instead', async () => {
    const page = await openTyped('Not wanted.');
    await page.service.updateSubscriber({ params: { id: 1 }, body: { note: 'Theirs.' } });
    await page.user.click(button('Save changes'));
    const asking = await dialog('Someone else changed anna');
    await page.user.click(asking.getByRole('button', { name: 'Keep editing' }));
    await page.user.click(await appears('button', 'Discard my changes and load the saved version'));
    await waitFor(() => expect(input('Note').value).toBe('Theirs.'));
    await waitFor(() => expect(page.requested(dropping)).toHaveLength(1));
    await reload('/subscribers/1/edit');
    expect(input('Note').value).toBe('Theirs.');
    expect(screen.queryByText(notice)).toBeNull();
  });

  it('is deleted once the changes are reverted', async () => {
    const page = await openTyped('For a moment.');
    await fill(page.user, 'Note', anna.note);
    await waitFor(() => expect(page.requested(dropping)).toHaveLength(1));
  });
});

describe('a draft that cannot be read at first', () => {
  const failure = /^Couldn’t load your unsaved changes/;

  it('holds the edit form back, and is there once it is read', async () => {
    await openTyped('Half a note.');
    const mend = cutNetwork(/GET \/bff\/drafts/);
    cleanup();
    const { user } = renderApp('/subscribers/1/edit');
    await screen.findByText(failure);
    expect(screen.queryByLabelText('Note')).toBeNull();
    mend();
    await user.click(button('Try again'));
    await screen.findByText(notice);
    expect(input('Note').value).toBe('Half a note.');
  });

  it('is not replaced by what is typed meanwhile into the form of a new subscriber', async () => {
    const page = await openForm('/subscribers/new');
    await fill(page.user, 'Note', 'Half a note.');
    await isStored(page);
    const before = page.requested(keeping).length;
    const mend = cutNetwork(/GET \/bff\/drafts/);
    const { user } = await reload('/subscribers/new');
    await screen.findByText(failure);
    await fill(user, 'Username', 'bo');
    mend();
    await user.click(button('Try again'));
    await screen.findByText(notice);
    expect([input('Username').value, input('Note').value]).toEqual(['bo', 'Half a note.']);
    const both = { values: { username: 'bo', note: 'Half a note.' } };
    await keeps(page, both);
    expect(page.requested(keeping)).toHaveLength(before + 1);
  });
});

test('the form works without drafts when they cannot be saved', async () => {
  cutNetwork(keeping);
  const page = await openTyped('Typed.');
  await page.user.click(button('Save changes'));
  await pane('anna');
  await disappears('heading', 'Edit anna');
  await appears('status', 'Notifications');
  expect((await page.saved()).note).toBe('Typed.');
});
