// A script of its own, which the browser runs as soon as it has it.
import { sendFirstRequests } from './first-requests.ts';

sendFirstRequests(location);
