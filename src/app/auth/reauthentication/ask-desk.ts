import { createClient } from '../../../contract/http/client.ts';
import { bffApi } from '../../../contract/bff/api.ts';
import { deskOptions } from '../../api/read-client.ts';

/** The desk, as the dialog asks it that all other requests wait for. */
export const askDesk = createClient(bffApi, { ...deskOptions, around: undefined });
