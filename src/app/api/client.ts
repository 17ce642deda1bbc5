import type { QueryClient } from '@tanstack/react-query';
import { bffApi, proxiedApi } from '../../contract/bff/api.ts';
import { createClient } from '../../contract/http/client.ts';
import { apiOf } from './api.ts';

// Not for what the first screen needs: all the rules of forms come along.

export type FullClients = ReturnType<typeof clientsOf>;

/** All operations of the subscriber service, through the BFF, and all of the BFF itself. */
export function clientsOf(client: QueryClient) {
  const { serviceOptions, bffOptions } = apiOf(client);
  return { service: createClient(proxiedApi, serviceOptions), bff: createClient(bffApi, bffOptions) };
}
