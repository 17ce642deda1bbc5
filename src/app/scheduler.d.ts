/** React's own scheduler, of which there are no types for this version: https://github.com/facebook/react/tree/main/packages/scheduler */
declare module 'scheduler' {
  /** How often React gives way to the browser while it draws: so many times a second; 0 for what is usual, 200. */
  export function unstable_forceFrameRate(perSecond: number): void;
}
