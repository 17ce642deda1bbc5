/** Where to go after signing in: a path of this page or nothing, never another site (CWE-601). */
export function returnPath(asked: string | undefined, origin: string): string {
  if (!asked?.startsWith('/')) return '/';
  const url = URL.parse(asked, origin);
  // `/.//evil.example` is a path of this page whose text, read anew, names another host.
  if (url?.origin !== origin || url.pathname.startsWith('//')) return '/';
  return `${url.pathname}${url.search}${url.hash}`;
}
