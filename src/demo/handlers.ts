import { http, type HttpHandler } from 'msw/http';
import { apiBase, bffBase } from '../contract/bff/paths.ts';

type Fetch = (request: Request) => Promise<Response>;

/** Every request of the dashboard, answered by the desk: there is no made-up answer that could drift from it. */
export function handlersFor(fetch: Fetch): HttpHandler[] {
  return [apiBase, bffBase].map((base) =>
    http.all(`*${base}/*`, ({ request }) => fetch(withoutEmptyBody(request))),
  );
}

/** MSW gives every POST and DELETE a body, if an empty one; one that the dashboard wrote says its type. */
function withoutEmptyBody(request: Request): Request {
  if (['GET', 'HEAD'].includes(request.method) || request.headers.has('Content-Type')) return request;
  const { method, headers, signal } = request;
  return new Request(request.url, { method, headers, signal });
}
