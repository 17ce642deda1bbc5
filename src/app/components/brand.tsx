/** The mark of the desk; drawn here, because a file would be one more request before the first view. */
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
