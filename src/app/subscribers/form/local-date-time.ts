const two = (part: number) => String(part).padStart(2, '0');

/** An instant as `<input type="datetime-local">` has it, in the browser's zone; empty where there is none. */
export function toLocalInput(instant: string): string {
  const at = new Date(instant);
  if (Number.isNaN(at.getTime())) return '';
  const date = [String(at.getFullYear()).padStart(4, '0'), two(at.getMonth() + 1), two(at.getDate())].join(
    '-',
  );
  return `${date}T${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** The instant of a local date and time, in UTC; empty where it is none. */
export function fromLocalInput(local: string): string {
  const at = new Date(local);
  return Number.isNaN(at.getTime()) ? '' : at.toISOString();
}
