import { screen } from '@testing-library/react';
import { describe, expect, it, test } from 'vitest';
import { toasts } from '../../support/app/activity.ts';
import { suspend } from '../../support/app/desk.ts';
import { tellTime } from '../../support/app/network.ts';
import { button, dialog, disappears, openApp } from '../../support/app/page.tsx';
import { openPane, pane } from '../../support/app/pane.ts';
import { anna, person } from '../../support/people.ts';

const change = /PUT \/api/;

const noFormat = { hls: false, mpegTs: false };

test('a subscriber without limits is said to have none', async () => {
  await openApp('/subscribers/1', { people: [person('anna')] });
  await (await pane('anna')).findByText('No limits on countries, networks or apps.');
});

test('the server’s time says who can watch where the browser’s clock is wrong', async () => {
  tellTime(Date.parse('2026-06-02T12:00:00.000Z'));
  await openPane({ own: { expiresAt: '2026-06-02T01:00:00.000Z' } });
  await screen.findByText(/^Can’t watch: expired on 2 Jun 2026/);
  expect(button(/^\+7 days/).textContent).toContain('9 Jun 2026');
});

const primaries = () =>
  [...document.querySelectorAll('aside [class*=primary]')].map(({ textContent }) => textContent);

describe('the primary action of the pane', () => {
  const ended = { expiresAt: '2026-05-22T13:00:00.000Z' };

  it('extends where that helps', async () => {
    await openPane({ own: ended });
    expect(primaries()).toEqual(['+1 month 1 Jul 2026']);
  });

  it('is none where the status stops an expired subscriber, whom time does not help', async () => {
    const page = await openApp('/subscribers', { people: [{ ...anna, ...ended }] });
    await suspend(page, 'anna');
    page.goTo('/subscribers/1');
    await (await pane('anna')).findByText(/status Suspended/);
    expect(primaries()).toEqual([]);
  });

  it('is none where nothing stands in the way', async () => {
    await openPane();
    expect(primaries()).toEqual([]);
    expect(screen.queryByRole('button', { name: /^Turn on/ })).toBeNull();
  });
});

describe('a delivery format that is off', () => {
  it('can be turned on after its fields are shown before and after, and that can be undone', async () => {
    const page = await openPane({ own: noFormat });
    const { user, shown, saved } = page;
    await user.click(button('Turn on HLS…'));
    const asking = await dialog('Turn on HLS for anna?');
    expect(asking.getByRole('listitem').textContent).toBe('HLS off →  is now on');
    await user.type(asking.getByRole('textbox', { name: 'Reason (optional)' }), 'New app');
    await user.click(asking.getByRole('button', { name: 'Turn on HLS' }));
    await toasts().findByText('HLS is on for anna.');
    await disappears('dialog', 'Turn on HLS for anna?');
    await shown.findByText(/^Can watch on up to 3 devices/);
    const { ifMatch, body, reason } = await page.sent(change);
    expect([body, decodeURIComponent(reason ?? '')]).toEqual([{ hls: true }, 'New app']);
    expect(ifMatch).toBeTruthy();
    await user.click(toasts().getByRole('button', { name: 'Undo' }));
    await toasts().findByText('Undone: anna is as it was before.');
    expect((await saved()).hls).toBe(false);
  });

  it('is not turned on over the change of someone else, which the dialog then takes in', async () => {
    const { user, saved, service } = await openPane({ own: noFormat });
    await user.click(button('Turn on MPEG-TS…'));
    const asking = await dialog('Turn on MPEG-TS for anna?');
    await service.updateSubscriber({ params: { id: 1 }, body: { countries: ['GR'] } });
    await user.click(asking.getByRole('button', { name: 'Turn on MPEG-TS' }));
    await asking.findByText(/^The change wasn’t saved: someone changed this subscriber/);
    await screen.findByText(/^Limited to: Greece;/);
    await user.click(asking.getByRole('button', { name: 'Turn on MPEG-TS' }));
    await toasts().findByText('MPEG-TS is on for anna.');
    expect(await saved()).toMatchObject({ mpegTs: true, countries: ['GR'] });
  });
});
