import { startTransition, StrictMode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { createDashboard, DashboardRoot, followOtherTabs, whenLoaded } from './dashboard.tsx';
import { preloadedAnswers } from './preload.ts';
import { applyTheme } from './shell/theme.ts';
import './components/tokens.css';
import './components/base.css';

applyTheme();

/** Lets the browser handle other tasks first. */
const nextTask = () => new Promise((resolve) => setTimeout(resolve));

async function mount(element: HTMLElement): Promise<Root> {
  // In the demo, the BFF and the service run in this tab and have to be ready before the first request.
  const demo = import.meta.env.MODE === 'demo' ? await (await import('../demo/start.tsx')).startDemo() : null;
  const dashboard = createDashboard({ preloaded: preloadedAnswers, ...demo?.options });
  demo?.showBar(dashboard);
  // In the demo each tab has a user of its own.
  if (!demo) followOtherTabs(dashboard);
  await whenLoaded(dashboard);
  // A transition renders in slices, so that the browser can respond to the user in between.
  const root = createRoot(element);
  startTransition(() =>
    root.render(
      <StrictMode>
        <DashboardRoot dashboard={dashboard} />
      </StrictMode>,
    ),
  );
  return root;
}

/** React's root, for tests, which have to unmount it. */
export const started = start(document.getElementById('root'));

async function start(element: HTMLElement | null): Promise<Root | undefined> {
  if (!element) return undefined;
  try {
    await nextTask();
    return await mount(element);
  } catch (error) {
    // For example in a private window without service workers, which the demo needs.
    element.textContent =
      'Subscriber Desk couldn’t start in this window. Try a regular (non-private) window or another browser.';
    throw error;
  }
}
