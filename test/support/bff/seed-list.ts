/** A row of a service that was written from the seed, as far as its list looks at it. */
export interface SeedRow {
  id: number;
  accessToken: string;
  username: string;
  email: string | null;
  /** In any one form whose order is that of time. */
  expiresAt: string;
  status: number;
}

type Parameters = Readonly<Record<string, string | undefined>>;

/** The filters and orders of the seed's list, and its pages. @param now in the form of the rows */
export function seedList<R extends SeedRow>(rows: Iterable<R>, given: Parameters, now: string, most: number) {
  const { Username = '', Email = '', AccessToken, StatusId, Expired, SortBy = 'id' } = given;
  const found = [...rows].filter(
    (row) =>
      row.username.includes(Username) &&
      (row.email ?? '').includes(Email) &&
      (AccessToken === undefined || row.accessToken === AccessToken) &&
      (StatusId === undefined || String(row.status) === StatusId) &&
      (Expired !== 'true' || row.expiresAt <= now),
  );
  const [name, down] = SortBy.split('_') as ['id' | 'username' | 'expiresAt', string?];
  const order = (one: R, other: R) => (one[name] < other[name] ? -1 : one[name] > other[name] ? 1 : 0);
  found.sort((one, other) => (down ? -order(one, other) : order(one, other)) || one.id - other.id);
  const size = Math.min(most, Number(given['PageSize'] ?? 25));
  const from = (Number(given['Page'] ?? 1) - 1) * size;
  return { total: found.length, items: found.slice(from, from + size) };
}
