import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { buildDashboard, type BuildMode } from '../../../src/server/build/build.ts';
import { temporaryFolder } from '../../support/server/temporary-folder.ts';

/** A small project, and a bundler that only notes that it was called. */
function arrange() {
  const root = temporaryFolder();
  const builds: string[] = [];
  const said: string[] = [];
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  const bundle = async (_: string, mode: BuildMode, folder: string) => {
    builds.push(mode);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
  };
  const build = (mode: BuildMode = 'app', by = bundle) =>
    buildDashboard({ root, mode, bundle: by, say: (sentence) => said.push(sentence) });
  for (const path of sources) write(path, 'first');
  return { root, write, build, builds, bundle, said };
}

const sources = [
  'index.html',
  'vite.config.ts',
  'package-lock.json',
  'public/favicon.svg',
  'src/app/main.tsx',
  'src/app/components/button.tsx',
  'src/contract/service/api.ts',
  'src/lib/store.ts',
  'src/server/build/compile-hint.ts',
  'src/server/build/pack-files.ts',
];

describe('the build of the dashboard', () => {
  it('is made the first time, and says so; then it is done already', async () => {
    const { root, build, builds, said } = arrange();
    expect(await build()).toBe(join(root, 'dist/app'));
    expect(await build()).toBe(join(root, 'dist/app'));
    expect([builds, said]).toEqual([['app'], ['Building the dashboard ...']]);
    // A dot-file is never served.
    expect(readFileSync(join(root, 'dist/app/.stamp'), 'utf8')).toMatch(/^[0-9a-f]{64}$/);
  });

  it('is made once for two servers that start at the same moment', async () => {
    const { build, builds, bundle, said } = arrange();
    const other = Promise.withResolvers<string>();
    const first = await build('app', async (...given) => {
      other.resolve(build());
      await vi.waitFor(() => expect(said.length).toBe(2));
      await bundle(...given);
    });
    expect([await other.promise, builds]).toEqual([first, ['app']]);
  });

  it('is made again after a change of any source', async () => {
    const { write, build, builds } = arrange();
    await build();
    for (const [index, path] of sources.entries()) {
      write(path, 'second');
      await build();
      expect(builds.length, path).toBe(index + 2);
    }
  });

  it('is made again after a file is added, renamed or removed', async () => {
    const { root, write, build, builds } = arrange();
    await build();
    write('src/app/new.ts', '');
    await build();
    renameSync(join(root, 'src/app/new.ts'), join(root, 'src/app/newer.ts'));
    await build();
    rmSync(join(root, 'src/app/newer.ts'));
    await build();
    expect(builds.length).toBe(4);
  });

  it('is made again after it failed', async () => {
    const { build, builds, write } = arrange();
    await build();
    write('index.html', 'second');
    const failing = async () => {
      throw new Error('cannot build');
    };
    await expect(build('app', failing)).rejects.toThrow('cannot build');
    await build();
    expect(builds.length).toBe(2);
  });

  it('says which folder it cannot write to', async () => {
    const { root, write, build } = arrange();
    write('dist', 'a file');
    await expect(build()).rejects.toMatchObject({
      name: 'CannotStart',
      message: `Cannot build in the folder ${join(root, 'dist')}. Start as the user who may write to it.`,
    });
  });

  it('is taken as it is where there are no sources, as in the package', async () => {
    const { root, build, builds, said } = arrange();
    for (const path of sources) rmSync(join(root, path));
    expect(await build()).toBe(join(root, 'dist/app'));
    expect([builds, said]).toEqual([[], []]);
  });

  it('does not depend on the service, that of the demo does', async () => {
    const { write, build, builds } = arrange();
    await build('app');
    await build('demo');
    write('src/service/service.ts', 'first');
    await build('app');
    await build('demo');
    expect(builds).toEqual(['app', 'demo', 'demo']);
  });
});
