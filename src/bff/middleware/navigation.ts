import { Refusal } from '../../contract/http/refusal.ts';
import { navigations } from '../../contract/bff/single-sign-on.ts';
import { wrongMethod } from '../router.ts';

/** Whether a path is one that a browser goes to by itself, and so without the header that all other requests carry. */
export const isNavigation = (path: string): boolean =>
  Object.values(navigations).some((navigation) => navigation.path === path);

/**
 * Lets through what a browser does that goes to a page: no request of a script, no frame, no image. Only the way back
 * may come from another site; what it may do, the state in its address and the browser's cookie decide.
 */
export function checkNavigation(request: Request, path: string): void {
  if (request.method !== 'GET') throw wrongMethod(['GET']);
  const said = (name: string, allowed: readonly string[]) => {
    // Browsers from before 2023 may not say.
    const value = request.headers.get(name);
    return value === null || allowed.includes(value);
  };
  const ours =
    path === navigations.finishSingleSignOn.path || said('Sec-Fetch-Site', ['same-origin', 'none']);
  if (!ours || !said('Sec-Fetch-Mode', ['navigate']) || !said('Sec-Fetch-Dest', ['document']))
    throw new Refusal('cross-site', 'Open the sign-in page of the desk and start there.');
}
