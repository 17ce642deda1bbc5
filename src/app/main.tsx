import { startTransition, StrictMode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { createDashboard, DashboardRoot, whenLoaded } from './dashboard.tsx';
import { preloadedAnswers } from './preload.ts';
import { applyTheme } from './shell/theme.ts';
import './components/tokens.css';
import './components/base.css';

applyTheme();

/** Lets the browser handle other tasks first. */
const nextTask = () => new Promise((resolve) => setTimeout(resolve));

async function mount(element: HTMLElement): Promise<Root> {
  // In the demo the BFF and the service run in this tab and must be ready before the first request.
  const demo = import.meta.env.MODE === 'demo' ? await (await import('../demo/start.ts')).startDemo() : null;
  const dashboard = createDashboard({ history: demo?.history, preloaded: preloadedAnswers });
  demo?.showBar(dashboard);
  await whenLoaded(dashboard);
  // A transition renders in slices, so that the browser can respond in between.
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

/** What React shows the dashboard in, for tests, which have to end it. */
export const started = start(document.getElementById('root'));

async function start(element: HTMLElement | null): Promise<Root | undefined> {
  if (!element) return undefined;
  try {
    await nextTask();
    return await mount(element);
  } catch (error) {
    // For example a private window without service workers, where the demo cannot run.
    element.textContent =
      'Subscriber Desk could not start in this browser window. Try another browser or a usual window.';
    throw error;
  }
}
