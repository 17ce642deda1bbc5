import { dirname, posix } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { readSources, type SourceFile } from './support/code/source-files.ts';

const reactPackages = [
  'zod',
  'react',
  'react-dom',
  '@base-ui/react',
  'react-hook-form',
  '@hookform/resolvers',
  '@tanstack/react-query',
  '@tanstack/react-router',
  '@simplewebauthn/browser',
  'uqr',
];

/** Packages and folders that each folder of `src` may import. `server` and `demo` may import everything. */
const rules: Readonly<Record<string, { packages: readonly string[]; folders: readonly string[] }>> = {
  lib: { packages: [], folders: ['lib'] },
  contract: { packages: ['zod'], folders: ['lib', 'contract'] },
  service: { packages: ['zod', 'kysely', 'jose'], folders: ['lib', 'contract', 'service'] },
  bff: {
    packages: ['zod', 'kysely', 'jose', 'openid-client', 'otpauth', '@simplewebauthn/server'],
    folders: ['lib', 'contract', 'bff'],
  },
  app: { packages: reactPackages, folders: ['lib', 'contract', 'app'] },
};

/** `@scope/name/part` → `@scope/name`, `name/part` → `name`. */
function packageOf(name: string): string {
  return name.split('/', name.startsWith('@') ? 2 : 1).join('/');
}

/** The parts of the contract about subscribers, which `app/components` does not know. */
const aboutSubscribers =
  /^src\/contract\/(service\/(api|list-query|subscriber)|bff\/(session|permission))\.ts$/;

/** The fault of an import by the rules of the folders, or null. */
function importFault(one: Import): string | null {
  const [, folder = ''] = one.from.split('/');
  const rule = rules[folder];
  if (!rule) return ['server', 'demo'].includes(folder) ? null : `${one.from} lies in an unknown folder.`;
  if (!one.to.startsWith('src/'))
    return rule.packages.includes(packageOf(one.to))
      ? null
      : `${one.from} imports ${one.to}, which ${folder} may not.`;
  const isDemo = one.from === 'src/app/main.tsx' && one.dynamic && one.to.startsWith('src/demo/');
  const [, target = ''] = one.to.split('/');
  if (!rule.folders.includes(target) && !isDemo)
    return `${one.from} imports ${one.to}: ${folder} must not know ${target}.`;
  return folder === 'app' ? faultWithinApp(one) : null;
}

/** `subscriber` is what several features show of subscribers and of changes to them. */
const layers = ['components', 'api', 'subscriber', 'feature', 'routes'] as const;

function faultWithinApp({ from, to, dynamic }: Import): string | null {
  if (from.startsWith('src/app/components/') && aboutSubscribers.test(to))
    return `${from} imports ${to}: components know no subscriber.`;
  if (!to.startsWith('src/app/')) return null;
  const [source, target] = [partOf(from), partOf(to)];
  if (layers.indexOf(layerOf(target)) > layers.indexOf(layerOf(source)))
    return `${from} imports ${to}: ${layerOf(source)} lies below ${layerOf(target)}.`;
  // A dialog of another feature is loaded when it is first used.
  if (!dynamic && layerOf(source) === 'feature' && layerOf(target) === 'feature' && source !== target)
    return `${from} imports ${to}: the feature ${source} must not know the feature ${target}.`;
  return null;
}

/** `src/app/record/connection/check.ts` → `record`; a file at the top of `app` is part of no folder: ''. */
function partOf(path: string): string {
  const [, , folder = '', ...rest] = path.split('/');
  return rest.length > 0 ? folder : '';
}

function layerOf(part: string): (typeof layers)[number] {
  if (part === '' || part === 'shell') return 'routes';
  return layers.find((layer) => layer === part) ?? 'feature';
}

const sources = readSources('src');
const imports = sources.flatMap(importsOf);
/** A formatter and its locale, up to the next argument. `Intl.Locale` formats nothing. */
const formatter =
  /\bnew Intl\.(?!Locale\b)\w+\([^,)]*[,)]|\.toLocale\w*\([^,)]*[,)]|\.localeCompare\([^)]*\)/g;
const filesIn = (folder: string) => sources.filter(({ path }) => path.startsWith(`src/${folder}/`));

describe('a folder of src', () => {
  it('imports only what it may', () => {
    expect(imports.length).toBeGreaterThan(50);
    expect(imports.map(importFault).filter((fault) => fault !== null)).toEqual([]);
  });

  it('imports only files of ours that exist, under their whole name', () => {
    const known = new Set(sources.map(({ path }) => path));
    const lost = imports.filter(({ to }) => /^src\/.*(\.[cm]?[jt]sx?|\/[^.]*)$/.test(to) && !known.has(to));
    expect(lost).toEqual([]);
  });

  it('holds at most 40 code files', () => {
    const folders = Map.groupBy(sources, ({ path }) => dirname(path));
    expect([...folders].filter(([, files]) => files.length > 40).map(([folder]) => folder)).toEqual([]);
  });

  test('know requests and responses in BFF and service only where they come in and go out', () => {
    const edges =
      /^src\/(bff|service)\/http\/|^src\/bff\/(deps|upstream\/exchange|auth\/openid\/provider|auth\/openid\/provider-keys)\.ts$/;
    const files = sources.filter(({ path }) => /^src\/(bff|service)\//.test(path) && !edges.test(path));
    const named = /^(?!\s*(\/\/|\/?\*)).*(new |[:<|&,] ?)(Request|Response)\b(?!:)|\bResponse\./m;
    expect(files.length).toBeGreaterThan(100);
    expect(files.filter(({ text }) => named.test(text)).map(({ path }) => path)).toEqual([]);
  });

  // oxlint holds the rest of it: `no-restricted-globals` and `no-restricted-properties`.
  test('take the present time only from the clock that they are given, but for server, demo and dashboard', () => {
    const present = /\bnew Date\(\)|(?<!new )\bDate\(|\bimport\.meta\.env\b/;
    const files = ['lib', 'contract', 'service', 'bff'].flatMap(filesIn);
    expect(files.filter(({ text }) => present.test(text)).map(({ path }) => path)).toEqual([]);
  });
});

test('all that the dashboard formats is in the locale of the page, not that of the browser', () => {
  const dashboard = filesIn('app').filter(({ path }) => path !== 'src/app/components/locale.ts');
  const formats = dashboard.flatMap(({ path, text }) =>
    [...text.matchAll(formatter)].map(([call]) => `${path}: ${call}`),
  );
  expect(formats.length).toBeGreaterThan(10);
  expect(formats.filter((call) => !/[( ]locale[),]?$/.test(call))).toEqual([]);
});

describe('a class of the dashboard', () => {
  const sheets = readSources('src', 'css');
  const shared = sheets.find(({ path }) => path === 'src/app/components/base.css');
  const modules = sheets.filter(({ path }) => path.endsWith('.module.css'));
  const components = sources.filter(({ path }) => path.endsWith('.tsx') || path === 'src/demo/start.ts');
  const everything = sources.map(({ text }) => text).join('');
  const composed = modules
    .flatMap(({ text }) => [...text.matchAll(/composes: ([\w-]+)/g)])
    .map(([, name]) => name);
  const ignored = /\/\*[\s\S]*?\*\/|'[^']*'|:global\([^)]*\)|\d+\.\d+/g;
  const classesIn = (text = '') =>
    new Set([...text.replaceAll(ignored, '').matchAll(/\.([a-z][\w-]*)/gi)].map(([, name = '']) => name));
  const usersOf = ({ path }: SourceFile) =>
    components.filter((file) => importsOf(file).some(({ to }) => to === path)).map(({ text }) => text);

  it('is named by a component', () => {
    const unused = modules.flatMap((sheet) => {
      const users = usersOf(sheet).join('');
      // By a variable, which has its names from anywhere.
      const text = users.includes('styles[') ? everything : users;
      const isNamed = (name: string) => new RegExp(`\\.${name}\\b|['"\`]${name}['"\`]`).test(text);
      const names = [...classesIn(sheet.text)].filter((name) => !isNamed(name) && !composed.includes(name));
      return names.map((name) => `${sheet.path}: ${name}`);
    });
    expect(modules.length).toBeGreaterThan(20);
    expect(unused).toEqual([]);
  });

  it('exists where a component names it', () => {
    const lost = modules.flatMap((sheet) => {
      const known = classesIn(sheet.text);
      const names = usersOf(sheet).flatMap((text) => {
        const file = posix.basename(sheet.path);
        const local = new RegExp(`import (\\w+) from '[./\\w-]*/${file}'`).exec(text)?.[1];
        return [...text.matchAll(new RegExp(`\\b${local}\\.([\\w-]+)`, 'g'))].map(([, name = '']) => name);
      });
      return names.filter((name) => !known.has(name)).map((name) => `${sheet.path}: ${name}`);
    });
    expect(lost).toEqual([]);
  });

  it('stands in the shared style sheet if it is named as a text, and none stands there in vain', () => {
    const code = components.map(({ text }) => text).join('');
    const known = classesIn(shared?.text);
    const isNamed = (name: string) => new RegExp(`['"\`]([a-z-]+ )*${name}[ '"\`]`).test(code);
    const literals = [...code.matchAll(/className=(?:"([^"]*)"|\{`([^`]*)`\})/g)];
    const words = literals.flatMap(([, text, template = text ?? '']) =>
      template.replaceAll(/\$\{[^}]*\}/g, '').split(' '),
    );
    const named = new Set(words.filter((word) => word !== ''));
    expect([...known].filter((name) => !isNamed(name))).toEqual([]);
    expect([...named].filter((name) => !known.has(name))).toEqual([]);
  });
});

describe('a test file', () => {
  const own = readSources('test');
  const cases = own.filter(({ path }) => /\.test\.tsx?$/.test(path));

  it('lies where a project of vitest finds it', () => {
    const projects =
      /^test\/((lib|contract|service|bff|server|demo|support|long)\/.*\.test\.ts|app\/.*\.test\.tsx?|e2e\/.*\.test\.ts|[^/]+\.test\.ts)$/;
    expect(cases.map(({ path }) => path).filter((path) => !projects.test(path))).toEqual([]);
  });

  it.each(['lib', 'contract', 'service', 'bff', 'app'])(
    'lies in the folder of what it tests: %s',
    (folder) => {
      const inFolder = cases.filter(({ path }) => path.startsWith(`test/${folder}/`));
      // A desk is a BFF and a service.
      const subjects = new RegExp(`^((src|test|test/support)/${folder}/|test/support/desk\\.ts$)`);
      const misplaced = inFolder.filter((file) => !importsOf(file).some(({ to }) => subjects.test(to)));
      expect(misplaced.map(({ path }) => path)).toEqual([]);
    },
  );

  it('skips nothing, runs nothing alone and replaces no module of ours', () => {
    const shortcuts = /\b(test|it|describe)\.(skip|only|todo|skipIf|runIf)\b|\bvi\.(mock|doMock)\(\s*['"]\./;
    expect(cases.filter(({ text }) => shortcuts.test(text)).map(({ path }) => path)).toEqual([]);
  });
});

describe('a check of imports', () => {
  const faults = (path: string, text: string) => importsOf({ path, text }).map(importFault);

  it.each([
    ['src/contract/a.ts', "import { Hono } from 'hono';"],
    ['src/contract/a.ts', "import type { Db } from '../service/db.ts';"],
    ['src/contract/a.ts', "export * from '../server/config.ts';"],
    ['src/service/a.ts', "import { bff } from '../bff/bff.ts';"],
    ['src/service/a.ts', "import { readFileSync } from 'node:fs';"],
    ['src/service/a.ts', "type Db = import('../server/sql/db.ts').Db;"],
    ['src/bff/a.ts', "import { service } from '../service/service.ts';"],
    ['src/bff/a.ts', "const { http } = await import('msw');"],
    ['src/bff/a.ts', "import { serve } from '@hono/node-server';"],
    ['src/app/auth/a.ts', "import { call } from '../../demo/start.ts';"],
    ['src/app/main.tsx', "import { call } from '../demo/start.ts';"],
    ['src/app/main.tsx', "await import('../server/start.ts');"],
    ['src/app/components/a.tsx', "import { queries } from '../api/queries.ts';"],
    ['src/app/components/a.tsx', "import { Subscriber } from '../../contract/service/subscriber.ts';"],
    ['src/app/api/a.ts', "import { List } from '../list/list-page.tsx';"],
    ['src/app/auth/a.tsx', "import { List } from '../list/list-page.tsx';"],
    ['src/app/subscriber/a.tsx', "import { List } from '../list/list-page.tsx';"],
    ['src/app/auth/a.tsx', "import { router } from '../router.tsx';"],
    ['src/app/list/a.tsx', "import { Layout } from '../shell/layout.tsx';"],
    ['src/elsewhere/a.ts', "import * as z from 'zod/mini';"],
  ])('sees that %s may not: %s', (path, text) => {
    expect(faults(path, text)).toEqual([expect.stringContaining(path)]);
  });
});

interface Import {
  from: string;
  /** A path from the top of the project for a file of ours, else the name as it is written. */
  to: string;
  /** By `import('…')`, when the code comes to it. */
  dynamic: boolean;
}

/** All that a file imports: values and types, exported on or not, static and dynamic. */
function importsOf({ path, text }: SourceFile): Import[] {
  const code = text.replace(/^\s*(\/\/|\/?\*).*$/gm, '');
  const written = code.matchAll(/\b(?:from\s+|import\s+|import(\(\s*))'([^'\n]+)'/g);
  return [...written].map(([, call, name = '']) => {
    const to = name.startsWith('.') ? posix.join(posix.dirname(path), name) : name;
    return { from: path, to: to.replace(/\?.*$/, ''), dynamic: call !== undefined };
  });
}
