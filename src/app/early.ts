// A script of its own, which the browser runs as soon as it has it.
import { sendFirstRequests } from './first-requests.ts';
import { loadLanguageData } from './ui/language-data.ts';

sendFirstRequests(location);
loadLanguageData();
