import { api } from '../service/api.ts';
import type { StaffOperation } from './permission.ts';

const { issueToken: _, ...staffRows } = api;

/** The rows of the endpoint table that staff reach through the desk. */
export const staffApi = staffRows satisfies Record<StaffOperation, unknown>;
export const staffOperations = Object.keys(staffApi) as StaffOperation[];
