/**
 * `npm run size`: what a browser with an empty cache loads until it shows the list of subscribers, compared with
 * budgets. Exits with 1 when one is exceeded.
 */
import { launchChromium } from '../support/e2e/browser.ts';
import { runScript } from '../support/e2e/run-script.ts';
import { budgets, loadFirstView, sumOf } from './first-view.ts';

const [server, browser] = await Promise.all([runScript('start'), launchChromium()]);
try {
  const sizes = await loadFirstView(browser, server);
  for (const { method, path, type, bytes } of sizes)
    say(`${method.padEnd(5)}${type.padEnd(12)}${kilobytes(bytes).padStart(10)}  ${path}`);
  say('');
  hold('JavaScript, gzip', sumOf(sizes, 'script'), budgets.script, kilobytes);
  hold('CSS, gzip', sumOf(sizes, 'stylesheet'), budgets.stylesheet, kilobytes);
  hold('Requests', sizes.length, budgets.requests, String);
} finally {
  await browser.close();
  await server.stop();
}

function hold(name: string, figure: number, budget: number, show: (figure: number) => string): void {
  const kept = figure <= budget;
  if (!kept) process.exitCode = 1;
  say(
    `${name}: ${show(figure)} of ${show(budget)}${kept ? '' : '  EXCEEDED: take something out of the first view'}`,
  );
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
