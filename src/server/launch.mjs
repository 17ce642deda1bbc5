/**
 * The first step of `npm start`, `npm test` and the other commands, on any Node from version 20: installs missing
 * packages, then hands over to the Node that this project pins. Plain JavaScript without dependencies, because it runs
 * before they are installed.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { giveUp, handOver } from './hand-over.mjs';

/** The script of each command, and its first word; scripts under `test/` need the development packages as well. */
const commands = {
  start: 'src/server/main.ts start',
  dev: 'src/server/dev.ts',
  desk: 'src/server/main.ts',
  service: 'src/server/main.ts service',
  demo: 'src/demo/serve.ts',
  'build-demo': 'src/demo/build.ts',
  test: 'test/run.ts',
  size: 'test/bench/size.ts',
  bench: 'test/bench/run.ts',
  release: 'src/server/build/release.ts',
  screenshot: 'test/e2e/screenshot.ts',
};

const root = fileURLToPath(new URL('../..', import.meta.url));
const nodeModules = join(root, 'node_modules');
const stampFile = join(nodeModules, '.installed');

const [command, ...rest] = process.argv.slice(2);
const [script, ...first] = Object.hasOwn(commands, command ?? '') ? commands[command].split(' ') : [];
if (!script) giveUp(`Give one of these commands: ${Object.keys(commands).join(', ')}.`);
// Development packages that are already installed are kept.
const forDevelopment = script.startsWith('test/') || existsSync(join(nodeModules, 'vitest'));
installMissing(forDevelopment ? 'all' : 'product');
handOver(findNode(), [join(root, script), ...first, ...rest], {
  cwd: root,
  onError: (error) =>
    giveUp(`Cannot start the Node in node_modules: ${error.message}. Delete node_modules and try again.`),
});

/** The Node of the one optional package that fits this platform: npm leaves out the others. */
function findNode() {
  const { optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const program = process.platform === 'win32' ? 'node.exe' : 'node';
  return Object.keys(optionalDependencies)
    .map((name) => join(nodeModules, name, 'bin', program))
    .find(existsSync);
}

/** @param extent the packages that the product needs, or all of them */
function installMissing(extent) {
  const required = installStamp(extent);
  const present = existsSync(stampFile) ? readFileSync(stampFile, 'utf8') : '';
  const isThere = findNode() !== undefined;
  if (isThere && [required, installStamp('all')].includes(present)) return;
  if (isThere && isInstalledByNpm(extent)) return writeFileSync(stampFile, required);
  // npm empties the folder, and a linked folder may belong to another project.
  if (lstatSync(nodeModules, { throwIfNoEntry: false })?.isSymbolicLink())
    giveUp(
      'node_modules is a link to another folder, which npm ci would empty. Remove the link and try again.',
    );
  process.stderr.write('Installing missing packages (npm ci). This can take a minute ...\n');
  const packages = extent === 'all' ? '--include=dev' : '--omit=dev';
  const done = runNpm(['ci', packages, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']);
  if (done.error || done.status !== 0)
    giveUp(
      'npm ci failed, so nothing was started. Check the messages above and the network, then try again.',
    );
  if (!findNode())
    giveUp(
      'npm ci did not install Node. Allow optional packages (npm config delete omit) and try again. There is one for Linux and Windows on x64, for Linux on arm64, and for macOS.',
    );
  writeFileSync(stampFile, required);
}

/** Identifies what node_modules was installed from. Another platform needs other binaries. */
function installStamp(extent) {
  const lock = readFileSync(join(root, 'package-lock.json'));
  return `${createHash('sha256').update(lock).digest('hex')} ${process.platform} ${process.arch} ${extent}\n`;
}

/** True if a plain `npm ci` has installed what is needed: npm notes it in a lock file of its own. */
function isInstalledByNpm(extent) {
  const noteFile = join(nodeModules, '.package-lock.json');
  if (existsSync(stampFile) || !existsSync(noteFile)) return false;
  const installed = packagesIn(noteFile);
  // Optional packages are for other platforms, links for the workspaces.
  const required = Object.entries(packagesIn(join(root, 'package-lock.json'))).filter(
    ([path, { optional, link, dev }]) =>
      path.includes('node_modules/') && !optional && !link && (extent === 'all' || !dev),
  );
  return required.length > 0 && required.every(([path, { version }]) => installed[path]?.version === version);
}

function packagesIn(lockFile) {
  return JSON.parse(readFileSync(lockFile, 'utf8')).packages ?? {};
}

/** Runs npm with the Node that runs npm already: the one in node_modules is deleted while npm installs. */
function runNpm(options) {
  const cli = process.env.npm_execpath ?? '';
  const known = cli.endsWith('npm-cli.js');
  const windows = process.platform === 'win32';
  const path = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.endsWith('.bin'));
  return spawnSync(
    known ? (process.env.npm_node_execpath ?? process.execPath) : 'npm',
    known ? [cli, ...options] : options,
    {
      cwd: root,
      env: { ...process.env, PATH: path.join(delimiter) },
      shell: windows && !known,
      // npm's output goes to stderr, because stdout belongs to the command that follows.
      stdio: ['ignore', 2, 2],
    },
  );
}
