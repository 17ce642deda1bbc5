import { createClient } from '../../contract/client.ts';
import { apiBase, csrfHeader, deskApi } from '../../contract/desk.ts';
import { staffApi } from '../../contract/permission.ts';

const options = {
  fetch: (request: Request) => fetch(request),
  headers: { [csrfHeader.name]: csrfHeader.value },
};
export const deskOptions = { ...options, base: location.origin };

/** The service's operations, by way of the desk. */
export const service = createClient(staffApi, { ...options, base: `${location.origin}${apiBase}` });

/** What the desk itself offers: the session, and finding by token. */
export const desk = createClient(deskApi, deskOptions);
