/** By its name in the address, how each part is read from text; undefined if it is refused. */
type Shape = Readonly<Record<string, (text: string) => unknown>>;

/** The state that a page reads from its address. */
export type AddressOf<S extends Shape> = { [N in keyof S]?: Exclude<ReturnType<S[N]>, undefined> };

/** Some other state; undefined takes a part away. */
export type AddressChange<Address> = { [N in keyof Address]?: Address[N] | undefined };

/**
 * Declares the state of a page that is in its address.
 *
 * @param settle corrects parts that depend on others
 */
export function defineAddress<S extends Shape>(
  shape: S,
  settle: (address: AddressOf<S>) => AddressChange<AddressOf<S>> = (address) => address,
) {
  const names = Object.keys(shape);
  /** Reads leniently: leaves out what is refused, and the first page, so that a bad link still opens. */
  function read(raw: Readonly<Record<string, unknown>>): AddressOf<S> {
    const found: Record<string, unknown> = {};
    for (const name of names) {
      const given = raw[name];
      if (!['string', 'number', 'boolean'].includes(typeof given) || given === '') continue;
      const value = shape[name]?.(String(given));
      if (name !== 'page' || value !== 1) found[name] = value;
    }
    const settled: Readonly<Record<string, unknown>> = settle(found as AddressOf<S>);
    const present = names.filter((name) => settled[name] !== undefined);
    return Object.fromEntries(present.map((name) => [name, settled[name]])) as AddressOf<S>;
  }
  return {
    read,
    /** Another filter or order starts at the first page. */
    change: (address: AddressOf<S>, change: AddressChange<AddressOf<S>>): AddressOf<S> =>
      read({ ...address, page: undefined, ...change }),
  };
}
