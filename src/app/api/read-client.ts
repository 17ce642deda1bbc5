import { createClient } from '../../contract/http/client.ts';
import { apiBase, csrfHeader } from '../../contract/bff/paths.ts';
import { bffReadApi } from '../../contract/bff/session.ts';
import { readApi } from '../../contract/service/read-api.ts';
import { takeEarly } from './preload.ts';
import { sendSignedIn } from './sign-in-again.ts';

const options = {
  fetch: (request: Request) => takeEarly(request) ?? fetch(request),
  headers: { [csrfHeader.name]: csrfHeader.value },
  around: sendSignedIn,
};
export const deskOptions = { ...options, base: location.origin };
export const serviceOptions = { ...options, base: `${location.origin}${apiBase}` };

/** What the first screen asks the service, by way of the desk. */
export const firstService = createClient(readApi, serviceOptions);

/** What the first screen asks the desk itself: the session, and what comes with it. */
export const firstDesk = createClient(bffReadApi, deskOptions);
