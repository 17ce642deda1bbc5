import { locale } from './locale.ts';

const numbers = new Intl.NumberFormat(locale);

/** "1,234 subscribers", "1 subscriber". */
export function counted(amount: number, one: string, many = `${one}s`): string {
  return `${numbers.format(amount)} ${amount === 1 ? one : many}`;
}

export const grouped = (amount: number): string => numbers.format(amount);
