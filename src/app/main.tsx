import { startTransition, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createDashboard, DashboardRoot, whenLoaded } from './dashboard.tsx';
import { preloadedAnswers } from './preload.ts';
import { applyTheme } from './shell/theme.ts';
import './components/tokens.css';
import './components/base.css';

applyTheme();

async function mount(root: HTMLElement): Promise<void> {
  // In the demo the BFF and the service run in this tab and must be ready before the first request.
  const demo = import.meta.env.MODE === 'demo' ? await (await import('../demo/start.ts')).startDemo() : null;
  const dashboard = createDashboard({ history: demo?.history, preloaded: preloadedAnswers });
  demo?.showBar(dashboard);
  await whenLoaded(dashboard);
  // A transition renders in slices, so that the browser can respond in between.
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <DashboardRoot dashboard={dashboard} />
      </StrictMode>,
    ),
  );
}

/** Lets the browser handle other tasks first. */
const nextTask = () => new Promise((resolve) => setTimeout(resolve));

const root = document.getElementById('root');
if (root)
  nextTask()
    .then(() => mount(root))
    .catch((error: unknown) => {
      // For example a private window without service workers, where the demo cannot run.
      root.textContent =
        'Subscriber Desk could not start in this browser window. Try another browser or a usual window.';
      throw error;
    });
