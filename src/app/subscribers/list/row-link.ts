const prefix = 'subscriber-';

/** What the link of a subscriber's row is known by on the page. */
export const rowLinkId = (id: number): string => `${prefix}${id}`;

export const rowLink = (id: number): HTMLElement | null => document.getElementById(rowLinkId(id));

/** The subscriber to whose row link an element belongs; null for any other element. */
export function idOfRowLink(element: EventTarget | null): number | null {
  const link = element instanceof Element ? element.closest(`th > a[id^="${prefix}"]`) : null;
  return link ? Number(link.id.slice(prefix.length)) : null;
}

/** The subscriber in whose row an element is. */
export function idOfRow(element: EventTarget | null): number | null {
  const row = element instanceof Element ? element.closest('tr') : null;
  return idOfRowLink(row?.querySelector('th > a') ?? null);
}
