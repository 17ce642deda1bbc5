import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import axe, { type AxeResults } from 'axe-core';
import { vi } from 'vitest';

/**
 * What these tests ask of a browser, in the words of WebDriver (https://www.w3.org/TR/webdriver2/): the path where
 * WebKit answers to it, and the name under which Firefox does.
 */
export const commands = {
  navigate: ['url', 'WebDriver:Navigate'],
  refresh: ['refresh', 'WebDriver:Refresh'],
  run: ['execute/sync', 'WebDriver:ExecuteScript'],
  runAsync: ['execute/async', 'WebDriver:ExecuteAsyncScript'],
  click: ['element/{id}/click', 'WebDriver:ElementClick'],
  type: ['element/{id}/value', 'WebDriver:ElementSendKeys'],
  act: ['actions', 'WebDriver:PerformActions'],
  resize: ['window/rect', 'WebDriver:SetWindowRect'],
} as const;

export type Command = keyof typeof commands;

/** A browser that was started for a test. */
export interface Driver {
  /** @returns the command's value */
  send: (command: Command, parameters: Readonly<Record<string, unknown>>) => Promise<unknown>;
  close: () => Promise<void>;
}

/** What a test may say of the element that it looks for. */
export type Name = string | RegExp;

/** The keys that have no character, https://www.w3.org/TR/webdriver2/#keyboard-actions. */
export const keys = { control: '\uE009', backspace: '\uE003', escape: '\uE00C' } as const;

const elementKey = 'element-6066-11e4-a52e-4f735466cecf';
const queryLibrary = {
  name: 'TestingLibraryDom',
  // Each script that Firefox runs has a `RegExp` of its own, and the library knows but the one that it came with.
  source: `${readFileSync(
    createRequire(import.meta.url).resolve('@testing-library/dom/dist/@testing-library/dom.umd.min.js'),
    'utf8',
  )}\nTestingLibraryDom.RegExp = RegExp;`,
};

/** Drives a page by what people see and screen readers say: names, roles and texts. */
export function createPage({ send }: Driver) {
  const run = (script: string, ...args: unknown[]) => send('run', { script, args, newSandbox: false });

  /** Runs a script with one of the libraries, which each new page has to be given first. */
  async function runWith(library: { name: string; source: string }, script: string, ...args: unknown[]) {
    if (!(await run(`return '${library.name}' in window`)))
      await run(`${library.source}\nwindow.${library.name} = ${library.name};`);
    return run(script, ...args);
  }

  /** The first element in sight that one of Testing Library's queries finds; null where there is none. */
  async function find(query: 'Role' | 'LabelText', ...[what, name]: [Name, Name?]): Promise<string | null> {
    const texts = [what, name].map((text) => (text instanceof RegExp ? [text.source, text.flags] : text));
    const found = await runWith(
      queryLibrary,
      `const [query, ...texts] = arguments;
       const [what, name] = texts.map((text) => (Array.isArray(text) ? new TestingLibraryDom.RegExp(...text) : text));
       // A modal dialog takes everything else away.
       const within = [...document.querySelectorAll('dialog:modal')].at(-1) ?? document.body;
       return TestingLibraryDom['queryAllBy' + query](within, what, name ? { name } : {})[0] ?? null;`,
      query,
      ...texts,
    );
    return (found as Record<string, string> | null)?.[elementKey] ?? null;
  }

  /** Tries until it works, as a person waits for what is not there yet. */
  const untilDone = <T>(action: () => Promise<T>) => vi.waitFor(action, { timeout: 30_000, interval: 100 });

  const onElement = (
    [query, what, name]: Parameters<typeof find>,
    action: (id: string) => Promise<unknown>,
  ): Promise<void> =>
    untilDone(async () => {
      const id = await find(query, what, name);
      if (id === null) throw new Error(`${what} ${name ?? ''} is not there, but:\n${await shown()}`);
      await action(id);
    });

  const shown = async () => String(await run(`${collectComplaints} return document.body.innerText`));

  return {
    open: (url: string) => send('navigate', { url }),
    reload: () => send('refresh', {}),
    run,
    /** Waits until there is an element of this role and name. */
    sees: (role: string, name: Name) => onElement(['Role', role, name], async () => undefined),
    click: (role: string, name: Name) => onElement(['Role', role, name], (id) => send('click', { id })),
    /** Replaces what the field with this label holds. */
    fill: (label: Name, text: string) =>
      onElement(['LabelText', label], async (id) => {
        await send('type', { id, text: `${keys.control}a` });
        await send('type', { id, text });
      }),
    /** Waits until a text is in sight. */
    reads: (text: Name) =>
      untilDone(async () => {
        const all = await shown();
        if (!(typeof text === 'string' ? all.includes(text) : text.test(all)))
          throw new Error(`${text} is not there, but:\n${all}`);
      }),
    /** Presses keys one after the other and lets go of them in the reverse order. */
    async press(...pressed: string[]): Promise<void> {
      const down = pressed.map((value) => ({ type: 'keyDown', value }));
      const up = pressed.toReversed().map((value) => ({ type: 'keyUp', value }));
      await send('act', { actions: [{ type: 'key', id: 'keyboard', actions: [...down, ...up] }] });
    },
    /** What axe finds in the theme that is shown, as sentences. */
    async accessibilityFaults(): Promise<string[]> {
      await runWith({ name: 'axe', source: axe.source }, 'return 0');
      const script = `const done = arguments[arguments.length - 1];
        axe.run({ resultTypes: ['violations'] }).then(done, (error) => done({ violations: [{ id: String(error), nodes: [] }] }));`;
      const found = await send('runAsync', { script, args: [], newSandbox: false });
      const { violations } = found as AxeResults;
      return violations.map(
        ({ id, help, nodes }) => `${id}: ${help}: ${nodes.map((node) => node.html).join(' | ')}`,
      );
    },
    /** Exceptions, policy reports, errors and warnings since `reads` first looked at the page. */
    complaints: () => run('return window.complaints'),
  };
}

export type EnginePage = ReturnType<typeof createPage>;

const collectComplaints = `if (!window.complaints) {
  const complaints = (window.complaints = []);
  window.addEventListener('error', ({ message }) => {
    // So WebKit says that it goes on measuring in the next frame.
    if (!message.startsWith('ResizeObserver loop')) complaints.push('Exception: ' + message);
  });
  window.addEventListener('unhandledrejection', ({ reason }) => complaints.push('Rejection: ' + reason));
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    complaints.push('Policy report: ' + violatedDirective + ' ' + blockedURI));
  for (const level of ['error', 'warn'])
    window.console[level] = (...words) => complaints.push(level + ': ' + words.join(' '));
}`;
