import { createClient } from '../../contract/client.ts';
import { apiBase, csrfHeader } from '../../contract/desk-paths.ts';
import { firstDeskApi } from '../../contract/desk.ts';
import { firstApi } from '../../contract/first-api.ts';
import { takeEarly } from './early-answers.ts';
import { sendSignedIn } from './sign-in-again.ts';

const options = {
  fetch: (request: Request) => takeEarly(request) ?? fetch(request),
  headers: { [csrfHeader.name]: csrfHeader.value },
  around: sendSignedIn,
};
export const deskOptions = { ...options, base: location.origin };
export const serviceOptions = { ...options, base: `${location.origin}${apiBase}` };

/** What the first screen asks the service, by way of the desk. */
export const firstService = createClient(firstApi, serviceOptions);

/** What the first screen asks the desk itself: the session, and what comes with it. */
export const firstDesk = createClient(firstDeskApi, deskOptions);
