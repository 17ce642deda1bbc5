import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { toasts } from '../../support/app/activity.ts';
import { button, disappears, openApp } from '../../support/app/page.tsx';
import { details, pane } from '../../support/app/pane.ts';
import { kari, signIn, staff } from '../../support/app/sign-in.ts';
import { anna } from '../../support/people.ts';
import { testTime } from '../../support/setup/fixed-time.ts';

const read = /GET \/api\/subscribers\/1/;
const editors = /GET \/bff\/subscribers\/1\/editors/;

// Time passes as usual, and faster where a test says so.
beforeEach(() => {
  const toFake = ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] as const;
  vi.useFakeTimers({ toFake: [...toFake], now: testTime, shouldAdvanceTime: true });
});
afterEach(() => void vi.useRealTimers());

const pass = (seconds: number) => act(() => vi.advanceTimersByTimeAsync(seconds * 1000));

/** Kari has the pane open, and Ola works elsewhere. */
async function openPane() {
  const page = await openApp('/subscribers/1', { people: [anna], staff });
  await signIn(page.user, kari);
  const shown = await pane('anna');
  await shown.findByText('Norway');
  await waitFor(() => expect(page.requested(editors).length).toBeGreaterThan(0));
  const other = await page.signIn('Ola');
  return { ...page, shown, other };
}

const draft = (note: string) => ({ values: { ...anna, note }, base: null });

describe('an open pane', () => {
  it('shows within 10 seconds what someone else has changed, and who', async () => {
    const { shown, other, requested } = await openPane();
    await other.api.updateSubscriber({ params: { id: 1 }, body: { maxConnections: 7, note: 'Moved.' } });
    const before = requested(read).length;
    await pass(10);
    await shown.findByText('Ola changed Connection limit and Note');
    expect(details()).toMatchObject({ 'Connection limit': '7 Changed', Countries: 'Norway | Sweden' });
    const notes = within(screen.getByRole('region', { name: 'Notes' }));
    expect(notes.getByRole('heading').textContent).toBe('Notes Changed');
    notes.getByText('Moved.');
    expect(requested(read).length).toBeGreaterThan(before);
    await pass(90);
    await waitFor(() => expect(details()).toMatchObject({ 'Connection limit': '7' }));
    expect(shown.queryByText(/^Ola changed/)).toBeNull();
  });

  it('marks what was changed past Subscriber Desk without a name', async () => {
    const { shown, service } = await openPane();
    await service.updateSubscriber({ params: { id: 1 }, body: { countries: ['GR'] } });
    await pass(10);
    await shown.findByText('Someone changed Countries');
    expect(details()['Countries']).toContain('Greece');
  });

  it('does not mark the user’s own changes', async () => {
    const { user, shown, other } = await openPane();
    await user.click(button(/^\+7 days/));
    await toasts().findByText(/^anna now expires on/);
    await shown.findByText('7 Jan 2027', { selector: 'ins *, ins' });
    await other.api.updateSubscriber({ params: { id: 1 }, body: { maxConnections: 7 } });
    await pass(10);
    await shown.findByText('Ola changed Connection limit');
    expect(shown.queryByText(/Kari changed/)).toBeNull();
    expect(shown.getAllByText('Changed')).toHaveLength(1);
  });

  it('reads nothing while its window is hidden', async () => {
    const { requested } = await openPane();
    const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    await act(async () => void document.dispatchEvent(new Event('visibilitychange')));
    const before = [requested(read).length, requested(editors).length];
    await pass(60);
    expect([requested(read).length, requested(editors).length]).toEqual(before);
    visibility.mockRestore();
    await act(async () => void document.dispatchEvent(new Event('visibilitychange')));
    await pass(10);
    await waitFor(() => expect(requested(read).length).toBeGreaterThan(before[0] ?? 0));
  });

  it('says who else is editing, until they have saved or left', async () => {
    const { shown, other } = await openPane();
    await other.ask('PUT', '/bff/drafts/1', draft('Half typed'));
    await pass(10);
    const reported = await shown.findByText('Ola is editing');
    const notes = shown.getByRole('region', { name: 'Notes' });
    expect(reported.compareDocumentPosition(notes)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    await other.ask('DELETE', '/bff/drafts/1');
    await pass(10);
    await waitFor(() => expect(shown.queryByText('Ola is editing')).toBeNull());
  });

  it('reads no more after it is closed', async () => {
    const { user, requested } = await openPane();
    await user.click(button('Close'));
    await disappears('complementary', 'anna');
    const before = requested(read).length;
    await pass(30);
    expect(requested(read)).toHaveLength(before);
  });
});

describe('an open form', () => {
  it('says who else is editing, and what someone else has saved until it is left', async () => {
    const page = await openApp('/subscribers/1/edit', { people: [anna], staff });
    await signIn(page.user, kari);
    await screen.findByLabelText('Username');
    const other = await page.signIn('Ola');
    await other.ask('PUT', '/bff/drafts/1', draft('Half typed'));
    await pass(10);
    const reported = await screen.findByText('Ola is editing');
    const { DOCUMENT_POSITION_FOLLOWING: isAfter } = Node;
    expect(reported.compareDocumentPosition(screen.getByLabelText('Username'))).toBe(isAfter);
    await other.ask('DELETE', '/bff/drafts/1');
    await other.api.updateSubscriber({ params: { id: 1 }, body: { maxConnections: 7 } });
    await pass(10);
    await screen.findByText('Ola changed Connection limit');
    await pass(90);
    await screen.findByText('Ola changed Connection limit');
  });
});
