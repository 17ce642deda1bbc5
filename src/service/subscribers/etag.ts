/** The strong validator of a record: its id and version, such as `"12-3"` (RFC 9110 §8.8.3). */
export function etagOf(id: number, version: number): string {
  return `"${id}-${version}"`;
}

/**
 * Which versions of a record an `If-Match` allows to be written.
 *
 * @returns null for any: without the header, and for `*` (RFC 9110 §13.1.1)
 */
export function versionsAllowed(ifMatch: string | null, id: number): number[] | null {
  if (ifMatch === null || ifMatch.trim() === '*') return null;
  return ifMatch.split(',').flatMap((part) => {
    const tag = part.trim();
    const version = Number(/^"\d+-(\d{1,15})"$/.exec(tag)?.[1]);
    return tag === etagOf(id, version) ? [version] : [];
  });
}
