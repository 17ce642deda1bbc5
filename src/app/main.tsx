import { startTransition, StrictMode, useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { unstable_forceFrameRate } from 'scheduler';
import { createDashboard, DashboardRoot, whenLoaded } from './dashboard.tsx';
import { applyTheme } from './shell/theme.ts';
import './components/tokens.css';
import './components/base.css';

applyTheme();

async function mount(root: HTMLElement): Promise<void> {
  // In the demo the desk and the service run in this tab, and have to stand before the first request goes out.
  const demo = import.meta.env.MODE === 'demo' ? await (await import('../demo/start.ts')).startDemo() : null;
  const dashboard = createDashboard(demo?.history);
  demo?.showBar(dashboard);
  await whenLoaded(dashboard);
  // In slices, between which the browser answers: longer ones than usual, as long as there is nothing to answer for.
  unstable_forceFrameRate(40);
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <DashboardRoot dashboard={dashboard} />
        <Drawn />
      </StrictMode>,
    ),
  );
}

/** From when there is something to answer for. */
function Drawn() {
  useEffect(() => {
    unstable_forceFrameRate(0);
  }, []);
  return null;
}

/** Lets the browser do something else before what follows. */
const nextTask = () => new Promise((resolve) => setTimeout(resolve));

const root = document.getElementById('root');
if (root)
  nextTask()
    .then(() => mount(root))
    .catch((error: unknown) => {
      // Such as a private window without service workers, in which the demo has nowhere to run.
      root.textContent =
        'Subscriber Desk could not start in this browser window. Try another browser or a usual window.';
      throw error;
    });
