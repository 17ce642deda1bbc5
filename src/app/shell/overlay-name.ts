/** What can be laid over every screen. */
export type OverlayName = 'help' | 'palette';
