import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { announced, firstShown, shows } from '../../support/app/list.ts';
import { appears, button, hasFocus, link, openApp } from '../../support/app/page.tsx';
import { crowd, person } from '../../support/people.ts';

const people = [...crowd(58), person('anna'), person('annika')];
const heading = () => screen.getByRole('heading', { level: 1 });

/** Collects every sentence that a live region of the page shows from now on; those around it say that it takes long. */
function listen(): string[] {
  const heard: string[] = [];
  new MutationObserver((changes) => {
    for (const { target } of changes) {
      const region = (target instanceof Element ? target : target.parentElement)?.closest(
        'main [role=status]',
      );
      if (region?.textContent) heard.push(region.textContent);
    }
  }).observe(document.body, { subtree: true, childList: true, characterData: true });
  return heard;
}

test('screen readers hear the count after filtering and the page after paging, once each', async () => {
  const { user, cache } = await openApp('/subscribers?pageSize=20', { people });
  await firstShown('p001');
  await waitFor(() => expect(announced()).toContain('60 subscribers.'));
  const heard = listen();
  await user.click(button('Next page'));
  await firstShown('p021');
  await user.click(button('Next page'));
  await firstShown('p041');
  await cache.invalidateQueries();
  await user.type(screen.getByRole('searchbox'), 'ann');
  await shows('anna', 'annika');
  await cache.invalidateQueries();
  expect(heard).toEqual(['Page 2 of 3.', 'Page 3 of 3.', '2 subscribers.']);
});

test('the heading of a screen gets the focus after another screen, also where none is found', async () => {
  const { user, goBack, goTo } = await openApp('/subscribers', { people });
  await firstShown('p001');
  expect(document.activeElement).toBe(document.body);
  await user.click(await appears('link', 'Staff'));
  await hasFocus(() => screen.getByRole('heading', { name: /^Staff/ }));
  expect(document.title).toBe('Staff · Subscriber Desk');
  await user.click(link('Subscribers'));
  await firstShown('p001');
  await hasFocus(heading);
  goBack();
  await hasFocus(() => screen.getByRole('heading', { name: /^Staff/ }));
  goTo('/nothing');
  await hasFocus(() => screen.getByRole('heading', { name: 'Page not found' }));
  expect(document.title).toBe('Page not found · Subscriber Desk');
});
