/** Where to go after signing in: a path of this page or nothing, never another site (CWE-601). */
export function returnPath(asked: string | undefined, origin: string): string {
  if (!asked?.startsWith('/')) return '/';
  const url = URL.parse(asked, origin);
  return url?.origin === origin ? `${url.pathname}${url.search}${url.hash}` : '/';
}
