const numbers = new Intl.NumberFormat();

/** "1,234 subscribers", "1 subscriber", in the browser's own way of writing numbers. */
export function counted(amount: number, one: string, many = `${one}s`): string {
  return `${numbers.format(amount)} ${amount === 1 ? one : many}`;
}

export const grouped = (amount: number): string => numbers.format(amount);
