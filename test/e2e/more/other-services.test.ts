import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { createRestService, restUpstream } from '../../support/bff/rest-service.ts';
import { createStrictService, strictUpstream } from '../../support/bff/strict-service.ts';
import { openPage } from '../../support/e2e/browser.ts';
import { openBefore } from '../../support/e2e/deployments.ts';
import { signIn } from '../../support/e2e/sign-in.ts';

const filled = { count: 260, now: Date.now };

/** Each with how the address of a regeneration ends. */
const services = {
  rest: { ...createRestService(filled), upstreamOf: restUpstream, regenerate: 'regenerate-token' },
  strict: { ...createStrictService(filled), upstreamOf: strictUpstream, regenerate: 'token' },
};

test.each(['rest', 'strict'] as const)(
  'each operation works in the browser with a service that is not ours, and changes it once: %s',
  async (kind) => {
    const { rows, fetch, upstreamOf, regenerate } = services[kind];
    const changes: string[] = [];
    const recorded = async (request: Request) => {
      const { method, url } = request;
      if (method !== 'GET' && !url.endsWith('/oauth/token'))
        changes.push(`${method} ${/subscribers.*$/.exec(url)?.[0]}`);
      return fetch(request);
    };
    const server = await openBefore(recorded, upstreamOf(recorded));
    const { page, complaints } = await openPage();
    const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
    const field = (name: string) => page.getByLabel(name, { exact: true });
    const pane = page.getByRole('complementary', { name: 'berit' });
    const find = page.getByRole('searchbox', { name: 'Find subscribers' });
    const says = (text: string | RegExp) => page.getByText(text).first().waitFor();
    const named = (name: string) => [...rows.values()].filter(({ username }) => username === name);

    await signIn(page, server);
    await says('1–25 of 260');
    await button('Next page').click();
    await says('26–50 of 260');
    await find.fill('user25');
    await says('1–11 of 11');

    await page.getByRole('link', { name: 'New subscriber' }).click();
    await field('Username').fill('berit');
    await field('Email').fill('berit@example.com');
    await button('+1 month').click();
    await field('Note').fill('Called.');
    await button('Create subscriber').click();
    await pane.getByText('Called.').waitFor();
    expect(named('berit')).toMatchObject([{ id: 261, note: 'Called.' }]);

    await pane.getByRole('link', { name: 'Edit' }).click();
    await field('Note').fill('Moved.');
    Object.assign(rows.get(261) ?? {}, { email: 'theirs@example.com' });
    await button('Save changes').click();
    const conflict = page.getByRole('dialog', { name: 'Someone else changed berit' });
    await conflict.getByRole('button', { name: 'Save merged version' }).click();
    await says('Changes to berit were saved.');
    expect(named('berit')).toMatchObject([{ email: 'theirs@example.com', note: 'Moved.' }]);
    const expiry = rows.get(261)?.expiresAt;
    await button(/^\+7 days/).click();
    await says(/^berit now expires on /);
    expect(rows.get(261)).toMatchObject({
      expiresAt: expect.not.stringMatching(`${expiry}`),
      note: 'Moved.',
    });

    const old = rows.get(261)?.accessToken ?? '';
    await button('Regenerate token…').click();
    await button('Regenerate token').click();
    await button('Done').click();
    await button('Close').click();
    await find.fill(old);
    await says(/^This token was replaced by /);
    await find.fill(rows.get(261)?.accessToken ?? '');
    await pane.waitFor();

    await button('Delete…').click();
    await button('Delete subscriber').click();
    await says('berit was deleted.');
    expect(named('berit')).toEqual([]);
    await button('Undo').last().click();
    await expect.poll(() => named('berit')).toMatchObject([{ id: 262, note: 'Moved.' }]);

    await page.goto(`${server.url}/subscribers`);
    await button(/^Export…/).click();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('dialog').getByRole('button', { name: 'Export', exact: true }).click(),
    ]);
    const ids = (await readFile(await file.path(), 'utf8')).match(/(?<=\r\n)"\d+"/g) ?? [];
    expect(ids.map((id) => Number(JSON.parse(id))).toSorted((a, b) => a - b)).toEqual(
      [...rows.keys()].toSorted((a, b) => a - b),
    );
    expect(changes).toEqual([
      'POST subscribers',
      'PUT subscribers/261',
      'PUT subscribers/261',
      `POST subscribers/261/${regenerate}`,
      'DELETE subscribers/261',
      'POST subscribers',
    ]);
    // The browser writes down each refusal: the conflict, and the token that nobody has any more.
    expect(complaints().filter((line) => !/status of 4(04|12) /.test(line))).toEqual([]);
    await server.stop();
  },
);
