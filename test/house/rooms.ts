import { packageOf, type Import } from './imports.ts';

/** What each room may import: packages, rooms. `host` may import everything. */
const rooms: Readonly<Record<string, { packages: readonly string[]; rooms: readonly string[] }>> = {
  contract: { packages: ['zod'], rooms: ['contract'] },
  service: { packages: ['zod', 'hono', 'kysely', 'jose'], rooms: ['contract', 'service'] },
  bff: { packages: ['zod', 'hono', 'kysely', 'openid-client'], rooms: ['contract', 'bff'] },
  app: {
    packages: [
      'zod',
      'react',
      'react-dom',
      'scheduler',
      'react-hook-form',
      '@hookform/resolvers',
      '@base-ui/react',
      '@tanstack/react-query',
      '@tanstack/react-router',
    ],
    rooms: ['contract', 'app'],
  },
};

/** The parts of the contract that tell of subscribers, which the widgets in `app/ui` know nothing of. */
const ofSubscribers = /^src\/contract\/(api|desk|list-query|permission|subscriber)\.ts$/;

/** What is wrong with an import by the rules of the rooms, or null. */
export function faultOf(one: Import): string | null {
  const [, room = ''] = one.from.split('/');
  const rule = rooms[room];
  if (!rule) return room === 'host' ? null : `${one.from} lies in no room.`;
  if (!one.to.startsWith('src/'))
    return rule.packages.includes(packageOf(one.to))
      ? null
      : `${one.from} imports ${one.to}, which ${room} may not.`;
  const isDemo = one.from === 'src/app/main.tsx' && one.dynamic && one.to.startsWith('src/host/demo/');
  const [, target = ''] = one.to.split('/');
  if (!rule.rooms.includes(target) && !isDemo)
    return `${one.from} imports ${one.to}: ${room} does not know ${target}.`;
  return room === 'app' ? faultWithinApp(one) : null;
}

/** `changes` is what several features say and do about changes of subscribers. */
const layers = ['ui', 'api', 'changes', 'feature', 'routes'] as const;

function faultWithinApp({ from, to }: Import): string | null {
  if (from.startsWith('src/app/ui/') && ofSubscribers.test(to))
    return `${from} imports ${to}: ui knows no subscriber.`;
  if (!to.startsWith('src/app/')) return null;
  const [source, target] = [partOf(from), partOf(to)];
  if (layers.indexOf(layerOf(target)) > layers.indexOf(layerOf(source)))
    return `${from} imports ${to}: ${layerOf(source)} lies below ${layerOf(target)}.`;
  if (layerOf(source) === 'feature' && layerOf(target) === 'feature' && source !== target)
    return `${from} imports ${to}: the feature ${source} does not know the feature ${target}.`;
  return null;
}

/** `src/app/subscribers/list/page.tsx` → `subscribers`; a file at the top of `app` is part of no folder: ''. */
function partOf(path: string): string {
  const [, , folder = '', ...rest] = path.split('/');
  return rest.length > 0 ? folder : '';
}

function layerOf(part: string): (typeof layers)[number] {
  if (part === 'ui' || part === 'api' || part === 'changes') return part;
  return part === '' || part === 'shell' ? 'routes' : 'feature';
}
