import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { describe, expect, onTestFinished, test } from 'vitest';
import { root } from '../support/server/start-process.ts';
import { temporaryFolder } from '../support/server/temporary-folder.ts';

/** A project with the launcher, an npm that only notes its calls, and a command that shows what it is given. */
function arrange() {
  const folder = temporaryFolder();
  const write = (path: string, text: string) => writeFileSync(join(folder, path), text);
  mkdirSync(join(folder, 'src/server'), { recursive: true });
  for (const file of ['src/server/launch.mjs', 'src/server/hand-over.mjs'])
    copyFileSync(join(root, file), join(folder, file));
  write('package-lock.json', '{}');
  write('src/server/start.ts', command);
  mkdirSync(join(folder, 'test'));
  write('test/run.ts', command);
  writeNpm(folder, install);
  return {
    folder,
    write,
    launch: (...options: string[]) => launch(folder, options),
    installed: () => existsSync(join(folder, 'node_modules/node')),
  };
}

const command = `
  if (process.argv.includes('wait')) {
    process.on('SIGTERM', () => process.exit(3));
    process.on('exit', () => console.log('told to stop'));
    process.on('SIGINT', () => process.exit(4));
    process.on('SIGHUP', () => process.exit(5));
    setInterval(() => {}, 1000);
  } else process.exitCode = Number(process.argv[2] ?? 0);
  console.log('started', JSON.stringify(process.argv.slice(2)), process.cwd());
`;
const install = `
  const { mkdirSync, rmSync, symlinkSync } = require('node:fs');
  console.log('npm', process.argv.slice(2).join(' '));
  rmSync('node_modules', { recursive: true, force: true });
  mkdirSync('node_modules/node/bin', { recursive: true });
  symlinkSync(${JSON.stringify(process.execPath)}, 'node_modules/node/bin/node');
`;

function writeNpm(folder: string, script: string): void {
  writeFileSync(join(folder, 'npm-cli.js'), script);
}

function launch(folder: string, options: readonly string[]) {
  return follow(
    spawn(process.execPath, [join(folder, 'src/server/launch.mjs'), ...options], {
      env: { PATH: process.env['PATH'], npm_execpath: join(folder, 'npm-cli.js') },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );
}

/** What a process says, and its end: when nobody holds its output any more, its children included. */
function follow(child: ChildProcessByStdio<null, Readable, Readable>) {
  onTestFinished(() => void child.kill('SIGKILL'));
  let [stdout, stderr] = ['', ''];
  const said = (pattern: RegExp) =>
    new Promise<void>((resolve) => {
      child.stdout.on('data', () => pattern.test(stdout) && resolve());
    });
  child.stdout.on('data', (part) => (stdout += String(part)));
  child.stderr.on('data', (part) => (stderr += String(part)));
  const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
  return { ended, said, signal: (name: NodeJS.Signals) => child.kill(name) };
}

describe('installing', () => {
  test('the first time it installs, says so, and starts', async () => {
    const { launch } = arrange();
    const { code, stdout, stderr } = await launch('start').ended;
    expect(code).toBe(0);
    expect(stderr).toBe(
      'Installing missing packages (npm ci). This can take a minute ...\n' +
        'npm ci --omit=dev --no-audit --no-fund --loglevel=error\n',
    );
    expect(stdout).toMatch(/^started /);
  });

  test('with nothing missing it only starts', async () => {
    const { launch } = arrange();
    await launch('start').ended;
    expect((await launch('start').ended).stderr).toBe('');
  });

  test('a new lock file, or a Node that is gone, is installed again', async () => {
    const { folder, write, launch } = arrange();
    await launch('start').ended;
    write('package-lock.json', '{"new":true}');
    expect((await launch('start').ended).stderr).toContain('npm ci');
    rmSync(join(folder, 'node_modules/node'), { recursive: true });
    expect((await launch('start').ended).stderr).toContain('npm ci');
    expect((await launch('start').ended).stderr).toBe('');
  });

  test('the tests need more packages than the product, which then is complete too', async () => {
    const { launch } = arrange();
    await launch('start').ended;
    expect((await launch('test').ended).stderr).toContain('npm ci --include=dev');
    expect((await launch('test').ended).stderr).toBe('');
    expect((await launch('start').ended).stderr).toBe('');
  });

  test('development packages that are installed already stay', async () => {
    const { folder, launch } = arrange();
    mkdirSync(join(folder, 'node_modules/vitest'), { recursive: true });
    expect((await launch('start').ended).stderr).toContain('npm ci --include=dev');
  });

  describe('after npm ci by hand', () => {
    const packages = (version: string) => ({
      '': { name: 'project' },
      'node_modules/here': { version },
      'node_modules/for-tests': { version: '1.0.0', dev: true },
      'node_modules/for-another-platform': { version: '1.0.0', optional: true },
    });

    function arrangeInstalled(installed: object) {
      const arranged = arrange();
      arranged.write('package-lock.json', JSON.stringify({ packages: packages('1.0.0') }));
      mkdirSync(join(arranged.folder, 'node_modules/node/bin'), { recursive: true });
      symlinkSync(process.execPath, join(arranged.folder, 'node_modules/node/bin/node'));
      arranged.write('node_modules/.package-lock.json', JSON.stringify({ packages: installed }));
      return arranged;
    }

    test('nothing is installed again', async () => {
      const { 'node_modules/for-another-platform': _, ...installed } = packages('1.0.0');
      const { launch } = arrangeInstalled(installed);
      expect((await launch('test').ended).stderr).toBe('');
      expect((await launch('start').ended).stderr).toBe('');
    });

    test.each([
      ['another version', packages('1.0.1')],
      ['a missing package', { 'node_modules/here': { version: '1.0.0' } }],
      ['an empty note', {}],
    ])('%s is installed', async (_, installed) => {
      const { launch } = arrangeInstalled(installed);
      expect((await launch('test').ended).stderr).toContain('npm ci');
    });
  });

  test('a node_modules that is a link is left alone: npm would empty the folder behind it', async () => {
    const { folder, installed, launch } = arrange();
    const elsewhere = temporaryFolder();
    symlinkSync(elsewhere, join(folder, 'node_modules'));
    const { code, stderr } = await launch('start').ended;
    expect([code, installed()]).toEqual([1, false]);
    expect(stderr).toContain('Remove the link');
  });

  test('where npm fails it says so and starts nothing, and tries again the next time', async () => {
    const { folder, launch } = arrange();
    writeNpm(folder, 'console.error("network is down"); process.exit(1)');
    const { code, stdout, stderr } = await launch('start').ended;
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('network is down\nnpm ci failed, so nothing was started.');
    writeNpm(folder, install);
    expect((await launch('start').ended).code).toBe(0);
  });

  test('an npm that runs no install scripts is named as the reason', async () => {
    const { folder, launch } = arrange();
    writeNpm(folder, 'require("node:fs").mkdirSync("node_modules", { recursive: true })');
    const { code, stderr } = await launch('start').ended;
    expect(code).toBe(1);
    expect(stderr).toContain('npm config set ignore-scripts false');
  });
});

describe('handing over', () => {
  test('arguments go in and the exit code comes out; it runs in the folder of the project', async () => {
    const { folder, launch } = arrange();
    const { code, stdout } = await launch('start', '7', 'a b').ended;
    expect(code).toBe(7);
    expect(stdout).toBe(`started ["7","a b"] ${folder}\n`);
  });

  test.each([
    ['SIGTERM', 3],
    ['SIGINT', 4],
    ['SIGHUP', 5],
  ] as const)('%s goes on to the command, whose exit code counts', async (name, exitCode) => {
    const { launch } = arrange();
    const { said, signal, ended } = launch('start', 'wait');
    await said(/^started/m);
    signal(name);
    expect((await ended).code).toBe(exitCode);
  });

  test('SIGTERM to npm alone, as a supervisor sends it, ends the command as well', async () => {
    const { folder, write, launch } = arrange();
    await launch('start').ended;
    const start = 'node src/server/launch.mjs start wait';
    write('package.json', JSON.stringify({ name: 'desk', scripts: { start } }));
    const npm = spawn('npm', ['start'], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    const { ended, said, signal } = follow(npm);
    await said(/^started/m);
    signal('SIGTERM');
    expect((await ended).stdout).toContain('told to stop');
  });

  test('so it does for the command of the package, which needs no other Node', async () => {
    const { folder, write } = arrange();
    const start = `"${process.execPath}" "${join(root, 'src/server/subscriber-desk.mjs')}" service`;
    write('package.json', JSON.stringify({ name: 'desk', scripts: { start } }));
    const env = { ...process.env, SERVICE_PORT: '0', DATA_DIR: join(folder, 'data') };
    const npm = spawn('npm', ['start'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const { ended, said, signal } = follow(npm);
    await said(/ is running at /);
    signal('SIGTERM');
    expect((await ended).stdout).toContain('is running at');
  });
});

test.each([[], ['unknown'], ['constructor']])(
  'without a command it knows, it lists them: %s',
  async (...options) => {
    const { launch, installed } = arrange();
    const { code, stderr } = await launch(...options).ended;
    expect(code).toBe(1);
    expect(stderr).toMatch(/^Give one of these commands: start, dev, .*\.\n$/);
    expect(installed()).toBe(false);
  },
);
