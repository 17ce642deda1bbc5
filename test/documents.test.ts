import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { secretNames, variableNames } from '../src/server/config/variables.ts';
import { readSources, readText, root } from './support/code/source-files.ts';

interface Manifest {
  workspaces: string[];
  scripts: Record<string, string>;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  allowScripts: Record<string, boolean>;
}
const manifest = JSON.parse(readText('package.json')) as Manifest;
/** Every direct dependency, with the place where it is installed: workspaces have their own. */
const dependencies = ['', ...manifest.workspaces.map((folder) => `${folder}/`)].flatMap((folder) => {
  const { dependencies: used, devDependencies } = JSON.parse(readText(`${folder}package.json`)) as Manifest;
  const versions = Object.entries({ ...used, ...devDependencies });
  return versions.map(([name, version]) => ({ name, version, at: `${folder}node_modules/${name}` }));
});

/** All files that git keeps or would keep. */
function trackedFiles(): string[] {
  const options = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const paths = execFileSync('git', options, { cwd: root, encoding: 'utf8' }).split('\0');
  return paths.filter((path) => path !== '' && existsSync(join(root, path)));
}

const foldersIn = (folder: string) =>
  readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);

/** The folders that have a README: what is in them, a newcomer reads there. */
const documented = ['.', 'src', ...foldersIn('src').map((name) => `src/${name}`), 'test'];
const readmeOf = (folder: string) => posix.join(folder, 'README.md');

const documents = trackedFiles()
  .filter((path) => path.endsWith('.md'))
  .map((path) => ({ path, folder: posix.dirname(path), text: readText(path) }));
type Document = (typeof documents)[number];
const whole = documents.map(({ text }) => text).join('\n');

/** Wrong names in documents, each with its document. */
const faultsIn = (find: (document: Document) => string[]) =>
  documents.flatMap((document) => find(document).map((fault) => `${document.path}: ${fault}`));

/** A path begins at the top of the project. */
const isThere = (path: string) => existsSync(join(root, path));
// What is made by running the project is not there in a fresh copy.
const isMade = (path: string) => /^(\.\/)?(dist|data|\.cache)\//.test(path);

describe('the documentation', () => {
  it('has a README for each folder of the product, and how to contribute and to report', () => {
    const requested = [
      ...documented.map(readmeOf),
      '.github/CHANGELOG.md',
      '.github/CONTRIBUTING.md',
      '.github/SECURITY.md',
      'src/PROMISES.md',
    ];
    expect(documents.map(({ path }) => path).toSorted()).toEqual(requested.toSorted());
  });

  it('is short: the first has at most 150 lines, and no line has over 200 characters', () => {
    expect(readText('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(150);
    const longLines = ({ text }: Document) => text.split('\n').filter((line) => [...line].length > 200);
    expect(faultsIn(longLines)).toEqual([]);
  });

  it('can be found by links from the first', () => {
    const found = new Set(['README.md']);
    for (const path of found)
      for (const link of linksIn(documents.find((document) => document.path === path)?.text ?? ''))
        found.add(posix.join(posix.dirname(path), link.replace(/#.*/, '')));
    expect(documents.map(({ path }) => path).filter((path) => !found.has(path))).toEqual([]);
  });

  it('links only to what exists, headings included', () => {
    const brokenLinks = ({ path, folder, text }: Document) =>
      linksIn(text).filter((link) => {
        const [target = '', anchor] = link.split('#');
        const file = target === '' ? path : posix.join(folder, target);
        return (
          !existsSync(join(root, file)) ||
          (anchor !== undefined && !anchorsIn(readText(file)).includes(anchor))
        );
      });
    expect(documents.flatMap(({ text }) => linksIn(text)).length).toBeGreaterThan(50);
    expect(faultsIn(brokenLinks)).toEqual([]);
  });

  it('names only paths that exist, from the top of the project', () => {
    const lost = ({ text }: Document) => pathsIn(text).filter((path) => !isMade(path) && !isThere(path));
    expect(documents.flatMap(({ text }) => pathsIn(text)).length).toBeGreaterThan(200);
    expect(faultsIn(lost)).toEqual([]);
  });

  it('names only symbols that the files declare that they say', () => {
    const lost = ({ text }: Document) =>
      symbolsIn(text).flatMap(({ symbol, path }) =>
        isThere(path) && declares(readText(path), symbol) ? [] : [`${symbol} in ${path}`],
      );
    expect(documents.flatMap(({ text }) => symbolsIn(text)).length).toBeGreaterThan(100);
    expect(faultsIn(lost)).toEqual([]);
  });

  it('names every folder beside a README, so that its map is whole', () => {
    const unnamed = ({ folder, text }: Document) => {
      const named = pathsIn(text);
      const beside =
        folder === '.' ? ['src/', 'test/'] : foldersIn(folder).map((name) => `${folder}/${name}/`);
      return beside.filter((path) => !named.some((each) => `${each}/`.startsWith(path)));
    };
    expect(
      faultsIn(({ path, ...rest }) =>
        documented.map(readmeOf).includes(path) ? unnamed({ path, ...rest }) : [],
      ),
    ).toEqual([]);
  });

  it('names only scripts that exist, and every one of them', () => {
    // npm itself runs `prepack`.
    const { prepack: _, ...typed } = manifest.scripts;
    expect(scriptsIn(whole).toSorted()).toEqual(Object.keys(typed).toSorted());
    expect(scriptsIn(readText('README.md'))).toEqual(expect.arrayContaining(['start', 'test']));
  });

  it('lists exactly the environment variables that are read, each once', () => {
    expect(variablesIn(whole).toSorted()).toEqual([...variableNames].toSorted());
    const named = codeSpans(readText('src/server/README.md'));
    expect(secretNames.filter((name) => !named.includes(name))).toEqual([]);
  });

  it('lists no variable that is only checked, and of which nothing is made', () => {
    const others = readSources('src/server').filter(({ path }) => !path.endsWith('/variables.ts'));
    const isUsed = (name: string) => others.some(({ text }) => new RegExp(`\\b${name}\\b`).test(text));
    // OpenTelemetry's SDK reads it by itself.
    expect(variableNames.filter((name) => !isUsed(name))).toEqual(['OTEL_EXPORTER_OTLP_PROTOCOL']);
  });

  it('names for each promise test files that are run', () => {
    const promises = promisesIn(readText('src/PROMISES.md'));
    expect(promises.length).toBeGreaterThanOrEqual(24);
    const run = /^test\/(app|bff|contract|demo|e2e|lib|long|server|service)\/[\w/-]+\.test\.ts$/;
    for (const { promise, files } of promises) {
      expect(files, promise).not.toEqual([]);
      expect(
        files.filter((file) => !run.test(file) || !existsSync(join(root, file))),
        promise,
      ).toEqual([]);
    }
  });

  it('gives for each direct dependency its reason', () => {
    const reasoned = reasonedPackages(readText('.github/CONTRIBUTING.md'));
    const direct = new Set(dependencies.map(({ name }) => name));
    expect(reasoned.toSorted()).toEqual([...direct].toSorted());
  });
});

describe('the manifest', () => {
  it('pins every direct dependency to one version, and takes in none that is younger than a week', () => {
    const loose = dependencies.filter(({ version }) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version));
    expect(loose).toEqual([]);
    expect(readText('.npmrc')).toMatch(/^min-release-age=7$/m);
  });

  it('has the lock file’s versions', () => {
    const lock = JSON.parse(readText('package-lock.json')) as {
      packages: Record<string, { version?: string }>;
    };
    const drifted = dependencies.filter(({ at, version }) => lock.packages[at]?.version !== version);
    expect(drifted).toEqual([]);
  });

  it('has a lock file with a hash of each package, none of which runs a script when it is installed', () => {
    const lock = JSON.parse(readText('package-lock.json')) as {
      packages: Record<string, { resolved?: string; integrity?: string; hasInstallScript?: true }>;
    };
    const installed = Object.entries(lock.packages).flatMap(([at, rest]) => {
      const [, name] = /.*node_modules\/(.+)$/.exec(at) ?? [];
      return name === undefined || manifest.workspaces.some((folder) => rest.resolved === folder)
        ? []
        : [{ name, ...rest }];
    });
    expect(installed.length).toBeGreaterThan(300);
    expect(installed.filter(({ integrity = '' }) => !/^sha512-.{86}==$/.test(integrity))).toEqual([]);
    const withScript = installed.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name);
    expect(manifest.allowScripts).toEqual(Object.fromEntries(withScript.map((name) => [name, false])));
  });

  it('has a lock file without the address of any registry', () => {
    expect(readText('package-lock.json')).not.toMatch(
      /"resolved": "(?!test\/)|registry|localhost|127\.0\.0\.1/,
    );
  });
});

/** Absolute paths of somebody's machine, at the beginning of a word so that `/api/home/` is none. */
const machinePath = /(?<![\w./-])\/(?:work|tmp|home|root|Users|private|mnt|workspace)\/\w/;
const secret = /-----BEGIN [A-Z ]*PRIVATE KEY-----/;

describe('a file in git', () => {
  const texts = trackedFiles().filter((path) =>
    /\.([cm]?[jt]sx?|json|md|css|html|svg|ya?ml)$|^\.[\w/]+$/.test(path),
  );

  it('holds no path of the machine it was written on', () => {
    expect(texts.length).toBeGreaterThan(50);
    expect(texts.filter((path) => machinePath.test(readText(path)))).toEqual([]);
  });

  it('has docstrings that begin with a noun or a verb', () => {
    const question = /\/\*\*[\s*]+(?:What|Whether|Of|Who|Whom|Whose|How)\b.*/g;
    const faults = [...readSources('src'), ...readSources('test')].flatMap(({ path, text }) =>
      [...text.matchAll(question)].map(([found]) => `${path}: ${found}`),
    );
    expect(faults).toEqual([]);
  });

  it('says “can’t” where people read it in the dashboard, and “cannot” only to programs', () => {
    const sentences = readSources('src').flatMap(({ path, text }) => {
      if (!/^src\/(app|contract|demo)\//.test(path)) return [];
      const code = text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
      return [...code.matchAll(/[^'"`>{}\n]*\bcannot\b(?!-)[^'"`<{}\n]*/gi)].map(([sentence]) =>
        sentence.trim(),
      );
    });
    // Titles of problems on the wire, in place of which the dashboard shows the detail.
    expect(sentences).toEqual(['The request cannot be read', 'This cannot be undone']);
  });

  it('holds no private key', () => {
    expect(texts.filter((path) => secret.test(readText(path)))).toEqual([]);
  });

  it('lies in a folder of the design, and at the top only if it belongs there', () => {
    const known =
      /^(src|public|test|\.ci|\.github)\/|^(package(-lock)?\.json|tsconfig\.json|vite(st)?\.config\.ts|index\.html|README\.md|LICENSE|\.\w+)/;
    expect(trackedFiles().filter((path) => !known.test(path))).toEqual([]);
  });
});

// What a document names that can be checked. Fenced blocks count for scripts alone.

/** Every `text in backticks` of a Markdown text, outside of fenced blocks. */
function codeSpans(markdown: string): string[] {
  return [...withoutFences(markdown).matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span);
}

const withoutFences = (markdown: string) => markdown.replace(/^```[\s\S]*?^```/gm, '');

const file = String.raw`\.?[\w-][\w.-]*(?:\/[\w.-]+)*\.(?:ts|tsx|mjs|json|css|md|html|png)`;
const folder = String.raw`\.?[\w-][\w.-]*(?:\/[\w.-]+)*\/`;
const inKnownFolder = String.raw`\.?(?:src|test|public|dist|data|\.github|\.ci|\.cache)\/[\w./-]*`;
const atTop = String.raw`\.[a-z][\w.-]+|LICENSE`;
const path = new RegExp(`^(?:${file}|${folder}|${inKnownFolder}|${atTop})$`);

/** Code spans that name a file or a folder: `src/bff`, `journal/undo.ts`, `auth/`, `.npmrc`. */
function pathsIn(markdown: string): string[] {
  return codeSpans(markdown).filter((span) => path.test(span));
}

/**
 * Symbols that the text says to be declared in a file: "`createBff` in `src/bff/bff.ts`", "`a`, `b` and `c` in `d.ts`";
 * a line may break between.
 */
function symbolsIn(markdown: string): { symbol: string; path: string }[] {
  const symbol = String.raw`\`[A-Za-z_]\w*\``;
  const list = String.raw`(${symbol}(?:(?:,|,? and|,? or)\s+${symbol})*)\s+in\s+\`(${file})\``;
  return [...withoutFences(markdown).matchAll(new RegExp(list, 'g'))].flatMap(([, names = '', where = '']) =>
    codeSpans(names).map((name) => ({ symbol: name, path: where })),
  );
}

/** True if a TypeScript text declares a name: a variable, function or type, or a member of one. */
function declares(source: string, name: string): boolean {
  const declared = String.raw`\b(?:const|let|function|class|interface|type)\s+${name}\b`;
  const member = String.raw`^\s+(?:async\s+)?${name}\??\s*[:(]`;
  return new RegExp(`${declared}|${member}`, 'm').test(source);
}

/** Every script that the text tells to run: `npm start`, `npm run dev -- --port 1`; fenced blocks count too. */
function scriptsIn(markdown: string): string[] {
  const runs = markdown.matchAll(/\bnpm (?:run ([\w:-]+)|(start|test)\b)/g);
  return [...new Set([...runs].map(([, run, short]) => run ?? short ?? ''))];
}

/** Where its links and pictures lead, but for addresses elsewhere: `src/README.md#words`, `#words`. */
function linksIn(markdown: string): string[] {
  const links = withoutFences(markdown).matchAll(/\]\(([^)\s]+)\)/g);
  return [...links].map(([, target = '']) => target).filter((target) => !/^[a-z]+:/.test(target));
}

/** The anchors that GitHub gives its headings: lower case, without signs, hyphens for blanks. */
function anchorsIn(markdown: string): string[] {
  const headings = [...withoutFences(markdown).matchAll(/^#{1,6} (.*)$/gm)].map(([, text = '']) => text);
  return headings.map((text) =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** The environment variables of its tables: names in capitals, in backticks, in the first cell of a row. */
function variablesIn(markdown: string): string[] {
  const cells = [...withoutFences(markdown).matchAll(/^\|([^|]*)\|/gm)].map(([, cell = '']) => cell);
  return cells.flatMap(codeSpans).filter((span) => /^[A-Z][A-Z0-9_]*$/.test(span));
}

/** The packages that have a reason: "- `zod`, `jose`: why", in the section of this name. */
function reasonedPackages(markdown: string): string[] {
  return itemsOf(sectionOf(markdown, 'Dependencies')).flatMap((item) => {
    const [, names = '', reason = ''] = /^((?:`[^`]+`(?:, )?)+): ([^]*)/.exec(item) ?? [];
    return /[a-z]{3}/.test(reason) ? codeSpans(names) : [];
  });
}

/** "- **Promise:** what it says. Tests: `a.test.ts`, `b.test.ts`". */
function promisesIn(markdown: string): { promise: string; files: string[] }[] {
  return itemsOf(markdown).map((item) => {
    const [, promise = '', tests = ''] = /^\*\*(.+?):?\*\*[^]*?(?:\sTests: ([^]*))?$/.exec(item) ?? [];
    return { promise, files: codeSpans(tests) };
  });
}

/** From a heading of the second level to the next one. */
function sectionOf(markdown: string, heading: string): string {
  const [, ...sections] = `\n${markdown}`.split(/\n## /);
  return sections.find((section) => section.startsWith(`${heading}\n`)) ?? '';
}

/** The items of its lists, each on one line. */
function itemsOf(section: string): string[] {
  const items = section.split(/\n(?=- |\n|#)/).filter((part) => part.startsWith('- '));
  return items.map((item) => item.slice(2).replace(/\s+/g, ' ').trim());
}
