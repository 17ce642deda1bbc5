import { readFileSync } from 'node:fs';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build } from 'vite';
import { buildDashboard } from './build.ts';
import { collectLicences, licencesFile } from './licences.ts';
import { packageReadme } from './package-readme.ts';

interface Manifest {
  name: string;
  version: string;
  description: string;
  license: string;
  dependencies: Record<string, string>;
  /** The packages that bring the Node of one platform each, without install scripts. */
  optionalDependencies: Record<string, string>;
}

/** The command, which loads the rest as it needs it, and the threads. */
const entries = {
  'subscriber-desk': 'src/server/subscriber-desk.mjs',
  'hashing-thread': 'src/server/hashing-thread.ts',
  'sql/sqlite-reader-thread': 'src/server/sql/sqlite-reader-thread.ts',
};

/** The files of Swagger UI that `/docs` of the service loads, and the licences of what is in them. */
const swaggerFiles = ['swagger-ui-bundle.js', 'swagger-ui-bundle.js.LICENSE.txt', 'swagger-ui.css'];

/** The others are notes of the build. */
const visible = (path: string) => !basename(path).startsWith('.');

/** False for what somebody who deploys from a clone, or builds the image there, has put beside the examples. */
export const isExample = (path: string): boolean => visible(path) && basename(path) !== 'secrets';

/**
 * Makes the folder of the npm package: the built dashboard and demo, the bundled server, its papers, and examples of a deployment. `npm pack`
 * makes one file of it.
 *
 * @returns the folder
 * @throws if something cannot be built, or a package in it has no licence
 */
export async function buildPackage(root: string, say: (sentence: string) => void): Promise<string> {
  const folder = join(root, 'dist/package');
  const app = await buildDashboard({ root, mode: 'app', say });
  const demo = await buildDashboard({ root, mode: 'demo', say });
  say('Building the package ...');
  await rm(folder, { recursive: true, force: true });
  const server = join(folder, 'dist/server');
  await bundleServer(root, server);
  const papers = await collectLicences(
    root,
    [app, demo, server],
    ['swagger-ui-dist', '@sqlite.org/sqlite-wasm'],
  );
  await rm(join(server, licencesFile));

  await cp(app, join(folder, 'dist/app'), { recursive: true, filter: visible });
  await cp(demo, join(folder, 'dist/demo'), { recursive: true, filter: visible });
  await mkdir(join(folder, 'dist/swagger-ui'));
  for (const name of swaggerFiles)
    await cp(join(root, 'node_modules/swagger-ui-dist', name), join(folder, 'dist/swagger-ui', name));

  const manifest = packageManifest(await readManifest(root));
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  await writeFile(join(folder, 'THIRD-PARTY-LICENCES.txt'), papers);
  await cp(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  await cp(join(root, 'src/server/deploy'), join(folder, 'deploy'), { recursive: true, filter: isExample });
  const readme = packageReadme((path) => readFileSync(join(root, path), 'utf8'));
  await writeFile(join(folder, 'README.md'), readme);
  return folder;
}

/** Reads the part of the project's manifest that holds for the product, without its development. */
export async function readManifest(root: string): Promise<Manifest> {
  const whole: Manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const { name, version, description, license, dependencies, optionalDependencies } = whole;
  return { name, version, description, license, dependencies, optionalDependencies };
}

/** The manifest for npm: everything is bundled, so nothing is installed with it but perhaps a Node. */
function packageManifest({ name, version, description, license, optionalDependencies }: Manifest): object {
  return {
    name,
    version,
    description,
    license,
    type: 'module',
    bin: { [name]: 'dist/server/subscriber-desk.js' },
    // It is a program: there is nothing to import.
    exports: { './package.json': './package.json' },
    imports: { '#swagger-ui/*': './dist/swagger-ui/*' },
    // For the first file; what that one starts needs Node 26.
    engines: { node: '>=20' },
    optionalDependencies,
  };
}

/**
 * Bundles the command of the package with all that it imports, for Node.
 *
 * @param folder has to be two levels below the package's top folder: see `root` in `src/server/installation.ts`
 */
async function bundleServer(root: string, folder: string): Promise<void> {
  await build({
    root,
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    ssr: { noExternal: true, external: ['pg-native'] },
    build: {
      ssr: true,
      outDir: folder,
      emptyOutDir: true,
      // The Node that runs it understands what was written, and errors should tell names.
      target: 'esnext',
      minify: false,
      license: { fileName: licencesFile },
      rolldownOptions: {
        input: Object.fromEntries(Object.entries(entries).map(([name, path]) => [name, join(root, path)])),
        output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  });
}
