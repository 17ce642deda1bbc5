import { leaseTimes } from '../../../src/bff/jobs/store.ts';

// Imported before a server that a test kills: the others need not wait a minute to take over its jobs.
Object.assign(leaseTimes, { lease: 1_500, heartbeat: 300 });
