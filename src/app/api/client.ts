import { createClient } from '../../contract/http/client.ts';
import { bffApi, proxiedApi } from '../../contract/bff/api.ts';
import { deskOptions, serviceOptions } from './read-client.ts';

// Not for what the first screen needs: all the rules of forms come along.

/** The service's operations, by way of the desk. */
export const service = createClient(proxiedApi, serviceOptions);

/** What the desk itself offers. */
export const desk = createClient(bffApi, deskOptions);
