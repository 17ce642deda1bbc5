import { screen, within } from '@testing-library/react';
import type { SubscriberInput } from '../../../src/contract/service/subscriber-input.ts';
import { anna } from '../people.ts';
import type { DeskOptions } from './desk.ts';
import { openApp } from './page.tsx';

/** The pane of a subscriber, as soon as it is open. */
export const pane = async (username: string) =>
  within(await screen.findByRole('complementary', { name: username }));

/** Opens the pane of anna and waits for all of it; `own` are values instead of hers. */
export async function openPane({ own, ...options }: DeskOptions & { own?: Partial<SubscriberInput> } = {}) {
  const page = await openApp('/subscribers/1', { people: [{ ...anna, ...own }], ...options });
  const shown = await pane('anna');
  await shown.findByText('Norway');
  return { ...page, shown };
}

/** Facts of the open pane about a subscriber, by their names. */
export function details(): Record<string, string> {
  const shown = within(screen.getByRole('complementary'));
  const texts = (role: string) => shown.getAllByRole(role).map((element) => textOf(element));
  const definitions = texts('definition');
  return Object.fromEntries(texts('term').map((term, index) => [term, definitions[index] ?? '']));
}

/** The values of a list apart from each other, where an element holds one; without the buttons beside them. */
function textOf(shown: HTMLElement): string {
  const element = shown.cloneNode(true) as HTMLElement;
  for (const button of element.querySelectorAll('button, [role=status], [hidden]')) button.remove();
  const values = within(element).queryAllByRole('listitem');
  return values.length > 0
    ? values.flatMap(({ textContent }) => textContent || []).join(' | ')
    : element.textContent;
}

/** The token as the card shows it. */
export const shownToken = () =>
  within(screen.getByRole('region', { name: 'Access token' })).getByRole('code').textContent;
