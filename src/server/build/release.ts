import { spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { mkdir, mkdtempDisposable, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { CannotStart, sentenceFor } from '../cannot-start.ts';
import { root } from '../installation.ts';
import { buildPackage, readManifest } from './package.ts';

const folder = join(root, 'dist/release');
const say = (sentence: string) => void process.stdout.write(`${sentence}\n`);

/** `npm run release`: makes the package, the list of what it is made of (an SBOM), and the checksums of both. */
try {
  const built = await buildPackage(root, say);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const { name, version } = await readManifest(root);
  npm(['pack', built, '--pack-destination', folder]);
  await writeFile(join(folder, `${name}-${version}.cdx.json`), await listMaterials());
  const names = (await readdir(folder)).toSorted();
  const sums = names.map(
    async (file) => `${hash('sha256', await readFile(join(folder, file)), 'hex')}  ${file}\n`,
  );
  await writeFile(join(folder, 'SHA256SUMS'), (await Promise.all(sums)).join(''));
  say(`In ${relative(root, folder)}/: ${[...names, 'SHA256SUMS'].join(', ')}`);
} catch (error) {
  process.stderr.write(`${sentenceFor(error)}\n`);
  process.exitCode = 1;
}

/**
 * The packages that the product is built of, as CycloneDX. Of a manifest and a lock file without what the development
 * needs: with `--omit=dev`, npm also leaves out what both need.
 */
async function listMaterials(): Promise<string> {
  const manifest = await readManifest(root);
  const lock: { packages: Record<string, { dev?: boolean; link?: boolean }> } = JSON.parse(
    await readFile(join(root, 'package-lock.json'), 'utf8'),
  );
  const shipped = Object.entries(lock.packages).filter(
    ([path, { dev, link }]) => path.startsWith('node_modules/') && !dev && !link,
  );
  const packages = { '': manifest, ...Object.fromEntries(shipped) };
  await using temporary = await mkdtempDisposable(join(tmpdir(), 'subscriber-desk-'));
  // npm names the whole after its folder.
  const project = join(temporary.path, manifest.name);
  await mkdir(project);
  await writeFile(join(project, 'package.json'), JSON.stringify(manifest));
  await writeFile(join(project, 'package-lock.json'), JSON.stringify({ ...lock, packages }));
  return npm(['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only'], project);
}

/** @throws {CannotStart} if npm fails, with what it wrote */
function npm(words: readonly string[], cwd = root): string {
  const cli = process.env['npm_execpath'] ?? '';
  const [program, ...first] = cli.endsWith('npm-cli.js') ? [process.execPath, cli] : ['npm'];
  const { status, stdout, stderr } = spawnSync(program, [...first, ...words], {
    cwd,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    shell: process.platform === 'win32' && first.length === 0,
  });
  if (status !== 0) throw new CannotStart(`npm ${words[0]} failed.\n${stderr}`);
  return stdout;
}
