/** Of the tab: from when its first view is on the screen, and there is something that answers. */
export const firstView = { isOver: false };
