/** Runs the program on another Node. Plain JavaScript, because an old Node may run this file. */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';

/**
 * Runs a script as a child that gets the same signals, and ends with its exit code.
 *
 * @param {string} node the path of a Node
 * @param {string[]} words the script, and the words after it
 * @param {{ cwd?: string, onError: (error: Error) => void }} options what to do if this Node cannot be started
 */
export function handOver(node, words, { cwd, onError }) {
  // A terminal sends Ctrl-C to the child as well, `kill` sends its signal only to this process. A second signal does
  // the child no harm, and the child decides when it ends. Listening begins first: a signal in between would end this
  // process and leave the child behind.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  const child = spawn(node, words, { cwd, stdio: 'inherit' });
  stopWithParent(() => child.kill('SIGTERM'));
  child.on('error', onError);
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}

/** Ends the program with a sentence for the person at the terminal. @param {string} sentence */
export function giveUp(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

const parent = process.ppid;

/**
 * Below npm, calls a function once the parent is gone: npm sends SIGTERM only to the shell between npm and this
 * process, and the shell does not pass it on.
 *
 * @param {() => void} stop
 */
export function stopWithParent(stop) {
  if (process.env.npm_lifecycle_event) setInterval(() => process.ppid !== parent && stop(), 500).unref();
}
