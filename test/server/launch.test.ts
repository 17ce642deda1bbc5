import { copyFileSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root, startProcess } from '../support/server/start-process.ts';
import { temporaryFolder } from '../support/server/temporary-folder.ts';

/** A project with the launcher, an npm that only notes its calls, and a command that shows what it is given, for a Node that is a shell. */
function arrange() {
  const folder = temporaryFolder();
  const write = (path: string, text: string) => writeFileSync(join(folder, path), text);
  mkdirSync(join(folder, 'src/server'), { recursive: true });
  for (const file of ['src/server/launch.mjs', 'src/server/hand-over.mjs'])
    copyFileSync(join(root, file), join(folder, file));
  const optionalDependencies = { 'node-elsewhere': '26.0.0', 'node-here': '26.0.0' };
  write('package.json', JSON.stringify({ optionalDependencies }));
  write('package-lock.json', '{}');
  write('src/server/main.ts', command);
  mkdirSync(join(folder, 'test'));
  write('test/run.ts', command);
  write('npm-cli.js', install);
  const npm = { npm_execpath: join(folder, 'npm-cli.js'), npm_node_execpath: '/bin/sh' };
  const start = (...options: string[]) =>
    startProcess([join(folder, 'src/server/launch.mjs'), ...options], npm, { cwd: '/' });
  return {
    folder,
    write,
    start,
    /** Runs a command to its end. */
    launch: async (...options: string[]) => start(...options).ended,
    /** Has npm itself run `npm start`, and tells npm alone to stop, as a supervisor does. */
    stopByNpm: async (script: string, begun: RegExp, env = {}) => {
      write(
        'package.json',
        JSON.stringify({ name: 'desk', scripts: { start: script }, optionalDependencies }),
      );
      const started = startProcess(['start'], env, { program: 'npm', cwd: folder });
      await started.line(begun);
      started.signal('SIGTERM');
      return (await started.ended).stdout;
    },
  };
}

/** In the language of the shell, which starts faster than Node. */
const command = `
  if [ "$2" = wait ]; then
    trap 'echo told to stop; kill $!' EXIT
    trap 'exit 3' TERM
    trap 'exit 4' INT
    trap 'exit 5' HUP
    sleep 1000 >&- 2>&- &
  fi
  echo started "$*" "$PWD"
  wait
  exit \${2:-0}
`;
const install = `
  echo npm "$@"
  rm -rf node_modules
  mkdir -p node_modules/node-here/bin
  ln -s /bin/sh node_modules/node-here/bin/node
`;

describe('the launcher', () => {
  it('installs what is missing, says so, and starts; the next time it only starts', async () => {
    const { launch } = arrange();
    const { code, stdout, stderr } = await launch('start');
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^started /)]);
    expect(stderr).toBe(
      'Installing missing packages (npm ci). This can take a minute ...\n' +
        'npm ci --omit=dev --ignore-scripts --no-audit --no-fund --loglevel=error\n',
    );
    expect((await launch('start')).stderr).toBe('');
  });

  it('installs again after a new lock file, or where Node is gone', async () => {
    const { folder, write, launch } = arrange();
    await launch('start');
    write('package-lock.json', '{"new":true}');
    expect((await launch('start')).stderr).toContain('npm ci');
    rmSync(join(folder, 'node_modules/node-here'), { recursive: true });
    expect((await launch('start')).stderr).toContain('npm ci');
    expect((await launch('start')).stderr).toBe('');
  });

  it('installs more for the tests than for the product, which then is complete too', async () => {
    const { folder, launch } = arrange();
    await launch('start');
    expect((await launch('test')).stderr).toContain('npm ci --include=dev');
    expect((await launch('test')).stderr).toBe('');
    expect((await launch('start')).stderr).toBe('');
    // Development packages that are installed already stay.
    mkdirSync(join(folder, 'node_modules/vitest'), { recursive: true });
    rmSync(join(folder, 'node_modules/.installed'));
    expect((await launch('start')).stderr).toContain('npm ci --include=dev');
  });

  it.each([
    ['nothing', 'what there should be', {}],
    ['all', 'another version', { 'node_modules/here': { version: '1.0.1' } }],
    ['all', 'a missing package', { 'node_modules/for-tests': undefined }],
    ['all', 'an empty note', { 'node_modules/here': undefined, 'node_modules/for-tests': undefined }],
  ])('installs %s after npm ci by hand that left %s', async (installs, _, change) => {
    const { folder, write, launch } = arrange();
    const packages = {
      '': { name: 'project' },
      'node_modules/here': { version: '1.0.0' },
      'node_modules/for-tests': { version: '1.0.0', dev: true },
    };
    const elsewhere = { 'node_modules/for-another-platform': { version: '1.0.0', optional: true } };
    write('package-lock.json', JSON.stringify({ packages: { ...packages, ...elsewhere } }));
    mkdirSync(join(folder, 'node_modules/node-here/bin'), { recursive: true });
    symlinkSync('/bin/sh', join(folder, 'node_modules/node-here/bin/node'));
    write('node_modules/.package-lock.json', JSON.stringify({ packages: { ...packages, ...change } }));
    const { stderr } = await launch('test');
    expect(stderr.includes('npm ci')).toBe(installs === 'all');
  });

  it('leaves a node_modules alone that is a link: npm would empty the folder behind it', async () => {
    const { folder, launch } = arrange();
    symlinkSync(temporaryFolder(), join(folder, 'node_modules'));
    expect(await launch('start')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Remove the link'),
    });
    expect(existsSync(join(folder, 'node_modules/node-here'))).toBe(false);
  });

  it('starts nothing where npm fails, says so, and tries again the next time', async () => {
    const { write, launch } = arrange();
    write('npm-cli.js', 'echo network is down; exit 1');
    expect(await launch('start')).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('network is down\nnpm ci failed, so nothing was started.'),
    });
    write('npm-cli.js', install);
    expect((await launch('start')).code).toBe(0);
  });

  it('names an npm that leaves optional packages out as the reason', async () => {
    const { write, launch } = arrange();
    write('npm-cli.js', 'mkdir node_modules');
    const stderr = expect.stringContaining('npm config delete omit');
    expect(await launch('start')).toMatchObject({ code: 1, stderr });
  });

  it('hands its arguments over, runs in the folder of the project, and ends with the exit code', async () => {
    const { folder, launch } = arrange();
    const { code, stdout } = await launch('start', '7', 'a b');
    expect(code).toBe(7);
    expect(stdout).toBe(`started start 7 a b ${folder}\n`);
  });

  it.each([
    ['SIGTERM', 3],
    ['SIGINT', 4],
    ['SIGHUP', 5],
  ] as const)('hands %s on to the command, whose exit code counts', async (name, exitCode) => {
    const started = arrange().start('start', 'wait');
    await started.line(/^started/);
    started.signal(name);
    expect((await started.ended).code).toBe(exitCode);
  });

  it('ends the command where npm alone is told to stop, as a supervisor does', async () => {
    const { launch, stopByNpm } = arrange();
    await launch('start');
    const script = 'node src/server/launch.mjs start wait';
    expect(await stopByNpm(script, /^started/)).toContain('told to stop');
  });

  it.each([[], ['unknown'], ['constructor']])(
    'lists its commands where it is given another: %s',
    async (...words) => {
      const { folder, launch } = arrange();
      const stderr = expect.stringMatching(/^Give one of these commands: start, dev, .*\.\n$/);
      expect(await launch(...words)).toMatchObject({ code: 1, stderr });
      expect(existsSync(join(folder, 'node_modules'))).toBe(false);
    },
  );
});

describe('the command of the package', () => {
  it('ends where npm alone is told to stop, though it needs no other Node', async () => {
    const { folder, stopByNpm } = arrange();
    const script = `"${process.execPath}" "${join(root, 'src/server/subscriber-desk.mjs')}" service`;
    const env = { SERVICE_PORT: '0', DATA_DIR: join(folder, 'data') };
    expect(await stopByNpm(script, / is running at /, env)).toContain('is running at');
  });
});
