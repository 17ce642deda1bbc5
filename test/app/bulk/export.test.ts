import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it, onTestFinished, test, vi } from 'vitest';
import { createRowCounter } from '../../../src/app/api/files.tsx';
import { nameSampleBundles } from '../../../src/bff/bundles/bundles.ts';
import { journalRows } from '../../support/app/activity.ts';
import { openDesk, type DeskOptions } from '../../support/app/desk.ts';
import { catchFiles } from '../../support/app/files.ts';
import { shows } from '../../support/app/list.ts';
import { cutNetwork, holdAnswers } from '../../support/app/network.ts';
import { appears, dialog, disappears, openApp, renderApp } from '../../support/app/page.tsx';
import { saveView } from '../../support/app/views.ts';
import { anna, crowd } from '../../support/people.ts';

async function openExport(address = '/subscribers', options: DeskOptions = {}) {
  const page = await openApp(address, { people: [anna, ...crowd(3)], ...options });
  await page.user.click(await appears('button', /^Export…/));
  return page;
}

const textOf = async (blob: Blob | undefined) =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(await blob?.arrayBuffer());

describe('the export of the list', () => {
  it('saves all subscribers that match the filters as a file, in the zone of the browser', async () => {
    const files = catchFiles();
    const { user } = await openExport('/subscribers?trial=true');
    const asking = await dialog('Export 1 subscriber');
    asking.getByText('Filters: trial.');
    await user.click(asking.getByRole('button', { name: 'Export' }));
    await screen.findByText('1 subscriber exported.');
    await disappears('dialog', /^Export/);
    expect(files.map(({ name }) => name)).toEqual(['subscribers-trial-2026-06-01.csv']);
    expect((await textOf(files[0]?.blob)).replace(/(?<="v[01]{12}-)[0-9a-z]+/, '…')).toBe(
      '\uFEFF"ID","Username","Email","Status","Status ID","Expires (Europe/Oslo)","Trial","Connection limit","HLS","MPEG-TS","Note","Version"\r\n' +
        '"1","anna","anna@example.com","Active","1","2026-12-31T23:00:00+01:00","true","3","true","true","Calls on Mondays.","v111111110000-…"\r\n',
    );
  });

  it('has no choice of one zone where the browser’s is UTC', async () => {
    vi.stubEnv('TZ', 'UTC');
    await openExport();
    const asking = await dialog('Export 4 subscribers');
    asking.getByRole('group', { name: 'Format' });
    expect(asking.queryByRole('group', { name: 'Times in' })).toBeNull();
  });

  it('has the columns of the table, the format, the lists and the order that were chosen', async () => {
    localStorage.setItem('hidden-columns', 'email status expires connections formats');
    const files = catchFiles();
    const { user } = await openExport('/subscribers?sort=username_desc');
    const asking = await dialog('Export 4 subscribers');
    asking.getByText('All subscribers, without a filter.');
    await user.click(asking.getByRole('radio', { name: 'As in the table' }));
    await user.click(asking.getByRole('radio', { name: 'JSON lines' }));
    await user.click(asking.getByRole('radio', { name: 'UTC' }));
    await user.click(asking.getByRole('checkbox', { name: /^Add bundles/ }));
    await user.click(asking.getByRole('button', { name: 'Export' }));
    await screen.findByText('4 subscribers exported.');
    expect(files[0]?.name).toBe('subscribers-2026-06-01.jsonl');
    const lines = (await textOf(files[0]?.blob)).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).username)).toEqual(['p003', 'p002', 'p001', 'anna']);
    expect(Object.keys(JSON.parse(lines[3] ?? ''))).toEqual([
      'username',
      'isTrial',
      'bundles',
      'ipAddresses',
      'userAgents',
      'countries',
      'version',
    ]);
  });

  it('has names of bundles instead of numbers for who chooses them', async () => {
    const files = catchFiles();
    const { db } = await openDesk({ people: [anna] });
    await nameSampleBundles(db);
    const { user } = renderApp('/subscribers');
    await user.click(await appears('button', /^Export…/));
    const asking = await dialog('Export 1 subscriber');
    const names = 'Write the names of bundles instead of their numbers';
    expect(asking.queryByRole('checkbox', { name: names })).toBeNull();
    await user.click(asking.getByRole('checkbox', { name: /^Add bundles/ }));
    await user.click(asking.getByRole('checkbox', { name: names }));
    await user.click(asking.getByRole('button', { name: 'Export' }));
    await screen.findByText('1 subscriber exported.');
    expect(await textOf(files[0]?.blob)).toContain('"Classic Cinema;Documentaries"');
  });

  it('has the columns that somebody chooses, which can be saved with the view, in a file without what was typed', async () => {
    const files = catchFiles();
    const page = await openApp('/subscribers?username=anna&trial=true', { people: [anna] });
    const { user } = page;
    await shows('anna');
    await saveView(page, 'Annas');
    await appears('button', 'Manage views');
    await user.click(await appears('button', /^Export…/));
    const asking = await dialog('Export 1 subscriber');
    await user.click(asking.getByRole('radio', { name: 'Choose' }));
    for (const name of [
      'ID',
      'Status',
      'Expires',
      'Trial',
      'Connection limit',
      'HLS',
      'MPEG-TS',
      'Note',
      'Version',
    ])
      await user.click(asking.getByRole('checkbox', { name, checked: true }));
    await user.click(asking.getByRole('checkbox', { name: 'Save these columns with view “Annas”' }));
    await user.click(asking.getByRole('button', { name: 'Export' }));
    await screen.findByText('1 subscriber exported.');
    expect(files[0]?.name).toBe('subscribers-trial-search-2026-06-01.csv');
    expect(await textOf(files[0]?.blob)).toBe('\uFEFF"Username","Email"\r\n"anna","anna@example.com"\r\n');
    await disappears('dialog', /^Export/);
    await user.click(screen.getByRole('button', { name: /^Export…/ }));
    const again = await dialog('Export 1 subscriber');
    again.getByRole('radio', { name: 'Choose', checked: true });
    expect(again.getAllByRole('checkbox', { checked: true })).toHaveLength(2);
  });

  it('has access tokens only for a reason, and is an entry under Activity', async () => {
    const files = catchFiles();
    const { user, goTo, people } = await openExport(
      '/subscribers?username=anna&expiresFrom=-1d&expiresTo=9000d',
    );
    const asking = await dialog('Export 1 subscriber');
    await user.click(asking.getByRole('checkbox', { name: 'Add access tokens' }));
    const button = asking.getByRole('button', { name: 'Export' });
    expect(button.title).toBe('Say why you need the access tokens.');
    await user.type(asking.getByRole('textbox', { name: 'Reason' }), 'Moving');
    await user.click(button);
    await screen.findByText('1 subscriber exported.');
    expect(await textOf(files[0]?.blob)).toContain(`"${people[0]?.accessToken}"`);
    goTo('/activity');
    await waitFor(() =>
      expect(journalRows()[0]?.slice(1)).toEqual([
        'Kari',
        'Subscribers exported',
        '',
        '1 subscriber, filtered by username and expiry, with access tokens. “Moving”',
        'Done',
      ]),
    );
  });

  it('can be cancelled, and then saves nothing', async () => {
    const files = catchFiles();
    const { user, requested: sent } = await openExport();
    const answer = holdAnswers(/\/bff\/export/);
    const asking = await dialog('Export 4 subscribers');
    await user.click(asking.getByRole('button', { name: 'Export' }));
    await asking.findByRole('progressbar', { name: 'Subscribers exported' });
    await user.click(asking.getByRole('button', { name: 'Cancel' }));
    await disappears('dialog', /^Export/);
    answer.release();
    expect(sent(/\/bff\/export/)).toHaveLength(1);
    expect(files).toEqual([]);
  });

  it('saves nothing if it fails, says why, and can be tried again', async () => {
    const files = catchFiles();
    const { user } = await openExport();
    const mend = cutNetwork(/\/bff\/export/);
    const asking = await dialog('Export 4 subscribers');
    await user.click(asking.getByRole('button', { name: 'Export' }));
    await asking.findByText(/^Nothing was saved\. No answer from Subscriber Desk/);
    mend();
    await user.click(asking.getByRole('button', { name: 'Export' }));
    await screen.findByText('4 subscribers exported.');
    expect(files).toHaveLength(1);
  });

  it('saves nothing if it is cut off in the middle', async () => {
    const files = catchFiles();
    const { user, upstream } = await openExport('/subscribers', {
      samples: 500,
      wait: async () => undefined,
    });
    upstream.operation = ({ url }, next) =>
      url.includes('AfterId=400') ? new Response(null, { status: 500 }) : next();
    const asking = await dialog('Export 504 subscribers');
    await user.click(asking.getByRole('button', { name: 'Export' }));
    await asking.findByText('Nothing was saved. The file was cut off before its end. Try again.');
    expect(files).toEqual([]);
  });

  it('goes to a file that the person chooses, where the browser can, and takes its place only when it is whole', async () => {
    const written: BlobPart[] = [];
    const ends: string[] = [];
    const handle = {
      createWritable: async () =>
        new WritableStream<Uint8Array<ArrayBuffer>>({
          write: (bytes) => void written.push(bytes),
          close: () => void ends.push('closed'),
          abort: () => void ends.push('aborted'),
        }),
      getFile: async () => new File([], 'empty'),
      remove: async () => void ends.push('removed'),
    };
    const chosen = Object.assign(window, {
      showSaveFilePicker: async ({ suggestedName }: { suggestedName: string }) => {
        ends.push(suggestedName);
        return handle;
      },
    });
    onTestFinished(() => void Reflect.deleteProperty(chosen, 'showSaveFilePicker'));
    const { user } = await openExport();
    const asking = await dialog('Export 4 subscribers');
    const mend = cutNetwork(/\/bff\/export/);
    await user.click(asking.getByRole('button', { name: 'Export' }));
    await asking.findByText(/^Nothing was saved\./);
    expect(ends).toEqual(['subscribers-2026-06-01.csv', 'aborted', 'removed']);
    mend();
    await user.click(asking.getByRole('button', { name: 'Export' }));
    await screen.findByText('4 subscribers exported.');
    expect(ends.slice(3)).toEqual(['subscribers-2026-06-01.csv', 'closed']);
    expect(await textOf(new Blob(written))).toContain('"p003"');
  });

  it.each(['viewer', 'support'] as const)('is not there for a %s', async (role) => {
    await openApp('/subscribers', { people: [anna], role });
    await shows('anna');
    expect(screen.queryByRole('button', { name: /^Export/ })).toBeNull();
  });

  it('opens with Shift and E, and from the palette', async () => {
    const { user } = await openApp('/subscribers', { people: [anna] });
    await shows('anna');
    await appears('button', /^Export…/);
    await user.keyboard('{Shift>}E{/Shift}');
    await dialog('Export 1 subscriber');
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    await disappears('dialog', /^Export/);
    await user.keyboard('{Control>}k{/Control}');
    await user.keyboard('export subscribers{Enter}');
    await dialog('Export 1 subscriber');
  });
});

test.each([
  ['csv', '"a","b"\r\n"1","x\ny"\r\n"2","say ""hi""\r\n"\r\n', 2],
  ['csv', '', 0],
  ['jsonl', '{"a":"\\"\\n"}\n{}\n', 2],
] as const)('rows of %s are counted, whatever their cells contain: %j', (format, text, rows) => {
  const counter = createRowCounter(format);
  for (const byte of new TextEncoder().encode(text)) counter.add(Uint8Array.of(byte));
  expect(counter.count()).toBe(rows);
});
