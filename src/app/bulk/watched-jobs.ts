import { createPreference } from '../components/preference.ts';

// The first view loads this, and nothing else about jobs.

/**
 * The jobs that were started in this browser and whose end it has not told yet, as ids with spaces between. They outlive
 * a reload.
 */
export const watchedJobs = createPreference<string>('watched-jobs', (kept) => kept ?? '');
