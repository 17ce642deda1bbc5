import { createClient } from '../../../contract/client.ts';
import { deskApi } from '../../../contract/desk-api.ts';
import { deskOptions } from '../../api/client.ts';

/** The desk, as the dialog asks it that all other requests wait for. */
export const askDesk = createClient(deskApi, { ...deskOptions, around: undefined });
