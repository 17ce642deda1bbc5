import { describe, expect, it } from 'vitest';
import {
  codeOf,
  createBrowser,
  day,
  nameIn,
  newKey,
  noteOf,
  openTab,
  readWhole,
  saveNote,
} from '../support/demo/tab.ts';

/** Two tabs, of which the first has the backend, and closes while the backend does something for the second. */
async function openTwo() {
  const browser = createBrowser();
  const first = await openTab({}, { browser });
  const tab = await openTab({ role: 'support' }, { browser });
  const closeFirst = () => browser.openNext();
  /** Closes it before or after the backend has done the next call of this name, without an answer. */
  const closeFirstAt = (when: 'before' | 'after', name: 'fetch' | 'moveClock') => {
    const calls = browser.backend?.calls;
    const work = calls?.[name] as (...given: readonly unknown[]) => Promise<unknown>;
    Object.assign(calls ?? {}, {
      async [name](...given: readonly unknown[]) {
        if (when === 'after') await work(...given);
        await closeFirst();
        return new Promise(() => undefined);
      },
    });
  };
  return { first, tab, closeFirst, closeFirstAt };
}

describe('a tab beside the one with the backend', () => {
  it('shows what the other does, as somebody else', async () => {
    const { first, tab } = await openTwo();
    await saveNote(first, 'From the first.');
    expect(await noteOf(tab)).toBe('From the first.');
    expect(await Promise.all([first, tab].map(nameIn))).toEqual(['Marit', 'Ingrid']);
  });

  it('meets faults of its own', async () => {
    const { first, tab } = await openTwo();
    tab.turn('down', true);
    expect(await codeOf(readWhole(tab))).toBe('upstream-unreachable');
    expect(await codeOf(readWhole(first))).toBe('done');
  });

  it('has the clock of the other', async () => {
    const { first, tab } = await openTwo();
    const began = Date.now();
    await first.moveClock(7);
    await expect.poll(() => tab.state.get().days).toBe(7);
    expect(Math.round((Date.now() - began) / day)).toBe(7);
  });

  it('reads an answer of many pieces', async () => {
    const tab = await openTab({ data: '2000' });
    const { data } = await tab.bff.exportSubscribers({ query: { format: 'jsonl', counted: true } });
    const lines = (await data.text()).split('\n').filter((line) => line.startsWith('{"id"'));
    expect(lines).toHaveLength(2000);
  });
});

describe('the first tab closes, and the second', () => {
  it('has all that was answered', async () => {
    const { first, tab, closeFirst } = await openTwo();
    await saveNote(first, 'The last one.');
    await closeFirst();
    expect(await noteOf(tab)).toBe('The last one.');
    expect(await nameIn(tab)).toBe('Ingrid');
  });

  it.each(['before', 'after'] as const)('makes a change once that it was closed %s', async (when) => {
    const { tab, closeFirstAt } = await openTwo();
    const key = newKey();
    closeFirstAt(when, 'fetch');
    expect(await codeOf(saveNote(tab, 'Once.', key))).toBe('unreachable');
    await saveNote(tab, 'Once.', key);
    expect(await noteOf(tab)).toBe('Once.');
    const { items } = (await tab.bff.listActivity({ query: { subscriberId: 1 } })).data;
    expect(items.map(({ outcome }) => outcome)).toEqual(['done']);
  });

  it('moves the clock once, and stays signed in', async () => {
    const { tab, closeFirstAt } = await openTwo();
    closeFirstAt('after', 'moveClock');
    await tab.moveClock(7);
    expect(tab.state.get().days).toBe(7);
    expect(await nameIn(tab)).toBe('Ingrid');
  });

  it('reads again what was being read', async () => {
    const { tab, closeFirstAt } = await openTwo();
    closeFirstAt('before', 'fetch');
    expect((await readWhole(tab)).data.id).toBe(1);
  });
});
