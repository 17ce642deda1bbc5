const numbers = new Intl.NumberFormat();

/** "1,234 subscribers", "1 subscriber", with the number format of the browser's language. */
export function counted(amount: number, one: string, many = `${one}s`): string {
  return `${numbers.format(amount)} ${amount === 1 ? one : many}`;
}

export const grouped = (amount: number): string => numbers.format(amount);
