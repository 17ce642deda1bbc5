/** What a process has and the rooms are given: the time and randomness. */
export const clock = (): number => Date.now();
export const random = (bytes: number): Uint8Array => crypto.getRandomValues(new Uint8Array(bytes));
