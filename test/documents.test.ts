import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { secretNames, variableNames } from '../src/server/config/variables.ts';
import {
  pathsIn,
  promisesIn,
  reasonedPackages,
  scriptsIn,
  symbolsIn,
  variablesIn,
} from './support/code/readme.ts';
import { readText, root } from './support/code/source-files.ts';

interface Manifest {
  workspaces: string[];
  scripts: Record<string, string>;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
}
const manifest = JSON.parse(readText('package.json')) as Manifest;
/** Every direct dependency, with the place where it is installed: workspaces have their own. */
const dependencies = ['', ...manifest.workspaces.map((folder) => `${folder}/`)].flatMap((folder) => {
  const { dependencies: used, devDependencies } = JSON.parse(readText(`${folder}package.json`)) as Manifest;
  const versions = Object.entries({ ...used, ...devDependencies });
  return versions.map(([name, version]) => ({ name, version, at: `${folder}node_modules/${name}` }));
});
const readReadme = () => readText('README.md');

describe('the README', () => {
  test('names only paths that exist', () => {
    const paths = pathsIn(readReadme());
    expect(paths).not.toEqual([]);
    // What is made by running the project is not there in a fresh copy.
    const made = /^(\.\/)?(dist|data|\.cache)\//;
    expect(paths.filter((path) => !made.test(path) && !existsSync(join(root, path)))).toEqual([]);
  });

  test('names only symbols that are in the files that it says', () => {
    const symbols = symbolsIn(readReadme());
    expect(symbols).not.toEqual([]);
    const isThere = ({ symbol, path }: { symbol: string; path: string }) =>
      existsSync(join(root, path)) && new RegExp(`\\b${symbol}\\b`).test(readText(path));
    expect(symbols.filter((pair) => !isThere(pair))).toEqual([]);
  });

  test('names only scripts that exist', () => {
    const scripts = scriptsIn(readReadme());
    expect(scripts).toEqual(expect.arrayContaining(['start', 'test']));
    expect(scripts.filter((name) => !(name in manifest.scripts))).toEqual([]);
  });

  test('lists exactly the environment variables that are read', () => {
    const files = secretNames.map((name) => `${name}_FILE`);
    const listed = variablesIn(readReadme()).filter((name) => !files.includes(name));
    expect(listed.toSorted()).toEqual([...variableNames].toSorted());
  });

  test('names for each promise test files that are run', () => {
    const tests = promisesIn(readReadme());
    expect(tests.length).toBeGreaterThanOrEqual(12);
    const run = /^test\/(app|bff|contract|demo|e2e|long|server|service)\/[\w/-]+\.test\.ts$/;
    for (const { promise, files } of tests) {
      expect(files, promise).not.toEqual([]);
      expect(
        files.filter((file) => !run.test(file) || !existsSync(join(root, file))),
        promise,
      ).toEqual([]);
    }
  });

  test('gives for each direct dependency its reason', () => {
    const reasoned = new Set(reasonedPackages(readReadme()));
    expect(dependencies.filter(({ name }) => !reasoned.has(name))).toEqual([]);
  });
});

describe('the manifest', () => {
  test('pins every direct dependency to one version', () => {
    const loose = dependencies.filter(({ version }) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version));
    expect(loose).toEqual([]);
  });

  test('has the lock file’s versions', () => {
    const lock = JSON.parse(readText('package-lock.json')) as {
      packages: Record<string, { version?: string }>;
    };
    const drifted = dependencies.filter(({ at, version }) => lock.packages[at]?.version !== version);
    expect(drifted).toEqual([]);
  });

  test('has a lock file without the address of any registry', () => {
    expect(readText('package-lock.json')).not.toMatch(
      /"resolved": "(?!test\/)|registry|localhost|127\.0\.0\.1/,
    );
  });
});

/** All files that git keeps or would keep. */
function trackedFiles(): string[] {
  const options = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const paths = execFileSync('git', options, { cwd: root, encoding: 'utf8' }).split('\0');
  return paths.filter((path) => path !== '' && existsSync(join(root, path)));
}

/** Absolute paths of somebody's machine, at the beginning of a word so that `/api/home/` is none. */
const machinePath = /(?<![\w./-])\/(?:work|tmp|home|root|Users|private|mnt|workspace)\/\w/;
const secret = /-----BEGIN [A-Z ]*PRIVATE KEY-----/;

describe('the files in git', () => {
  const texts = trackedFiles().filter((path) =>
    /\.([cm]?[jt]sx?|json|md|css|html|svg|ya?ml)$|^\.[\w/]+$/.test(path),
  );

  test('hold no path of the machine they were written on', () => {
    expect(texts.length).toBeGreaterThan(50);
    expect(texts.filter((path) => machinePath.test(readText(path)))).toEqual([]);
  });

  test('hold no private key', () => {
    expect(texts.filter((path) => secret.test(readText(path)))).toEqual([]);
  });

  test('lie in the folders of the design, and at the top only what belongs there', () => {
    const known =
      /^(src|public|test|\.ci|\.github)\/|^(package(-lock)?\.json|tsconfig\.json|vite(st)?\.config\.ts|index\.html|README\.md|LICENSE|\.\w+)/;
    expect(trackedFiles().filter((path) => !known.test(path))).toEqual([]);
  });
});

describe('these rules themselves', () => {
  const sample = [
    'Run `npm start` or `npm run demo -- --port 1`; see `src/bff/bff.ts`, `.npmrc`, `createBff` and `GET /api/x`.',
    '```sh',
    'npm run ghost  # `src/ghost.ts`',
    '```',
    '| name | meaning |',
    '|---|---|',
    '| `PORT`, `HOST` | where it listens, not `OTHER` |',
    '| `zod` | shapes |',
    '| `vague` | |',
    '### What it promises',
    '| promise | what it says | tests |',
    '|---|---|---|',
    '| speed | it is fast | `a.test.ts`, `b.test.ts` |',
    '## Next',
    '| no | promise | here |',
  ].join('\n');

  test('find what a README names', () => {
    expect(pathsIn(sample)).toEqual(['src/bff/bff.ts', '.npmrc', 'a.test.ts', 'b.test.ts']);
    expect(symbolsIn('`createBff` in\n`src/bff/bff.ts`, `a` and `b`')).toEqual([
      { symbol: 'createBff', path: 'src/bff/bff.ts' },
    ]);
    expect(scriptsIn(sample)).toEqual(['start', 'demo', 'ghost']);
    expect(promisesIn(sample)).toEqual([{ promise: 'speed', files: ['a.test.ts', 'b.test.ts'] }]);
    expect(variablesIn(sample)).toEqual(['PORT', 'HOST']);
    expect(reasonedPackages(sample)).toEqual(['PORT', 'HOST', 'zod']);
  });

  test('know a path of a machine from an address', () => {
    const slash = '/';
    for (const path of [`see ${slash}work/main`, `'${slash}tmp/x'`, `"${slash}home/kari"`])
      expect(path).toMatch(machinePath);
    for (const path of ['/api/home/1', './tmp/x', 'https://example.com/home/x', '/subscribers'])
      expect(path).not.toMatch(machinePath);
  });
});
