import type { QueryClient } from '@tanstack/react-query';
import { bffApi, proxiedApi } from '../../contract/bff/api.ts';
import { createClient } from '../../contract/http/client.ts';
import { apiOf, type Api } from './api.ts';

// The first view does not load this file, because it contains the validation rules of every form.

export type FullClient = ReturnType<typeof createFullClient>;

/** All operations of the subscriber service, through the BFF, and of the BFF itself. */
export function clientOf(cache: QueryClient): FullClient {
  const api = apiOf(cache);
  const made = clients.get(api) ?? createFullClient(api);
  clients.set(api, made);
  return made;
}

/** Made once for each dashboard. */
const clients = new WeakMap<Api, FullClient>();

const createFullClient = ({ serviceOptions, bffOptions }: Api) => ({
  ...createClient(proxiedApi, serviceOptions),
  ...createClient(bffApi, bffOptions),
});
