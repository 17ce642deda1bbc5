import { createPreference } from '../components/preference.ts';

// The first view loads this, and nothing else about jobs.

/**
 * The jobs that were started in this browser and whose end it has not told yet, as ids with spaces between. They outlive
 * a reload.
 */
export const watchedJobs = createPreference<string>('watched-jobs', (kept) => kept ?? '');

const ids = () => watchedJobs.get().split(' ').filter(Boolean);

/** One may never be heard of again, so that they must not add up. */
const mostWatched = 10;

/** Tells the person at this browser how a job ends, on whatever page that is. */
export function watchJob(id: string): void {
  watchedJobs.set([...new Set([...ids(), id])].slice(-mostWatched).join(' '));
}

export function unwatchJob(id: string): void {
  watchedJobs.set(
    ids()
      .filter((one) => one !== id)
      .join(' '),
  );
}

export const isWatched = (id: string): boolean => ids().includes(id);
