import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createDashboard } from './dashboard.ts';
import { applyTheme } from './shell/theme.ts';
import './ui/tokens.css';
import './ui/base.css';

applyTheme();

const { cache, router } = createDashboard();

async function mount(root: HTMLElement): Promise<void> {
  // In the demo the desk and the service run in this tab, and have to stand before the first request goes out.
  if (import.meta.env.MODE === 'demo') await (await import('../host/demo/start.ts')).startDemo();
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={cache}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
}

const root = document.getElementById('root');
if (root)
  mount(root).catch((error: unknown) => {
    // Such as a private window without service workers, in which the demo has nowhere to run.
    root.textContent =
      'Subscriber Desk could not start in this browser window. Try another browser or a usual window.';
    throw error;
  });
