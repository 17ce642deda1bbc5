import { http, type HttpHandler } from 'msw/http';
import { apiBase } from '../../contract/desk.ts';

type Fetch = (request: Request) => Promise<Response>;

/** Every request of the dashboard, answered by the desk: there is no made-up answer that could drift from it. */
export function handlersFor(fetch: Fetch): HttpHandler[] {
  return [apiBase, '/bff'].map((base) => http.all(`*${base}/*`, ({ request }) => fetch(request)));
}
