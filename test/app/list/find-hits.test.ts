import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it, test } from 'vitest';
import { findBox as box, shows } from '../../support/app/list.ts';
import { appears, openApp } from '../../support/app/page.tsx';
import { person } from '../../support/people.ts';

test('the text that the list is filtered by is marked in the rows, without regard to accents', async () => {
  const accents = [
    person('José.Hansen', { email: 'jh@example.com' }),
    person('josef'),
    person('other', { email: 'hans@example.com' }),
  ];
  const { user } = await openApp('/subscribers', { people: accents });
  const marks = () => [...document.querySelectorAll('td mark, th a mark')].map((mark) => mark.textContent);
  await shows('José.Hansen', 'josef', 'other');
  expect(marks()).toEqual([]);
  await user.type(box(), 'JOSE hans');
  await shows('José.Hansen');
  await waitFor(() => expect(marks()).toEqual(['José', 'Hans']));
  await user.clear(box());
  await user.type(box(), 'HANS');
  await shows('José.Hansen');
  await user.keyboard('{Shift>}{Enter}{/Shift}');
  await shows('other');
  await waitFor(() => expect(marks()).toContain('hans'));
});

describe('the line of counts below the find box', () => {
  const mixed = [
    person('anna', { email: 'a@example.com' }),
    person('bjarne', { email: 'anna.b@example.com' }),
    person('carl', { email: 'annette@example.com' }),
    person('dora', { email: 'zz@example.com' }),
  ];

  it('has the usernames and the emails, and one key shows the others', async () => {
    const { user, address } = await openApp('/subscribers', { people: mixed });
    await shows('anna', 'bjarne', 'carl', 'dora');
    await user.type(box(), 'ann');
    await shows('anna');
    await screen.findByText('1 username');
    await appears('button', /^2 emails/);
    await user.keyboard('{Shift>}{Enter}{/Shift}');
    await shows('bjarne', 'carl');
    expect(address()).toBe('/subscribers?email=ann');
    expect(box().value).toBe('ann');
    await screen.findByText('2 emails');
    await user.click(await appears('button', /^1 username/));
    await shows('anna');
    expect(document.activeElement).toBe(box());
  });

  it('leads to the emails by itself where no username has the text', async () => {
    const { user, address } = await openApp('/subscribers', { people: mixed });
    await shows('anna', 'bjarne', 'carl', 'dora');
    await user.type(box(), 'zz{Enter}');
    await appears('complementary', 'dora');
    expect(address()).toBe('/subscribers/4?email=zz');
  });
});

describe('Enter', () => {
  const alike = [
    person('joann', { email: 'joann@example.com' }),
    person('Ánn', { email: 'a.n@example.com' }),
    person('Ann', { email: 'ann@example.com' }),
  ];

  it.each(['ann', 'ann@example.com', 'ann at example dot com'])(
    'opens the one who is called “%s”, not one before whose name only has it in it',
    async (typed) => {
      const { user } = await openApp('/subscribers', { people: alike });
      await shows('joann', 'Ánn', 'Ann');
      await user.type(box(), `${typed}{Enter}`);
      await appears('complementary', 'Ann');
    },
  );
});
