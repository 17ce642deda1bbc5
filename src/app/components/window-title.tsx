import { useApp } from './app-context.ts';

/** The name of the window, with that of the product. */
export const WindowTitle = ({ children }: { children: string }) => (
  <title>{`${children} · ${useApp().productName}`}</title>
);
