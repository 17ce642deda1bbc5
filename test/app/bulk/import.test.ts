import { fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, it, test } from 'vitest';
import { errorsOf } from '../../../src/app/bulk/save-rows.tsx';
import { catchFiles } from '../../support/app/files.ts';
import { holdAnswers, loseAnswers, refuseWith } from '../../support/app/network.ts';
import { panel } from '../../support/app/jobs.ts';
import { appears, button, dialog, disappears, openApp, type Page } from '../../support/app/page.tsx';
import type { DeskOptions } from '../../support/app/desk.ts';
import { anna, crowd, person } from '../../support/people.ts';

const fileOf = (...lines: string[]) => new File([lines.join('\r\n')], 'people.csv', { type: 'text/csv' });

/** Opens the page, and chooses a file. */
async function chooseFile(file: File, options: DeskOptions = {}) {
  const page = await openApp('/jobs/import', options);
  await choose(page, file);
  return page;
}

const choose = async ({ user }: Pick<Page, 'user'>, file: File) =>
  user.upload(await screen.findByLabelText('File'), file);

/** Drops files beside what is on the page; without files, a text. */
function drop(...files: File[]): 'kept on the page' | 'left to the browser' {
  const dataTransfer = { files, types: files.length > 0 ? ['Files'] : ['text/plain'] };
  const { body } = document;
  const isLeft = [fireEvent.dragOver(body, { dataTransfer }), fireEvent.drop(body, { dataTransfer })];
  return isLeft.includes(true) ? 'left to the browser' : 'kept on the page';
}

const text = 'Username,Note\r\nblå,"one, ""two""\r\nthree"\r\n';

function utf16(characters: string, isLittle: boolean) {
  const bytes = new DataView(new ArrayBuffer(characters.length * 2));
  for (let index = 0; index < characters.length; index += 1)
    bytes.setUint16(index * 2, characters.charCodeAt(index), isLittle);
  return bytes;
}

const purposes = async () => {
  const selects = within(await appears('table', 'Columns of the file')).getAllByRole<HTMLSelectElement>(
    'combobox',
  );
  return selects.map((select) => select.selectedOptions[0]?.text);
};
const all = async ({ service }: Pick<Page, 'service'>) =>
  (await service.listSubscribers({ query: {} })).data.items;

describe('an import', () => {
  it('shows the file, then what it would change, and creates and changes subscribers', async () => {
    const page = await chooseFile(
      fileOf(
        'Username;Email;Expires;Note;Colour',
        'anna;;1.1.2027 12:00;-;red',
        'bo;bo@example.com;1.2.2027;"Says ""hi""";blue',
        'cy;cy@example.com;2027-01-01 12:00;;',
        'dee;dee@example.com;2027-01-01 12:00;;',
      ),
      { people: [anna] },
    );
    const { user } = page;
    await screen.findByText(/: 4 rows, 5 columns/);
    expect(await purposes()).toEqual(['Username', 'Email', 'Expires', 'Note', 'Not read']);
    screen.getByRole('cell', { name: 'Says "hi"' });
    expect(
      screen.getByRole<HTMLInputElement>('radio', { name: 'Update or create by username' }).checked,
    ).toBe(true);
    expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Time zone' }).value).toBe('Europe/Oslo');
    await user.type(screen.getByRole('textbox', { name: 'Reason (optional)' }), 'New season');
    await user.click(button('Preview'));
    await appears('heading', 'Import 4 subscribers');
    await screen.findByText(/will be imported: 3 new, 1 edited\./);
    screen.getByText('Expires: “1.1.2027 12:00” is read as 2027-01-01 12:00.');
    // A day without a time ends at its end.
    screen.getByText('New expiry: between 1 Jan 2027, 12:00 and 1 Feb 2027, 23:59');
    expect((await all(page)).length).toBe(1);
    screen.getByText(/“New season”/);
    const rows = await appears('table', 'Subscribers of this job');
    await within(rows).findByText('Row 2');
    expect(within(rows).getAllByText('New')).toHaveLength(3);
    await user.click(button('Start with the first 3'));
    await user.click(await appears('button', 'Continue with the other 1'));
    await screen.findByText('Done. 4 imported.', { selector: 'section p' });
    const found = await all(page);
    expect(found[0]).toMatchObject({ note: '', email: anna.email, expiresAt: '2027-01-01T11:00:00.000Z' });
    expect(found.find(({ username }) => username === 'bo')).toMatchObject({ note: 'Says "hi"' });
  });

  it('skips what somebody changed since the export, and imports it if that is pressed', async () => {
    const page = await chooseFile(fileOf('ID,Note,Version', '1,Old file.,v000001000000-0'), {
      people: [anna],
    });
    screen.getByText('Rows that someone changed since the export are skipped.');
    await page.user.click(button('Preview'));
    await screen.findByText('1 row of the file won’t be imported: 1 changed since the export');
    await page.user.click(button('Import these anyway'));
    await page.user.click(await appears('button', 'Import 1 subscriber'));
    await screen.findByText('Done. 1 imported.', { selector: 'section p' });
    expect(await all(page)).toMatchObject([{ note: 'Old file.' }]);
  });

  it('says which rows have errors, and gives them back to be corrected', async () => {
    const files = catchFiles();
    const head = 'ID,Email,HLS,Note,Access token';
    const page = await chooseFile(
      fileOf(head, '1,anna,maybe,,t0p', "2,bo,,'=1+1,t1p", '2,bo@example.com,,-,t2p', '9,,,x,t9p', '1,,,Ok,'),
      { people: crowd(2) },
    );
    const { user } = page;
    expect(await purposes()).toEqual(['ID', 'Email', 'HLS', 'Note', 'Not read']);
    expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Update by ID' }).checked).toBe(true);
    screen.getByText('Access tokens can only be regenerated.');
    expect(screen.queryByText('t0p')).toBeNull();
    await user.click(button('Preview'));
    await appears('heading', 'Import 1 subscriber');
    await screen.findByText('4 rows of the file won’t be imported: 3 with errors, 1 not found');
    await user.click(button('Skipped 4'));
    const rows = within(await appears('table', 'Subscribers of this job'));
    await rows.findByText('HLS: Use true or false.');
    await rows.findByText('Email: Enter a full address, such as name@example.com.');
    await rows.findByText('This subscriber is in row 3, too. Remove one of them.');
    await user.click(button('Download rows with errors'));
    await screen.findByText('3 rows saved.');
    const [file] = files;
    expect(file?.name).toMatch(/^errors-.*\.csv$/);
    expect(await file?.blob?.text()).toBe(
      [
        '"ID","Email","HLS","Note","Access token","error"',
        '"1","anna","maybe","","","HLS: Use true or false."',
        `"2","bo","","'=1+1","","Email: Enter a full address, such as name@example.com."`,
        '"2","bo@example.com","","-","","This subscriber is in row 3, too. Remove one of them."',
        '',
      ].join('\r\n'),
    );
  });

  it('reads JSON lines, and says which lines it can’t read', async () => {
    const files = catchFiles();
    const lines = ['{"id":1,"note":"","status":1}', '{"id":', '{"id":9,"note":{}}', '{"id":2,"note":"Hi"}'];
    const file = new File([lines.join('\n')], 'people.jsonl', { type: 'application/jsonl' });
    const page = await chooseFile(file, { people: [anna, person('bo')] });
    const { user } = page;
    await screen.findByText(/: 4 rows, 3 columns/);
    expect(await purposes()).toEqual(['ID', 'Note', 'Not read']);
    screen.getByText(/^A value that is missing or null keeps what is there\./);
    await user.click(button('Preview'));
    await appears('heading', 'Import 2 subscribers');
    await user.click(await appears('button', 'Skipped 2'));
    const rows = within(await appears('table', 'Subscribers of this job'));
    await rows.findByText(/^Line 2 isn’t JSON\./);
    rows.getByText('“note” has a list or an object that can’t be read here.');
    expect(rows.getAllByText(/^Row \d$/).map(({ textContent }) => textContent)).toEqual(['Row 2', 'Row 3']);
    await user.click(button('Download rows with errors'));
    await screen.findByText('2 rows saved.');
    expect(await files[0]?.blob?.text()).toMatch(/\r\n"","","","Line 2 isn’t JSON\./);
    await user.click(button('Import 2 subscribers'));
    await screen.findByText(/^Done\. 2 imported/, { selector: 'section p' });
    expect(await all(page)).toMatchObject([{ note: '' }, { note: 'Hi' }]);
  });

  it('lets people say what the columns are for, and what is missing', async () => {
    const page = await chooseFile(fileOf('Kunde,E-post,Nr', 'bo,bo@example.com,1'));
    const { user } = page;
    expect(await purposes()).toEqual(['Not read', 'Not read', 'Not read']);
    await screen.findByText('Choose which column is for “Username”.', { selector: 'p' });
    const select = (name: string) => screen.getByRole('combobox', { name: `What “${name}” is for` });
    await user.selectOptions(select('Kunde'), 'Username');
    await user.selectOptions(select('E-post'), 'Username');
    await screen.findByText('Two columns are for “Username”. Choose one of them.', { selector: 'p' });
    await user.click(button('Preview'));
    await user.selectOptions(select('E-post'), 'Email');
    await user.click(screen.getByRole('radio', { name: 'Update by ID' }));
    await screen.findByText('Choose which column is for “ID”.', { selector: 'p' });
    await user.selectOptions(select('Nr'), 'ID');
    await user.click(button('Preview'));
    await appears('heading', 'Import 1 subscriber');
    const { body } = await page.sent(/POST .*imports.*job/);
    expect(body).toMatchObject({ mode: 'update', columns: ['username', 'email', 'id'] });
  });

  it('asks before it is left, once somebody has said what a column is for', async () => {
    const { user, goTo, address } = await chooseFile(fileOf('Kunde,E-post', 'bo,bo@example.com'));
    const select = await appears('combobox', 'What “Kunde” is for');
    await user.selectOptions(select, 'Username');
    goTo('/activity');
    const leaving = await dialog('Leave without saving?');
    await user.click(leaving.getByRole('button', { name: 'Keep editing' }));
    expect(address()).toBe('/jobs/import');
    expect(await purposes()).toEqual(['Username', 'Not read']);
  });

  it('sends a large file in parts, and those again whose answers were lost', async () => {
    const lines = crowd(1200).map(
      ({ username, email }) => `${username},${email},2027-01-01,${'x'.repeat(90)}`,
    );
    loseAnswers(/PUT .*text/, 2);
    const { user, requested } = await chooseFile(fileOf('username,email,expires,note', ...lines));
    await screen.findByText(/: 1,200 rows/);
    // Two whose answers were lost, and three of at most 64 KiB.
    expect(requested(/PUT .*text/)).toHaveLength(5);
    await user.click(button('Preview'));
    await appears('region', 'Preview');
    await appears('heading', 'Import 1,200 subscribers');
    await screen.findByText(/will be created\./);
  });

  it('warns of subscribers who will be expired or have no format, also of new ones, and leaves them out', async () => {
    const { user } = await chooseFile(
      fileOf(
        'username,email,expires,hls,mpeg-ts',
        'bo,bo@example.com,2020-01-01,yes,yes',
        'cy,cy@example.com,2027-01-01,no,no',
        'di,di@example.com,2027-01-01,yes,yes',
        'anna,,2020-01-01,,',
      ),
      { people: [anna] },
    );
    await user.click(button('Preview'));
    const shown = await panel('Preview');
    await shown.findByText(/: 3 new, 1 edited/);
    shown.getByText('2 of them will be expired.');
    const without = shown.getByText(/^1 of them has no delivery format/);
    await user.click(within(without).getByRole('button', { name: 'Leave these out' }));
    await shown.findByText(/: 2 new, 1 edited/);
    expect(shown.queryByText(/no delivery format/)).toBeNull();
  });

  it('can be cancelled while the file is sent; then there is no job', async () => {
    await openApp('/jobs/import');
    await screen.findByLabelText('File');
    const text = holdAnswers(/PUT .*text/);
    drop(fileOf('username,email', 'bo,bo@example.com'));
    await appears('progressbar', 'File read');
    fireEvent.click(button('Cancel'));
    await disappears('button', 'Cancel');
    text.release();
    for (const alert of screen.getAllByRole('alert')) expect(alert.textContent).toBe('');
    fireEvent.click(screen.getByRole('link', { name: 'Jobs' }));
    await screen.findByText('No jobs yet');
  });

  it.each([/POST .*imports/, /PUT .*text/])(
    'says what went wrong at %s, and can be tried again',
    async (request) => {
      const page = await openApp('/jobs/import');
      // Sent again as often as without an answer, and with no pause.
      const end = refuseWith(request, 'too-many-requests', { 'Retry-After': '0' });
      const file = fileOf('username,email', 'bo,bo@example.com');
      await choose(page, file);
      await screen.findByText(/^Too many requests/);
      end();
      await choose(page, file);
      await page.user.click(await appears('button', 'Preview'));
      await appears('heading', /^Import/);
    },
  );

  it.each([
    ['UTF-8', [text]],
    ['UTF-8 with a byte order mark', [`\uFEFF${text}`]],
    ['UTF-16 LE', [utf16(`\uFEFF${text}`, true)]],
    ['UTF-16 BE', [utf16(`\uFEFF${text}`, false)]],
  ])('reads a file in %s', async (_, parts) => {
    await chooseFile(new File(parts, 'people.csv'));
    await screen.findByText(/: 1 row, 2 columns/);
    expect(await purposes()).toEqual(['Username', 'Note']);
    screen.getByRole('cell', { name: 'blå' });
  });

  it.each([
    ['is in an old encoding', [new Uint8Array([0x61, 0x0a, 0xe5, 0x0a])], /^This file isn’t in UTF-8/],
    ['is too large', ['a\n', 'b\n'.repeat(25_000_000)], /^This file is larger than 50 MB/],
    ['is empty', [], /^This file is empty/],
  ])('refuses a file that %s', async (_, parts, sentence) => {
    await chooseFile(new File(parts, 'people.csv'));
    await screen.findByText(sentence);
  });

  it('takes a file that is dropped anywhere on the page, with the same checks', async () => {
    await openApp('/jobs/import');
    await screen.findByLabelText('File');
    expect(drop(fileOf('a,b', '1,"2'))).toBe('kept on the page');
    await screen.findByText(/^A quote is not closed in row 2/);
    drop(fileOf('username', 'bo'));
    await screen.findByText(/: 1 row, 1 column/);
    expect(screen.queryByText(/^A quote is not closed/)).toBeNull();
  });

  it('asks for one file if several are dropped, and leaves alone what is no file', async () => {
    await openApp('/jobs/import');
    await screen.findByLabelText('File');
    drop(fileOf('username', 'bo'), fileOf('username', 'cy'));
    await screen.findByText('You dropped 2 files. Drop one at a time.');
    expect(screen.queryByRole('table')).toBeNull();
    expect(drop()).toBe('left to the browser');
    screen.getByText('You dropped 2 files. Drop one at a time.');
  });

  it('does not take another file while it sends one', async () => {
    await openApp('/jobs/import');
    await screen.findByLabelText('File');
    const text = holdAnswers(/PUT .*text/);
    drop(fileOf('username,email', 'bo,bo@example.com'));
    await appears('progressbar', 'File read');
    expect(drop(fileOf('username', 'cy'), fileOf('username', 'cy'))).toBe('kept on the page');
    text.release();
    await screen.findByText(/: 1 row, 2 columns/);
    expect(screen.queryByText(/^You dropped/)).toBeNull();
  });

  it('is reached from the jobs and the palette, by managers', async () => {
    const { user, goBack } = await openApp('/jobs', { people: [person('bo')] });
    await user.click(await appears('link', 'Import…'));
    await appears('heading', 'Import subscribers');
    expect(document.title).toBe('Import subscribers · Subscriber Desk');
    goBack();
    await appears('link', 'Import…');
    await user.keyboard('{Control>}k{/Control}');
    await user.keyboard('import subscribers{Enter}');
    await appears('heading', 'Import subscribers');
  });
});

test('a cell of a downloaded row is neutralized once, and a lone hyphen stays one', () => {
  const row = {
    why: 'invalid-input',
    detail: 'email: Enter an email address.',
    source: ['=1', "'=1", '-', ''],
  } as const;
  const file = { mode: 'update', format: 'csv', headings: ['a', 'b', 'c', 'd', 'e'] } as const;
  const text = errorsOf([{ ...base, ...row, source: [...row.source] }], {
    file: { ...file, headings: [...file.headings] },
  });
  expect(text.split('\r\n')[1]).toBe(`"'=1","'=1","-","","","Email: Enter an email address."`);
});

const base = {
  number: 1,
  subscriberId: 0,
  username: '',
  result: 'skipped',
  before: null,
  after: null,
} as const;
