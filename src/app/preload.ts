// A script of its own, which the browser runs as soon as it has it.
import { sendFirstRequests } from './first-requests.ts';
import { loadLanguageData } from './components/language-data.ts';

sendFirstRequests(location);
// In a task of its own: together they would take longer than one should.
setTimeout(loadLanguageData);
