import { stopTimes } from '../../../src/server/http/listen.ts';

// Imported before a server that a test stops: on a busy machine, half a second can pass before anybody asks it again.
Object.assign(stopTimes, { announce: 3_000 });
