import { createClient } from '../../contract/http/client.ts';
import { bffApi } from '../../contract/bff/api.ts';
import { staffApi } from '../../contract/bff/staff-api.ts';
import { deskOptions, serviceOptions } from './read-client.ts';

// Not for what the first screen needs: all the rules of forms come along.

/** The service's operations, by way of the desk. */
export const service = createClient(staffApi, serviceOptions);

/** What the desk itself offers. */
export const desk = createClient(bffApi, deskOptions);
