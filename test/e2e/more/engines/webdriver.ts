import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import axe from 'axe-core';
import { vi } from 'vitest';
import { aboutColours } from '../../../support/e2e/axe.ts';

// No library: selenium-webdriver and WebdriverIO need geckodriver for Firefox, which neither Debian nor npm has, and
// Playwright 1.65 sends even a plain Firefox a command that ESR 153 lacks (`emulation.setMediaFeaturesOverride`).

/**
 * Commands of these tests to a browser, in the words of WebDriver (https://www.w3.org/TR/webdriver2/): the path where
 * WebKit answers to it, and the name under which Firefox does.
 */
export const commands = {
  navigate: ['url', 'WebDriver:Navigate'],
  refresh: ['refresh', 'WebDriver:Refresh'],
  back: ['back', 'WebDriver:Back'],
  cookies: ['cookie', 'WebDriver:GetCookies'],
  run: ['execute/sync', 'WebDriver:ExecuteScript'],
  runAsync: ['execute/async', 'WebDriver:ExecuteAsyncScript'],
  click: ['element/{id}/click', 'WebDriver:ElementClick'],
  type: ['element/{id}/value', 'WebDriver:ElementSendKeys'],
  act: ['actions', 'WebDriver:PerformActions'],
  resize: ['window/rect', 'WebDriver:SetWindowRect'],
} as const;

type Command = keyof typeof commands;

/** A browser that was started for a test. */
export interface Driver {
  /**
   * Sends a command. A question has no parameters.
   *
   * @returns the command's value
   */
  send: (command: Command, parameters?: Readonly<Record<string, unknown>>) => Promise<unknown>;
  close: () => Promise<void>;
}

/** The name of the element that a test looks for. */
type Name = string | RegExp;
type Sought = readonly [what: Name, name?: Name];

/** The keys that have no character, https://www.w3.org/TR/webdriver2/#keyboard-actions. */
export const keys = { control: '\uE009', backspace: '\uE003', enter: '\uE007', escape: '\uE00C' } as const;

/** A modal dialog takes everything else away. */
const modal = `[...document.querySelectorAll('dialog:modal')].at(-1)`;
const inSight = `(${modal} ?? document.body)`;
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

  /** Runs a script on the `elements` in sight that one of Testing Library's queries finds. */
  function find(query: 'Role' | 'LabelText', [what, name]: Sought, script: string): Promise<unknown> {
    const texts = [what, name].map((text) => (text instanceof RegExp ? [text.source, text.flags] : text));
    return runWith(
      queryLibrary,
      `const [query, ...texts] = arguments;
       const [what, name] = texts.map((text) => (Array.isArray(text) ? new TestingLibraryDom.RegExp(...text) : text));
       const elements = TestingLibraryDom['queryAllBy' + query](${inSight}, what, name ? { name } : {});
       ${script}`,
      query,
      ...texts,
    );
  }

  /** Tries until it works, as a person waits for what is not there yet. */
  const untilDone = <T>(action: () => Promise<T>) => vi.waitFor(action, { timeout: 60_000, interval: 100 });

  const onElement = (
    query: 'Role' | 'LabelText',
    sought: Sought,
    action: (id: string) => Promise<unknown>,
  ): Promise<void> =>
    untilDone(async () => {
      const found = await find(query, sought, 'return elements[0] ?? null;');
      const id = (found as Record<string, string> | null)?.[elementKey];
      if (id === undefined) throw new Error(`${sought.join(' ')} is not there, but:\n${await shown()}`);
      await action(id);
    });

  const shown = async () => String(await run(`${collectComplaints} return ${inSight}.innerText`));

  /** A page that goes takes its complaints along. */
  const complaints: string[] = [];
  async function collect(): Promise<void> {
    complaints.push(...((await run(`${collectComplaints} return window.complaints.splice(0)`)) as string[]));
  }
  async function leave(command: Command, parameters: Readonly<Record<string, unknown>>): Promise<void> {
    await collect();
    await send(command, parameters);
    await collect();
  }

  return {
    open: (url: string) => leave('navigate', { url }),
    reload: () => leave('refresh', {}),
    back: () => leave('back', {}),
    run,
    /** Waits until there is an element of this role and name. */
    sees: (role: string, name: Name) => onElement('Role', [role, name], async () => undefined),
    /** Waits also while it takes no press. */
    click: (role: string, name: Name) =>
      onElement('Role', [role, name], async (id) => {
        const isOff = "return arguments[0].matches(':disabled, [aria-disabled=true]')";
        if (await run(isOff, { [elementKey]: id })) throw new Error(`${role} ${name} takes no press.`);
        await send('click', { id });
      }),
    /** The text of each element of this role, as it is now. */
    texts: async (role: string) =>
      (await find('Role', [role], 'return elements.map(({ innerText }) => innerText.trim());')) as string[],
    /**
     * Replaces what the field with this label holds. In Firefox, the page handles none of the keys before the last was
     * pressed, so what one of them empties has to be filled again.
     */
    fill: (label: Name, text: string) =>
      onElement('LabelText', [label], async (id) => {
        await send('type', { id, text: `${keys.control}a` });
        await send('type', { id, text });
      }),
    /** Waits until a text is in sight, and returns it. */
    reads: (text: Name) =>
      untilDone(async () => {
        const all = await shown();
        const found = typeof text === 'string' ? all.includes(text) && text : text.exec(all)?.[0];
        if (!found) throw new Error(`${text} is not there, but:\n${all}`);
        return found;
      }),
    /** Presses keys one after the other and lets go of them in the reverse order. */
    async press(...pressed: string[]): Promise<void> {
      const down = pressed.map((value) => ({ type: 'keyDown', value }));
      const up = pressed.toReversed().map((value) => ({ type: 'keyUp', value }));
      await send('act', { actions: [{ type: 'key', id: 'keyboard', actions: [...down, ...up] }] });
    },
    /** Faults that axe finds in both themes, as sentences. */
    async accessibilityFaults(): Promise<string[]> {
      await runWith({ name: 'axe', source: axe.source }, 'return 0');
      const faults = await send('runAsync', { script: runAxe, args: [aboutColours], newSandbox: false });
      return faults as string[];
    },
    /** Exceptions, policy reports, errors and warnings since the last look. */
    async complaints(): Promise<string[]> {
      await collect();
      return complaints.splice(0);
    },
  };
}

export type EnginePage = ReturnType<typeof createPage>;

const runAxe = `const [aboutColours, done] = arguments;
(async () => {
  const { dataset } = document.documentElement;
  const chosen = dataset.theme;
  const faults = [];
  for (const theme of ['light', 'dark']) {
    dataset.theme = theme;
    // Colours may take their time to change.
    const changes = document.getAnimations().filter((each) => each instanceof CSSTransition);
    await Promise.allSettled(changes.map(({ finished }) => finished));
    const rules = theme === 'dark' && { runOnly: { type: 'rule', values: aboutColours } };
    const { violations } = await axe.run(${modal} ?? document, { resultTypes: ['violations'], ...rules });
    for (const { id, help, nodes } of violations)
      faults.push(theme + ': ' + id + ': ' + help + ': ' + nodes.map(({ html }) => html).join(' | '));
  }
  if (chosen) dataset.theme = chosen;
  else delete dataset.theme;
  return faults;
})().then(done, (error) => done([String(error)]));`;

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
