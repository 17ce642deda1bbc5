import { csrfHeader } from '../../../src/contract/bff/paths.ts';

export const publicUrl = 'http://127.0.0.1:8080';
/** The password of every account, unless a test says otherwise. */
export const password = 'canary-right-password';

/** The headers of our own page's requests; one that is null is left out. */
export type HeaderChanges = Readonly<Record<string, string | null>>;

export const ownPage = { [csrfHeader.name]: csrfHeader.value, 'Sec-Fetch-Site': 'same-origin' };

/** A request as a browser sends it from our own page, with changes. */
export function ask(
  method: string,
  path: string,
  options: { body?: unknown; headers?: HeaderChanges; base?: string } = {},
): Request {
  const { body, base = publicUrl } = options;
  const headers = new Headers(ownPage);
  if (body !== undefined) headers.set('Content-Type', 'application/json');
  for (const [name, value] of Object.entries(options.headers ?? {})) {
    if (value === null) headers.delete(name);
    else headers.set(name, value);
  }
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return new Request(base + path, { method, headers, ...(body !== undefined && { body: text }) });
}

export const credentialsOf = (name: string) => ({ name, password });

/** `name=value` of the cookie that an answer sets. */
export function cookieOf(response: Response): string {
  return response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

/** The stable code of a problem. */
export async function codeIn(response: Response): Promise<string> {
  const body: { type: string } = await response.clone().json();
  return body.type.replace('urn:subscriber-desk:problem:', '');
}

/** An answer in short: its status, and after it the code of its problem, as in `403 not-allowed`. */
export async function outcomeOf(answer: Response | Promise<Response>): Promise<string> {
  const response = await answer;
  const isProblem = response.headers.get('Content-Type') === 'application/problem+json';
  return isProblem ? `${response.status} ${await codeIn(response)}` : String(response.status);
}
