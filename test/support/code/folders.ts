import type { Import } from './source-files.ts';

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

/** What each folder of `src` may import: packages and folders. `server` and `demo` may import everything. */
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

/** What is wrong with an import by the rules of the folders, or null. */
export function importFault(one: Import): string | null {
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
