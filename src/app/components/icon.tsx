const paths = {
  search: 'M7 12.5a5.5 5.5 0 1 1 0-11 5.5 5.5 0 0 1 0 11Zm4-1.5 3.5 3.5',
  close: 'm3.5 3.5 9 9m0-9-9 9',
  plus: 'M8 3v10M3 8h10',
  overview: 'M2.5 13.5V9m3.7 4.5v-8m3.6 8V7.5m3.7 6v-11',
  people:
    'M6 7.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Zm-4.5 6c0-2.5 2-4 4.5-4s4.5 1.5 4.5 4M11 7.5a2 2 0 1 0 0-4m1 6c1.6.4 2.6 1.7 2.6 4',
  staff:
    'M8 7.5a2.7 2.7 0 1 0 0-5.4 2.7 2.7 0 0 0 0 5.4ZM2.8 14c0-2.6 2.1-4.3 5.2-4.3 1 0 1.9.2 2.6.5m.6 2.6 1.3 1.3 2.2-2.6',
  jobs: 'm2 4.2 1.2 1.2L5.4 3M8 4.2h6M2 8.7l1.2 1.2 2.2-2.4M8 8.7h6M2.4 13h1.8M8 13h6',
  activity: 'M8 4.5V8l2.5 1.8M2.2 8A5.8 5.8 0 1 0 4 3.8M2 2v3h3',
  message: 'M2 3h12v8H7l-3 3v-3H2z',
  bundles: 'm8 1.5 6 3-6 3-6-3Zm-6 6.5 6 3 6-3m-12 3.5 6 3 6-3',
  ascending: 'M8 13V3.5M4 7l4-4 4 4',
  descending: 'M8 3v9.5M4 9l4 4 4-4',
  previous: 'm10 3-5 5 5 5',
  next: 'm6 3 5 5-5 5',
  check: 'm3 8.5 3.5 3.5L13 4.5',
  alert: 'M8 4.5v4.2m0 2.6v.2M8 1.5l6.8 12.2H1.2L8 1.5Z',
} as const;

type IconName = keyof typeof paths;

/** A line drawing of 16 × 16 px, hidden from screen readers: a text or a label has to give its meaning. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg
      viewBox="0 0 16 16"
      width="16"
      height="16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={paths[name]} />
    </svg>
  );
}

/** The logo, inline because a file would be one more request before the first view. */
export function Brand({ size }: { size: number }) {
  return (
    <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden="true">
      <linearGradient id="brand" x1="0" y1="0" x2="1" y2="1">
        <stop offset="0" stopColor="#2459c4" />
        <stop offset="1" stopColor="#0aa5b5" />
      </linearGradient>
      <rect width="32" height="32" rx="9" fill="url(#brand)" />
      <path
        d="M12.5 10.2v11.6c0 .8.9 1.3 1.6.8l8.4-5.8c.6-.4.6-1.2 0-1.6l-8.4-5.8c-.7-.5-1.6 0-1.6.8Z"
        fill="#fff"
      />
    </svg>
  );
}
