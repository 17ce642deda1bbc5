import { readFileSync } from 'node:fs';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build } from 'vite';
import { buildDashboard } from './build.ts';
import { collectLicences, licencesFile } from './licences.ts';

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

const beginning = `# Subscriber Desk

A web dashboard for the staff of a TV and streaming service. This package has all of it: the dashboard, the server, a
Subscriber Management Service and the demo.

## Run it

In an empty folder, with the file of this package beside it:

\`\`\`sh
npx ./subscriber-desk-*.tgz            # the dashboard; prints the address and, once, a one-time password
npx ./subscriber-desk-*.tgz demo       # the demo; nothing leaves the browser's tab
npx ./subscriber-desk-*.tgz help       # the other commands
\`\`\`

Or install it with \`npm install --global\`, then \`subscriber-desk\` is the command.

It needs Node 26, and npm installs one with it. Where yours is as new, \`--omit=optional\` leaves that one out, which saves
most of the space.

Data is kept in \`./data/\`. Ctrl-C stops the server. To update, install a newer package and restart: the tables are
updated at the start. An older version refuses to start on them, so make a backup first.

What others wrote is under the licences in \`THIRD-PARTY-LICENCES.txt\`, the rest under that in \`LICENSE\`.
`;

/** Parts of the project's documents that hold in the package, too. */
const parts = {
  'src/server/README.md': /\n(## Configuration\n[^]+)\n### Updates\n/,
  'src/service/README.md': /\n(## Variables of the service\n[^]+?)\n## /,
  'src/bff/README.md': /\n(## A dialect\n[^]+?)\n## /,
  '.github/SECURITY.md': /\n(## What is stored\n[^]+)$/,
};

/**
 * The README of the package: how to run it, and what else holds there.
 *
 * @param read reads a document of the project
 * @throws if a document has other sections than it had
 */
function packageReadme(read: (path: string) => string): string {
  const texts = Object.entries(parts).map(([path, part]) => {
    const [, text] = part.exec(read(path)) ?? [];
    if (text === undefined) throw new Error(`${path} has not the text that the package needs: ${part}`);
    return asInPackage(text);
  });
  return [beginning, ...texts].join('\n');
}

function asInPackage(text: string): string {
  return (
    text
      .replace(
        /npm run (?:desk -- |(service) -- )/g,
        (_, service) => `subscriber-desk ${service ? 'service ' : ''}`,
      )
      .replace(/npm run (service|demo)\b/g, 'subscriber-desk $1')
      .replaceAll('npm start', 'subscriber-desk')
      .replaceAll('src/server/deploy/', 'deploy/')
      // These sections are in the package, the other documents are not.
      .replace(
        /\([^()#]+(?=#(?:variables-of-the-service|a-dialect|what-is-stored|personal-data|a-service-elsewhere|log-metrics-and-traces|operation)\))/g,
        '(',
      )
      .replace(/\[([^\]]+)\]\((?!#)[^)]+\)/g, '$1')
  );
}
